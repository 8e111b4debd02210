// Rule: cuda-memory-narrow-access
// Music is turned down while somebody speaks: two tracks of 16-bit samples,
// mixed by a gain for every 64 samples and clipped. A sample a thread, or eight
// with loads and stores of 16 bytes. "Use vectorised memory access", as the
// NVIDIA blog has it.
#include "Pair.cuh"

constexpr int N = 1 << 24, Block = 256;

__device__ int mix(int Speech, int Music, float Gain) {
  const int Sum = Speech + __float2int_rn(Gain * Music);
  return min(max(Sum, -32768), 32767);
}

__device__ unsigned mixTwo(unsigned Speech, unsigned Music, float Gain) {
  const int Low = mix(short(Speech & 0xffff), short(Music & 0xffff), Gain),
            High = mix(short(Speech >> 16), short(Music >> 16), Gain);
  return (unsigned(Low) & 0xffff) | unsigned(High) << 16;
}

__global__ void before(const short *__restrict__ Speech,
                       const short *__restrict__ Music,
                       const float *__restrict__ Gains, short *__restrict__ Out,
                       int Count) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I < Count)
    Out[I] = short(mix(Speech[I], Music[I], Gains[I / 64]));
}

__global__ void after(const uint4 *__restrict__ Speech,
                      const uint4 *__restrict__ Music,
                      const float *__restrict__ Gains, uint4 *__restrict__ Out,
                      int Count) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count / 8)
    return;
  const uint4 S = Speech[I], M = Music[I];
  const float Gain = Gains[I / 8];
  Out[I] = make_uint4(mixTwo(S.x, M.x, Gain), mixTwo(S.y, M.y, Gain),
                      mixTwo(S.z, M.z, Gain), mixTwo(S.w, M.w, Gain));
}

int main() {
  const short *Speech = input<short>(2 * N, 32000), *Music = Speech + N;
  const float *Gains = input<float>(N / 64);
  short *Expected = output<short>(N), *Out = output<short>(N);
  Pair P("ducked-tracks-mixed-by-eight");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(Speech, Music, Gains, Expected, N);
    else
      after<<<N / 8 / Block, Block>>>(reinterpret_cast<const uint4 *>(Speech),
                                      reinterpret_cast<const uint4 *>(Music),
                                      Gains, reinterpret_cast<uint4 *>(Out), N);
}

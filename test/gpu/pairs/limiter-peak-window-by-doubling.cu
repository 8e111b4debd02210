// Rule: cuda-memory-single-result
// A limiter that looks 128 samples ahead for the loudest: each thread walks its
// window in shared memory, or windows are doubled seven times, with a barrier
// after each.
#include "Pair.cuh"

constexpr int N = 1 << 20, Ahead = 128, Threads = 256, Tile = Threads + Ahead;
constexpr float Threshold = 0.5f;

__device__ float limited(float Sample, float Peak) {
  return Peak > Threshold ? Sample * (Threshold / Peak) : Sample;
}

__global__ void before(const float *__restrict__ Sound,
                       float *__restrict__ Out) {
  __shared__ float Level[Tile];
  const int Start = blockIdx.x * Threads;
  for (int I = threadIdx.x; I < Tile; I += Threads)
    Level[I] = fabsf(Sound[Start + I]);
  __syncthreads();
  float Peak = 0;
  for (int I = 0; I < Ahead; ++I)
    Peak = fmaxf(Peak, Level[threadIdx.x + I]);
  Out[Start + threadIdx.x] = limited(Sound[Start + threadIdx.x], Peak);
}

__global__ void after(const float *__restrict__ Sound,
                      float *__restrict__ Out) {
  __shared__ float Level[2][Tile];
  const int Start = blockIdx.x * Threads;
  for (int I = threadIdx.x; I < Tile; I += Threads)
    Level[0][I] = fabsf(Sound[Start + I]);
  __syncthreads();
  int From = 0;
#pragma unroll
  for (int Reach = 1; Reach < Ahead; Reach *= 2) {
    for (int I = threadIdx.x; I < Tile; I += Threads)
      Level[1 - From][I] =
          I + Reach < Tile ? fmaxf(Level[From][I], Level[From][I + Reach])
                           : Level[From][I];
    From = 1 - From;
    __syncthreads();
  }
  const float Peak = Level[From][threadIdx.x];
  Out[Start + threadIdx.x] = limited(Sound[Start + threadIdx.x], Peak);
}

int main() {
  std::vector<float> Wave = onHost(input<float>(N + Ahead), N + Ahead);
  // Loudness goes up and down, so that not every window has the same peak.
  for (int I = 0; I < N + Ahead; ++I)
    Wave[I] = (2 * Wave[I] - 1) * std::sin(I * 0.003f);
  const float *Sound = onDevice(Wave);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("limiter-peak-window-by-doubling");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(Sound, Expected);
    else
      after<<<N / Threads, Threads>>>(Sound, Out);
}

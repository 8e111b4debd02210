// Rule: cuda-memory-single-result
// A limiter that looks 128 samples ahead for the loudest: each thread walks its
// window in shared memory for one sample, or for four in a row, whose windows
// have all but three samples in common.
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

constexpr int Each = 4, LongTile = Each * Threads + Ahead;

__global__ void after(const float *__restrict__ Sound,
                      float *__restrict__ Out) {
  __shared__ float4 Level[LongTile / 4];
  const int Start = blockIdx.x * Each * Threads;
  float *Single = reinterpret_cast<float *>(Level);
  for (int I = threadIdx.x; I < LongTile; I += Threads)
    Single[I] = fabsf(Sound[Start + I]);
  __syncthreads();
  float Peak[Each] = {};
  float4 Now = Level[threadIdx.x];
  for (int I = 0; I < Ahead / 4; ++I) {
    const float4 Next = Level[threadIdx.x + I + 1];
    const float Window[8] = {Now.x,  Now.y,  Now.z,  Now.w,
                             Next.x, Next.y, Next.z, Next.w};
#pragma unroll
    for (int J = 0; J < 4; ++J)
#pragma unroll
      for (int K = 0; K < Each; ++K)
        Peak[K] = fmaxf(Peak[K], Window[J + K]);
    Now = Next;
  }
  const int First = Start + Each * threadIdx.x;
  const float4 Sample = *reinterpret_cast<const float4 *>(&Sound[First]);
  *reinterpret_cast<float4 *>(&Out[First]) = {
      limited(Sample.x, Peak[0]), limited(Sample.y, Peak[1]),
      limited(Sample.z, Peak[2]), limited(Sample.w, Peak[3])};
}

int main() {
  const float *Sound = input<float>(N + LongTile);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("limiter-four-peaks");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(Sound, Expected);
    else
      after<<<N / (Each * Threads), Threads>>>(Sound, Out);
}

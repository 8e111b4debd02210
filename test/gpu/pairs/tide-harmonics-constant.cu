// Rule: cuda-memory-constant-candidate
// Heights of the tide, sums of 37 waves that are the same for all threads:
// their records are in global or in constant memory.
#include "Pair.cuh"

constexpr int N = 1 << 19, Waves = 37;

struct Wave {
  float Height, Speed, Phase;
};

__constant__ Wave Kept[Waves];

__global__ void before(const float *Hours, const Wave *Waves, int Count,
                       float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Hour = 1000 * Hours[I];
  float Sum = 0;
  for (int W = 0; W < Count; ++W)
    Sum += Waves[W].Height * cosf(Waves[W].Speed * Hour + Waves[W].Phase);
  Out[I] = Sum;
}

__global__ void after(const float *Hours, int Count, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Hour = 1000 * Hours[I];
  float Sum = 0;
  for (int W = 0; W < Count; ++W)
    Sum += Kept[W].Height * cosf(Kept[W].Speed * Hour + Kept[W].Phase);
  Out[I] = Sum;
}

int main() {
  const float *Hours = input<float>(N), *Values = input<float>(3 * Waves);
  must(cudaMemcpyToSymbol(Kept, Values, sizeof(Kept), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("tide-harmonics-constant");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Hours, (const Wave *)Values, Waves, Expected);
    else
      after<<<N / 256, 256>>>(Hours, Waves, Out);
}

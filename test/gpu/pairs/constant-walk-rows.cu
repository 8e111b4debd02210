// Rule: cuda-memory-constant-walk
// Weights in constant memory, a row of 20 for each of 224 bands: a loop over
// bands wants another line of the cache with each load, or 16 loads share one.
#include "Pair.cuh"

constexpr int Pixels = 1 << 18, Bands = 224, Components = 20;

__constant__ float ByBand[Bands * Components], ByComponent[Components * Bands];

__global__ void before(const float *Image, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int B = 0; B < Bands; ++B)
    Sum += ByBand[B * Components + blockIdx.y] * Image[B * Pixels + I];
  Out[blockIdx.y * Pixels + I] = Sum;
}

__global__ void after(const float *Image, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int B = 0; B < Bands; ++B)
    Sum += ByComponent[blockIdx.y * Bands + B] * Image[B * Pixels + I];
  Out[blockIdx.y * Pixels + I] = Sum;
}

int main() {
  const float *Image = input<float>(size_t(Bands) * Pixels),
              *Weight = input<float>(Bands * Components);
  const std::vector<float> Rows = onHost(Weight, Bands * Components);
  std::vector<float> Columns(Rows.size());
  for (int B = 0; B < Bands; ++B)
    for (int C = 0; C < Components; ++C)
      Columns[C * Bands + B] = Rows[B * Components + C];
  must(cudaMemcpyToSymbol(ByBand, Rows.data(), sizeof(ByBand)));
  must(cudaMemcpyToSymbol(ByComponent, Columns.data(), sizeof(ByComponent)));
  float *Expected = output<float>(size_t(Components) * Pixels),
        *Out = output<float>(size_t(Components) * Pixels);
  Pair P("constant-walk-rows");
  P.same(Expected, Out, size_t(Components) * Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Pixels / 256, Components), 256>>>(Image, Expected);
    else
      after<<<dim3(Pixels / 256, Components), 256>>>(Image, Out);
}

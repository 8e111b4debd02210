// Rule: cuda-memory-synchronous-staging
// The gradient of a logistic regression of 128 features: a warp takes row after
// row, with the weights and its part of the gradient in registers. The row is
// loaded when its turn comes, or while the one before it is worked on.
#include "Pair.cuh"

constexpr int Rows = 1 << 18, Features = 128, Threads = 256, Grid = 1056;

__device__ inline float errorOf(float4 X, float4 W, float Label) {
  float Dot = X.x * W.x + X.y * W.y + X.z * W.z + X.w * W.w;
  for (int Step = 16; Step > 0; Step /= 2)
    Dot += __shfl_xor_sync(~0u, Dot, Step);
  return 1 / (1 + __expf(-Dot)) - Label;
}

__device__ inline void addScaled(float4 &Sum, float4 X, float Factor) {
  Sum.x += Factor * X.x;
  Sum.y += Factor * X.y;
  Sum.z += Factor * X.z;
  Sum.w += Factor * X.w;
}

__device__ void storeOfBlock(float4 Sum, float *Partial) {
  __shared__ float4 Sums[Threads / 32][Features / 4];
  Sums[threadIdx.x / 32][threadIdx.x % 32] = Sum;
  __syncthreads();
  if (threadIdx.x >= Features)
    return;
  float Total = 0;
  for (int Warp = 0; Warp < Threads / 32; ++Warp)
    Total += ((const float *)Sums[Warp])[threadIdx.x];
  Partial[blockIdx.x * Features + threadIdx.x] = Total / Rows * Grid;
}

__global__ void before(const float4 *__restrict__ Data,
                       const float *__restrict__ Labels,
                       const float4 *__restrict__ Weights,
                       float *__restrict__ Partial) {
  const int Lane = threadIdx.x % 32, Stride = gridDim.x * (Threads / 32);
  const float4 W = Weights[Lane];
  float4 Sum = make_float4(0, 0, 0, 0);
  int Row = blockIdx.x * (Threads / 32) + threadIdx.x / 32;
  for (; Row < Rows; Row += Stride) {
    const float4 X = Data[size_t(Row) * (Features / 4) + Lane];
    addScaled(Sum, X, errorOf(X, W, Labels[Row]));
  }
  storeOfBlock(Sum, Partial);
}

__global__ void after(const float4 *__restrict__ Data,
                      const float *__restrict__ Labels,
                      const float4 *__restrict__ Weights,
                      float *__restrict__ Partial) {
  const int Lane = threadIdx.x % 32, Stride = gridDim.x * (Threads / 32);
  const float4 W = Weights[Lane];
  float4 Sum = make_float4(0, 0, 0, 0);
  int Row = blockIdx.x * (Threads / 32) + threadIdx.x / 32;
  float4 X = Data[size_t(Row) * (Features / 4) + Lane];
  float Label = Labels[Row];
  while (Row < Rows) {
    const int Next = min(Row + Stride, Rows - 1);
    const float4 NextX = Data[size_t(Next) * (Features / 4) + Lane];
    const float NextLabel = Labels[Next];
    addScaled(Sum, X, errorOf(X, W, Label));
    X = NextX;
    Label = NextLabel;
    Row += Stride;
  }
  storeOfBlock(Sum, Partial);
}

int main() {
  const float *Data = input<float>(size_t(Rows) * Features);
  std::vector<float> HostLabels(Rows), HostWeights(Features);
  for (int I = 0; I < Rows; ++I)
    HostLabels[I] = mixed(I) % 3 == 0;
  for (int I = 0; I < Features; ++I)
    HostWeights[I] = (int(mixed(I) % 201) - 100) * 0.002f;
  const float *Labels = onDevice(HostLabels), *Weights = onDevice(HostWeights);
  constexpr size_t Results = size_t(Grid) * Features;
  float *Expected = output<float>(Results), *Out = output<float>(Results);
  Pair P("logistic-rows-fetched-ahead");
  P.same(Expected, Out, Results);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Threads>>>((const float4 *)Data, Labels,
                                (const float4 *)Weights, Expected);
    else
      after<<<Grid, Threads>>>((const float4 *)Data, Labels,
                               (const float4 *)Weights, Out);
}

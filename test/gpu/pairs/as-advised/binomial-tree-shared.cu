// Rule: cuda-memory-block-scratch
// Prices of American puts by a tree of 255 steps, one a block: the values of a
// step are in global memory; as advised, in shared memory without 'Values'.
#include "../Pair.cuh"

constexpr int Options = 2048, Steps = 255;

struct Model {
  float Up, Chance, Discount, Strike;
};

__global__ void before(const float *Spots, Model M, int Steps, float *Values,
                       float *Price) {
  const int T = threadIdx.x;
  float *V = Values + blockIdx.x * blockDim.x;
  float Spot = Spots[blockIdx.x] * 40 + 80;
  Spot *= exp2f(M.Up * (2 * T - Steps));
  V[T] = fmaxf(M.Strike - Spot, 0);
  __syncthreads();
  for (int Left = Steps; Left > 0; --Left) {
    float Value = 0;
    if (T < Left) {
      Spot *= exp2f(M.Up);
      Value = M.Discount * (M.Chance * V[T + 1] + (1 - M.Chance) * V[T]);
      Value = fmaxf(Value, M.Strike - Spot);
    }
    __syncthreads();
    if (T < Left)
      V[T] = Value;
    __syncthreads();
  }
  if (T == 0)
    Price[blockIdx.x] = V[0];
}

__global__ void after(const float *Spots, Model M, int Steps, float *Price) {
  __shared__ float V[256];
  const int T = threadIdx.x;
  float Spot = Spots[blockIdx.x] * 40 + 80;
  Spot *= exp2f(M.Up * (2 * T - Steps));
  V[T] = fmaxf(M.Strike - Spot, 0);
  __syncthreads();
  for (int Left = Steps; Left > 0; --Left) {
    float Value = 0;
    if (T < Left) {
      Spot *= exp2f(M.Up);
      Value = M.Discount * (M.Chance * V[T + 1] + (1 - M.Chance) * V[T]);
      Value = fmaxf(Value, M.Strike - Spot);
    }
    __syncthreads();
    if (T < Left)
      V[T] = Value;
    __syncthreads();
  }
  if (T == 0)
    Price[blockIdx.x] = V[0];
}

int main() {
  const float *Spots = input<float>(Options);
  const Model M = {0.018f, 0.503f, 0.9998f, 100};
  float *Values = output<float>(Options * 256);
  float *Expected = output<float>(Options), *Out = output<float>(Options);
  Pair P("binomial-tree-shared-as-advised");
  P.same(Expected, Out, Options);
  while (P.next())
    if (P.beforesTurn())
      before<<<Options, 256>>>(Spots, M, Steps, Values, Expected);
    else
      after<<<Options, 256>>>(Spots, M, Steps, Out);
}

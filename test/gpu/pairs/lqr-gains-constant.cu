// Rule: cuda-memory-constant-candidate
// State feedback of two million plants with eight states and two inputs: the
// gains, the same for all threads, from global or from constant memory.
#include "Pair.cuh"

constexpr int N = 1 << 21, States = 8, Inputs = 2;

__constant__ float Gains[Inputs * States];

__device__ float limited(float U) { return fminf(fmaxf(U, -3.0f), 3.0f); }

__global__ void before(const float *__restrict__ State,
                       const float *__restrict__ Gain,
                       float *__restrict__ Force) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float U[Inputs] = {};
#pragma unroll
  for (int S = 0; S < States; ++S) {
    const float X = State[S * N + I];
#pragma unroll
    for (int K = 0; K < Inputs; ++K)
      U[K] -= Gain[K * States + S] * X;
  }
#pragma unroll
  for (int K = 0; K < Inputs; ++K)
    Force[K * N + I] = limited(U[K]);
}

__global__ void after(const float *__restrict__ State,
                      float *__restrict__ Force) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float U[Inputs] = {};
#pragma unroll
  for (int S = 0; S < States; ++S) {
    const float X = State[S * N + I];
#pragma unroll
    for (int K = 0; K < Inputs; ++K)
      U[K] -= Gains[K * States + S] * X;
  }
#pragma unroll
  for (int K = 0; K < Inputs; ++K)
    Force[K * N + I] = limited(U[K]);
}

int main() {
  const float *State = input<float>(States * N),
              *Gain = input<float>(Inputs * States);
  must(cudaMemcpyToSymbol(Gains, Gain, sizeof(Gains), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Inputs * N), *Out = output<float>(Inputs * N);
  Pair P("lqr-gains-constant");
  P.same(Expected, Out, Inputs * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(State, Gain, Expected);
    else
      after<<<N / 256, 256>>>(State, Out);
}

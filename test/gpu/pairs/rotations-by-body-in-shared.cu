// Rule: cuda-memory-constant-nonuniform
// Each particle is turned by the matrix of its body: 16 bodies at random are some
// 14 words of constant memory for each of nine numbers, and of shared memory rows
// of nine words, which fall on different banks.
#include "Pair.cuh"

constexpr int N = 1 << 22, Bodies = 16;
__constant__ float Rotations[Bodies * 9];

__device__ void turn(const float *R, const float *In, float *Out, int I) {
  const float X = In[I], Y = In[I + N], Z = In[I + 2 * N];
  Out[I] = R[0] * X + R[1] * Y + R[2] * Z;
  Out[I + N] = R[3] * X + R[4] * Y + R[5] * Z;
  Out[I + 2 * N] = R[6] * X + R[7] * Y + R[8] * Z;
}

__global__ void before(const int *Body, const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  turn(&Rotations[9 * Body[I]], In, Out, I);
}

__global__ void after(const int *Body, const float *In, float *Out) {
  __shared__ float Copy[Bodies * 9];
  if (threadIdx.x < Bodies * 9)
    Copy[threadIdx.x] = Rotations[threadIdx.x];
  __syncthreads();
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  turn(&Copy[9 * Body[I]], In, Out, I);
}

int main() {
  std::vector<float> Numbers(Bodies * 9);
  for (size_t I = 0; I != Numbers.size(); ++I)
    Numbers[I] = float(I % 7) - 3;
  must(cudaMemcpyToSymbol(Rotations, Numbers.data(),
                          Numbers.size() * sizeof(float)));
  const int *Body = input<int>(N, Bodies);
  const float *In = input<float>(3 * N);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("rotations-by-body-in-shared");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Body, In, Expected);
    else
      after<<<N / 256, 256>>>(Body, In, Out);
}

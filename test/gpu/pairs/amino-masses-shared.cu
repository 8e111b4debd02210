// Rule: cuda-memory-missing-reuse
// Masses of peptides of sixteen residues, by a table of 20 masses that stays in
// global memory or is copied to shared memory first.
// Options: --buffer=Residue=random,count=16777216,below=20
#include "Pair.cuh"

constexpr int N = 1 << 20, Long = 16, Kinds = 20;

__global__ void before(const unsigned char *Residue, const float *Mass, int Long,
                       float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 18.01f;
  for (int R = 0; R < Long; ++R)
    Sum += Mass[Residue[R * N + I]];
  Out[I] = Sum;
}

__global__ void after(const unsigned char *Residue, const float *Mass, int Long,
                      float *Out) {
  __shared__ float Near[Kinds];
  if (threadIdx.x < Kinds)
    Near[threadIdx.x] = Mass[threadIdx.x];
  __syncthreads();
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 18.01f;
  for (int R = 0; R < Long; ++R)
    Sum += Near[Residue[R * N + I]];
  Out[I] = Sum;
}

int main() {
  const unsigned char *Residue = input<unsigned char>(N * Long, Kinds);
  const float *Mass = input<float>(Kinds);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("amino-masses-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Residue, Mass, Long, Expected);
    else
      after<<<N / 256, 256>>>(Residue, Mass, Long, Out);
}

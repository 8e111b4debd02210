// Rule: cuda-memory-constant-candidate
// Light from all around falls on points with normals, by 9 harmonics of three
// colours: the 27 numbers are the same for all threads, in global or in
// constant memory.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__constant__ float Constants[27];

__device__ void shade(const float *Normals, const float *L, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = Normals[I], Y = Normals[N + I], Z = Normals[2 * N + I];
  const float Basis[9] = {
      1, Y, Z, X, X * Y, Y * Z, 3 * Z * Z - 1, X * Z, X * X - Y * Y};
  for (int C = 0; C < 3; ++C) {
    float Sum = 0;
    for (int B = 0; B < 9; ++B)
      Sum += L[C * 9 + B] * Basis[B];
    Out[C * N + I] = fmaxf(Sum, 0);
  }
}

__global__ void before(const float *__restrict__ Normals,
                       const float *__restrict__ Light,
                       float *__restrict__ Out) {
  shade(Normals, Light, Out);
}

__global__ void after(const float *__restrict__ Normals,
                      float *__restrict__ Out) {
  shade(Normals, Constants, Out);
}

int main() {
  const float *Normals = input<float>(3 * N), *Light = input<float>(27);
  must(cudaMemcpyToSymbol(Constants, Light, sizeof(Constants), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("harmonic-light-constant");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Normals, Light, Expected);
    else
      after<<<N / 256, 256>>>(Normals, Out);
}

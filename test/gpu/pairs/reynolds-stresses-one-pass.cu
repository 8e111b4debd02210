// Rule: cuda-memory-repeated-pass
// Reynolds stresses of a turbulent flow from 64 snapshots of three velocities
// in half: the means first and the products of deviations in a second pass over
// the snapshots, or sums and products in a single pass.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int N = 1 << 18, Times = 64;

__global__ void before(const __half *__restrict__ U,
                       const __half *__restrict__ V,
                       const __half *__restrict__ W, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float MeanU = 0, MeanV = 0, MeanW = 0;
#pragma unroll 4
  for (int T = 0; T < Times; ++T) {
    MeanU += __half2float(U[T * N + I]);
    MeanV += __half2float(V[T * N + I]);
    MeanW += __half2float(W[T * N + I]);
  }
  MeanU /= Times;
  MeanV /= Times;
  MeanW /= Times;
  float UU = 0, VV = 0, WW = 0, UV = 0, UW = 0, VW = 0;
#pragma unroll 4
  for (int T = 0; T < Times; ++T) {
    const float A = __half2float(U[T * N + I]) - MeanU,
                B = __half2float(V[T * N + I]) - MeanV,
                C = __half2float(W[T * N + I]) - MeanW;
    UU += A * A;
    VV += B * B;
    WW += C * C;
    UV += A * B;
    UW += A * C;
    VW += B * C;
  }
  Out[I] = UU / Times;
  Out[N + I] = VV / Times;
  Out[2 * N + I] = WW / Times;
  Out[3 * N + I] = UV / Times;
  Out[4 * N + I] = UW / Times;
  Out[5 * N + I] = VW / Times;
}

__global__ void after(const __half *__restrict__ U,
                      const __half *__restrict__ V,
                      const __half *__restrict__ W, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float SumU = 0, SumV = 0, SumW = 0;
  float UU = 0, VV = 0, WW = 0, UV = 0, UW = 0, VW = 0;
#pragma unroll 4
  for (int T = 0; T < Times; ++T) {
    const float A = __half2float(U[T * N + I]), B = __half2float(V[T * N + I]),
                C = __half2float(W[T * N + I]);
    SumU += A;
    SumV += B;
    SumW += C;
    UU += A * A;
    VV += B * B;
    WW += C * C;
    UV += A * B;
    UW += A * C;
    VW += B * C;
  }
  Out[I] = (UU - SumU * SumU / Times) / Times;
  Out[N + I] = (VV - SumV * SumV / Times) / Times;
  Out[2 * N + I] = (WW - SumW * SumW / Times) / Times;
  Out[3 * N + I] = (UV - SumU * SumV / Times) / Times;
  Out[4 * N + I] = (UW - SumU * SumW / Times) / Times;
  Out[5 * N + I] = (VW - SumV * SumW / Times) / Times;
}

int main() {
  constexpr size_t Plane = size_t(N) * Times;
  const __half *In = input<__half>(3 * Plane, 64);
  float *Expected = output<float>(6 * N), *Out = output<float>(6 * N);
  Pair P("reynolds-stresses-one-pass");
  P.same(Expected, Out, 6 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, In + Plane, In + 2 * Plane, Expected);
    else
      after<<<N / 256, 256>>>(In, In + Plane, In + 2 * Plane, Out);
}

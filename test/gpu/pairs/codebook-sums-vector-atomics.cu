// Rule: cuda-memory-atomic-contention
// The statistics of a vector quantiser's codebook: sixteen lanes take a vector
// of 64 dimensions, note its squared distance from its code and add it to the
// code's sums. A lane adds its four neighbouring dimensions by four atomics, or
// by a single one on a float4 (sm_90).
// Options: --buffer=Code=random,count=131072,below=1024
#include "Pair.cuh"

constexpr int Dim = 64, Vectors = 1 << 17, Codes = 1024, LanesPerVector = 16;

__device__ float squaredDistance(float4 A, float4 B) {
  const float X = A.x - B.x, Y = A.y - B.y, Z = A.z - B.z, W = A.w - B.w;
  return X * X + Y * Y + Z * Z + W * W;
}

__device__ float sumOfSixteen(float Value) {
#pragma unroll
  for (int Offset = LanesPerVector / 2; Offset > 0; Offset /= 2)
    Value += __shfl_xor_sync(0xffffffff, Value, Offset);
  return Value;
}

__global__ void before(const float4 *__restrict__ Latent,
                       const int *__restrict__ Code,
                       const float4 *__restrict__ Codebook,
                       float *__restrict__ Sums, unsigned *__restrict__ Counts,
                       float *__restrict__ Distance) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Vector = I / LanesPerVector, Part = I % LanesPerVector;
  const int C = Code[Vector];
  const float4 X = Latent[I];
  const float Far =
      sumOfSixteen(squaredDistance(X, Codebook[C * (Dim / 4) + Part]));
  float *Sum = Sums + C * Dim + Part * 4;
  atomicAdd(Sum, X.x);
  atomicAdd(Sum + 1, X.y);
  atomicAdd(Sum + 2, X.z);
  atomicAdd(Sum + 3, X.w);
  if (Part == 0) {
    Distance[Vector] = Far;
    atomicAdd(Counts + C, 1u);
  }
}

__global__ void after(const float4 *__restrict__ Latent,
                      const int *__restrict__ Code,
                      const float4 *__restrict__ Codebook,
                      float4 *__restrict__ Sums, unsigned *__restrict__ Counts,
                      float *__restrict__ Distance) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Vector = I / LanesPerVector, Part = I % LanesPerVector;
  const int C = Code[Vector];
  const float4 X = Latent[I];
  const float Far =
      sumOfSixteen(squaredDistance(X, Codebook[C * (Dim / 4) + Part]));
  atomicAdd(Sums + C * (Dim / 4) + Part, X);
  if (Part == 0) {
    Distance[Vector] = Far;
    atomicAdd(Counts + C, 1u);
  }
}

int main() {
  const float4 *Latent = (const float4 *)input<float>(Vectors * Dim);
  const float4 *Codebook = (const float4 *)input<float>(Codes * Dim);
  const int *Code = input<int>(Vectors, Codes);
  float *SumsA = output<float>(Codes * Dim),
        *SumsB = output<float>(Codes * Dim);
  unsigned *CountsA = output<unsigned>(Codes),
           *CountsB = output<unsigned>(Codes);
  float *Expected = output<float>(Vectors), *Out = output<float>(Vectors);
  constexpr int Grid = Vectors * LanesPerVector / 256;
  Pair P("codebook-sums-vector-atomics");
  P.same(SumsA, SumsB, Codes * Dim);
  P.same(CountsA, CountsB, Codes);
  P.same(Expected, Out, Vectors);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 256>>>(Latent, Code, Codebook, SumsA, CountsA, Expected);
    else
      after<<<Grid, 256>>>(Latent, Code, Codebook, (float4 *)SumsB, CountsB,
                           Out);
}

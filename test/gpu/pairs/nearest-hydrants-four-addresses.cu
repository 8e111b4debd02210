// Rule: cuda-memory-single-result
// The nearest hydrant to each address: a block walks over all hydrants for one
// address, and the next block over all of them again; or for four addresses.
#include "Pair.cuh"

constexpr int Hydrants = 1 << 16, Addresses = 8192, Block = 256;

__device__ float leastOfBlock(float Mine) {
  __shared__ float Least[Block / 32];
  for (int Far = 16; Far > 0; Far /= 2)
    Mine = fminf(Mine, __shfl_xor_sync(0xffffffff, Mine, Far));
  if (threadIdx.x % 32 == 0)
    Least[threadIdx.x / 32] = Mine;
  __syncthreads();
  for (int W = 0; W < Block / 32; ++W)
    Mine = fminf(Mine, Least[W]);
  __syncthreads();
  return Mine;
}

__device__ float apart(float2 A, float2 B) {
  const float X = A.x - B.x, Y = A.y - B.y;
  return X * X + Y * Y;
}

__global__ void before(const float2 *__restrict__ Hydrant,
                       const float2 *__restrict__ Address,
                       float *__restrict__ Distance) {
  const float2 At = Address[blockIdx.x];
  float Least = 1e30f;
  for (int I = threadIdx.x; I < Hydrants; I += Block)
    Least = fminf(Least, apart(Hydrant[I], At));
  Least = leastOfBlock(Least);
  if (threadIdx.x == 0)
    Distance[blockIdx.x] = Least;
}

__global__ void after(const float2 *__restrict__ Hydrant,
                      const float2 *__restrict__ Address,
                      float *__restrict__ Distance) {
  constexpr int Results = 4;
  float2 At[Results];
  float Least[Results];
#pragma unroll
  for (int R = 0; R < Results; ++R) {
    At[R] = Address[blockIdx.x * Results + R];
    Least[R] = 1e30f;
  }
  for (int I = threadIdx.x; I < Hydrants; I += Block) {
    const float2 Its = Hydrant[I];
#pragma unroll
    for (int R = 0; R < Results; ++R)
      Least[R] = fminf(Least[R], apart(Its, At[R]));
  }
#pragma unroll
  for (int R = 0; R < Results; ++R)
    Least[R] = leastOfBlock(Least[R]);
#pragma unroll
  for (int R = 0; R < Results; ++R)
    if (threadIdx.x == R)
      Distance[blockIdx.x * Results + R] = Least[R];
}

int main() {
  const float2 *Hydrant =
                   (const float2 *)input<float>(2 * (Hydrants + Addresses)),
               *Address = Hydrant + Hydrants;
  float *Expected = output<float>(Addresses), *Out = output<float>(Addresses);
  Pair P("nearest-hydrants-four-addresses");
  P.same(Expected, Out, Addresses);
  while (P.next())
    if (P.beforesTurn())
      before<<<Addresses, Block>>>(Hydrant, Address, Expected);
    else
      after<<<Addresses / 4, Block>>>(Hydrant, Address, Out);
}

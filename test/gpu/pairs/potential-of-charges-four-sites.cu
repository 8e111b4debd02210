// Rule: cuda-memory-single-result
// The screened potential at sites among charges: a block adds up what all
// charges do to one site, or to four. Roots and exponentials take longer than
// what is loaded.
#include "Pair.cuh"

constexpr int Charges = 1 << 14, Sites = 4096, Block = 256;

__device__ float sumOfBlock(float Mine) {
  __shared__ float Sums[Block / 32];
  for (int Far = 16; Far > 0; Far /= 2)
    Mine += __shfl_xor_sync(0xffffffff, Mine, Far);
  if (threadIdx.x % 32 == 0)
    Sums[threadIdx.x / 32] = Mine;
  __syncthreads();
  Mine = 0;
  for (int W = 0; W < Block / 32; ++W)
    Mine += Sums[W];
  __syncthreads();
  return Mine;
}

/// \p Charge has its place and what it is.
__device__ float potential(float4 Charge, float4 Site) {
  const float X = Charge.x - Site.x, Y = Charge.y - Site.y,
              Z = Charge.z - Site.z;
  const float Far = X * X + Y * Y + Z * Z + 1e-3f, Inverse = rsqrtf(Far);
  return Charge.w * __expf(-2 * Far * Inverse) * Inverse *
         (1 + __cosf(Far * Inverse));
}

__global__ void before(const float4 *__restrict__ Charge,
                       const float4 *__restrict__ Site,
                       float *__restrict__ Potential) {
  const float4 At = Site[blockIdx.x];
  float Sum = 0;
  for (int I = threadIdx.x; I < Charges; I += Block)
    Sum += potential(Charge[I], At);
  Sum = sumOfBlock(Sum);
  if (threadIdx.x == 0)
    Potential[blockIdx.x] = Sum;
}

__global__ void after(const float4 *__restrict__ Charge,
                      const float4 *__restrict__ Site,
                      float *__restrict__ Potential) {
  constexpr int Results = 4;
  float4 At[Results];
  float Sum[Results] = {};
#pragma unroll
  for (int R = 0; R < Results; ++R)
    At[R] = Site[blockIdx.x * Results + R];
  for (int I = threadIdx.x; I < Charges; I += Block) {
    const float4 Its = Charge[I];
#pragma unroll
    for (int R = 0; R < Results; ++R)
      Sum[R] += potential(Its, At[R]);
  }
#pragma unroll
  for (int R = 0; R < Results; ++R)
    Sum[R] = sumOfBlock(Sum[R]);
#pragma unroll
  for (int R = 0; R < Results; ++R)
    if (threadIdx.x == R)
      Potential[blockIdx.x * Results + R] = Sum[R];
}

int main() {
  const float4 *Charge = (const float4 *)input<float>(4 * Charges),
               *Site = (const float4 *)input<float>(4 * Sites, 1);
  float *Expected = output<float>(Sites), *Out = output<float>(Sites);
  Pair P("potential-of-charges-four-sites");
  P.same(Expected, Out, Sites);
  while (P.next())
    if (P.beforesTurn())
      before<<<Sites, Block>>>(Charge, Site, Expected);
    else
      after<<<Sites / 4, Block>>>(Charge, Site, Out);
}

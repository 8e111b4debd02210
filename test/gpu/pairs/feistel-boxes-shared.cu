// Rule: cuda-memory-constant-nonuniform
// Sixteen rounds of a cipher like DES: eight boxes of 64 words are looked up
// by data, in constant memory or in a block's copy.
#include "Pair.cuh"

constexpr int N = 1 << 18, Words = 8 * 64;

__constant__ uint32_t Boxes[Words];

__device__ uint64_t encrypt(uint64_t Text, const uint32_t *Table,
                            const uint64_t *Keys) {
  uint32_t Left = uint32_t(Text >> 32), Right = uint32_t(Text);
  for (int R = 0; R < 16; ++R) {
    const uint64_t Key = Keys[R];
    const uint32_t Even = Right ^ uint32_t(Key),
                   Odd = __funnelshift_r(Right, Right, 4) ^ uint32_t(Key >> 32);
    uint32_t F = 0;
    for (int B = 0; B < 4; ++B) {
      F ^= Table[B * 128 + (Even >> 8 * B & 63)];
      F ^= Table[B * 128 + 64 + (Odd >> 8 * B & 63)];
    }
    const uint32_t Old = Right;
    Right = Left ^ F;
    Left = Old;
  }
  return uint64_t(Right) << 32 | Left;
}

__global__ void before(const uint64_t *In, const uint64_t *Keys,
                       uint64_t *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = encrypt(In[I], Boxes, Keys);
}

__global__ void after(const uint64_t *In, const uint64_t *Keys, uint64_t *Out) {
  __shared__ uint32_t Copy[Words];
  for (int I = threadIdx.x; I < Words; I += blockDim.x)
    Copy[I] = Boxes[I];
  __syncthreads();
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = encrypt(In[I], Copy, Keys);
}

int main() {
  const uint32_t *Table = input<uint32_t>(Words, ~0u);
  must(cudaMemcpyToSymbol(Boxes, Table, sizeof(Boxes), 0,
                          cudaMemcpyDeviceToDevice));
  const uint64_t *In = input<uint64_t>(N, ~0u), *Keys = In + 77;
  uint64_t *Expected = output<uint64_t>(N), *Out = output<uint64_t>(N);
  Pair P("feistel-boxes-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 512, 512>>>(In, Keys, Expected);
    else
      after<<<N / 512, 512>>>(In, Keys, Out);
}

// Rule: cuda-memory-narrow-access
// Net prices of a table's rows, zero where price or discount is null. As
// advised, a thread handles four neighbouring rows: it loads a uchar4 and a
// float4, stores a float4, and needs one word of each validity bitmap.
#include "../Pair.cuh"

constexpr int Rows = (1 << 23) - 13, Block = 256;
constexpr int Blocks = (Rows + Block - 1) / Block;

__global__ void before(const float *__restrict__ Price,
                       const unsigned char *__restrict__ Percent,
                       const unsigned *__restrict__ PriceValid,
                       const unsigned *__restrict__ PercentValid,
                       float *__restrict__ Net) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Rows)
    return;
  const unsigned Valid = PriceValid[I / 32] & PercentValid[I / 32];
  const float Full = Price[I], Left = 0.01f * (100 - Percent[I]);
  Net[I] = Valid >> I % 32 & 1 ? Full * Left : 0;
}

__device__ float net(float Full, unsigned char Percent, unsigned Valid) {
  const float Left = 0.01f * (100 - Percent);
  return Valid & 1 ? Full * Left : 0;
}

__global__ void after(const float *__restrict__ Price,
                      const unsigned char *__restrict__ Percent,
                      const unsigned *__restrict__ PriceValid,
                      const unsigned *__restrict__ PercentValid,
                      float *__restrict__ Net) {
  const int I = 4 * (blockIdx.x * Block + threadIdx.x);
  if (I >= Rows)
    return;
  const unsigned Valid = (PriceValid[I / 32] & PercentValid[I / 32]) >> I % 32;
  if (I + 3 < Rows) {
    const float4 Full = *reinterpret_cast<const float4 *>(Price + I);
    const uchar4 Four = *reinterpret_cast<const uchar4 *>(Percent + I);
    *reinterpret_cast<float4 *>(Net + I) = make_float4(
        net(Full.x, Four.x, Valid), net(Full.y, Four.y, Valid >> 1),
        net(Full.z, Four.z, Valid >> 2), net(Full.w, Four.w, Valid >> 3));
  } else {
    for (int R = 0; I + R < Rows; ++R)
      Net[I + R] = net(Price[I + R], Percent[I + R], Valid >> R);
  }
}

int main() {
  const float *Price = input<float>(Rows);
  const unsigned char *Percent = input<unsigned char>(Rows, 70);
  const unsigned *PriceValid = input<unsigned>(Rows / 32 + 1, 0xffffffff),
                 *PercentValid = input<unsigned>(Rows / 32 + 1, 0xfffffff);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("validity-word-by-shuffle-as-advised");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Block>>>(Price, Percent, PriceValid, PercentValid,
                                Expected);
    else
      after<<<(Blocks + 3) / 4, Block>>>(Price, Percent, PriceValid,
                                         PercentValid, Out);
}

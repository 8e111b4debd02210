// Rule: cuda-memory-single-result
// Coupon bonds on paths of a short rate (Vasicek's model): 40 discount factors
// A exp(-B r) a path, with A and B of each date from a table. As advised, a
// thread takes four paths, a block's width apart, for each entry that it loads.
#include "../Pair.cuh"

constexpr int Paths = 1 << 21, Dates = 40, Block = 256, Each = 4;

__global__ void before(const float *__restrict__ Rate,
                       const float2 *__restrict__ Table,
                       float *__restrict__ Price, float *__restrict__ Slope,
                       int DateCount, float Coupon) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float R = Rate[I] * 0.1f;
  float Sum = 0, Weighted = 0, Discount = 1;
  for (int D = 0; D < DateCount; ++D) {
    const float2 F = Table[D];
    Discount = F.x * __expf(-F.y * R);
    Sum += Coupon * Discount;
    Weighted += Coupon * Discount * F.y;
  }
  Price[I] = Sum + Discount;
  Slope[I] = Weighted;
}

__global__ void after(const float *__restrict__ Rate,
                      const float2 *__restrict__ Table,
                      float *__restrict__ Price, float *__restrict__ Slope,
                      int DateCount, float Coupon) {
  const int I = blockIdx.x * Block * Each + threadIdx.x;
  float R[Each], Sum[Each], Weighted[Each], Discount[Each];
#pragma unroll
  for (int N = 0; N < Each; ++N) {
    R[N] = Rate[I + N * Block] * 0.1f;
    Sum[N] = Weighted[N] = 0;
    Discount[N] = 1;
  }
  for (int D = 0; D < DateCount; ++D) {
    const float2 F = Table[D];
#pragma unroll
    for (int N = 0; N < Each; ++N) {
      Discount[N] = F.x * __expf(-F.y * R[N]);
      Sum[N] += Coupon * Discount[N];
      Weighted[N] += Coupon * Discount[N] * F.y;
    }
  }
#pragma unroll
  for (int N = 0; N < Each; ++N) {
    Price[I + N * Block] = Sum[N] + Discount[N];
    Slope[I + N * Block] = Weighted[N];
  }
}

int main() {
  std::vector<float2> Host(Dates);
  for (int D = 0; D < Dates; ++D) {
    const float Years = 0.5f * (D + 1), Pull = 0.2f;
    const float B = (1 - std::exp(-Pull * Years)) / Pull;
    Host[D] = {std::exp(0.03f * (B - Years)), B};
  }
  const float2 *Table = onDevice(Host);
  const float *Rate = input<float>(Paths);
  float *Expected = output<float>(2 * Paths), *Out = output<float>(2 * Paths);
  Pair P("bond-prices-tenors-constant-as-advised");
  P.same(Expected, Out, 2 * Paths);
  while (P.next())
    if (P.beforesTurn())
      before<<<Paths / Block, Block>>>(Rate, Table, Expected, Expected + Paths,
                                       Dates, 0.025f);
    else
      after<<<Paths / (Block * Each), Block>>>(Rate, Table, Out, Out + Paths,
                                               Dates, 0.025f);
}

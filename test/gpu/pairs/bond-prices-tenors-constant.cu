// Rule: cuda-memory-constant-candidate
// Coupon bonds on paths of a short rate (Vasicek's model): 40 discount factors
// A exp(-B r) a path, with A and B of each date read through a pointer or from
// constant memory. "Small tables that all threads read alike belong in constant
// memory" (CUDA best practices guide); exponentials take their time too.
#include "Pair.cuh"

constexpr int Paths = 1 << 21, Dates = 40, Block = 256;

__constant__ float2 Factors[Dates];

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

__global__ void after(const float *__restrict__ Rate, float *__restrict__ Price,
                      float *__restrict__ Slope, int DateCount, float Coupon) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float R = Rate[I] * 0.1f;
  float Sum = 0, Weighted = 0, Discount = 1;
  for (int D = 0; D < DateCount; ++D) {
    const float2 F = Factors[D];
    Discount = F.x * __expf(-F.y * R);
    Sum += Coupon * Discount;
    Weighted += Coupon * Discount * F.y;
  }
  Price[I] = Sum + Discount;
  Slope[I] = Weighted;
}

int main() {
  std::vector<float2> Host(Dates);
  for (int D = 0; D < Dates; ++D) {
    const float Years = 0.5f * (D + 1), Pull = 0.2f;
    const float B = (1 - std::exp(-Pull * Years)) / Pull;
    Host[D] = {std::exp(0.03f * (B - Years)), B};
  }
  must(cudaMemcpyToSymbol(Factors, Host.data(), sizeof(Factors)));
  const float2 *Table = onDevice(Host);
  const float *Rate = input<float>(Paths);
  float *Expected = output<float>(2 * Paths), *Out = output<float>(2 * Paths);
  Pair P("bond-prices-tenors-constant");
  P.same(Expected, Out, 2 * Paths);
  while (P.next())
    if (P.beforesTurn())
      before<<<Paths / Block, Block>>>(Rate, Table, Expected, Expected + Paths,
                                       Dates, 0.025f);
    else
      after<<<Paths / Block, Block>>>(Rate, Out, Out + Paths, Dates, 0.025f);
}

// Rule: ?
// Revenue of the discounted orders of one year, out of line items that lie in
// order of their shipping date: all four columns are read and the predicate is
// free of branches, or the other three are read where the date fits.
// Options: --buffer=ShipDate=sorted,count=8388608,below=2526
#include "Pair.cuh"

constexpr int N = 1 << 23, Blocks = 528, FirstDay = 731, LastDay = 1096;

__device__ void addUp(float Sum, float *Revenue) {
  __shared__ float Sums[8];
  for (int Half = 16; Half; Half /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Half);
  if (threadIdx.x % 32 == 0)
    Sums[threadIdx.x / 32] = Sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int Warp = 1; Warp < 8; ++Warp)
      Sum += Sums[Warp];
    Revenue[blockIdx.x] = Sum;
  }
}

__global__ void before(const int *__restrict__ ShipDate,
                       const float *__restrict__ Price,
                       const float *__restrict__ Discount,
                       const float *__restrict__ Quantity, float *Revenue) {
  float Sum = 0;
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256) {
    const int Day = ShipDate[I];
    const float Cut = Discount[I], Items = Quantity[I];
    const bool Wanted = (Day >= FirstDay) & (Day < LastDay) & (Cut >= 0.2f) &
                        (Cut < 0.7f) & (Items < 0.48f);
    Sum += Price[I] * Cut * float(Wanted);
  }
  addUp(Sum, Revenue);
}

__global__ void after(const int *__restrict__ ShipDate,
                      const float *__restrict__ Price,
                      const float *__restrict__ Discount,
                      const float *__restrict__ Quantity, float *Revenue) {
  float Sum = 0;
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256) {
    const int Day = ShipDate[I];
    if (Day < FirstDay || Day >= LastDay)
      continue;
    const float Cut = Discount[I], Items = Quantity[I];
    const bool Wanted = (Cut >= 0.2f) & (Cut < 0.7f) & (Items < 0.48f);
    Sum += Price[I] * Cut * float(Wanted);
  }
  addUp(Sum, Revenue);
}

int main() {
  std::vector<int> Dates = onHost(input<int>(N, 2526), N);
  std::sort(Dates.begin(), Dates.end());
  const int *ShipDate = onDevice(Dates);
  const float *Columns = input<float>(size_t(3) * N);
  float *Expected = output<float>(Blocks), *Out = output<float>(Blocks);
  Pair P("lineitems-dates-asked-first");
  P.same(Expected, Out, Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(ShipDate, Columns, Columns + N, Columns + 2 * N,
                              Expected);
    else
      after<<<Blocks, 256>>>(ShipDate, Columns, Columns + N, Columns + 2 * N,
                             Out);
}

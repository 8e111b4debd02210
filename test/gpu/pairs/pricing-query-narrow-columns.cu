// Rule: cuda-memory-narrow-access
// A forecast of revenue over the line items of a shop (filters by date,
// discount and quantity, then a sum), its columns of decimals as 64-bit
// integers or each in the narrowest type that holds it.
#include "Pair.cuh"

constexpr int Rows = 6001215, Blocks = 1056, Threads = 256;
constexpr int From = 730, To = 1095;

__device__ void storeBlockSum(long long Sum, long long *Out) {
  __shared__ long long Warps[Threads / 32];
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Step);
  if (threadIdx.x % 32 == 0)
    Warps[threadIdx.x / 32] = Sum;
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  for (int I = 1; I < Threads / 32; ++I)
    Sum += Warps[I];
  Out[blockIdx.x] = Sum;
}

__global__ void before(const int *__restrict__ Date,
                       const long long *__restrict__ Discount,
                       const long long *__restrict__ Quantity,
                       const long long *__restrict__ Price, long long *Out) {
  long long Sum = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Rows;
       I += Blocks * Threads)
    if (Date[I] >= From && Date[I] < To && Discount[I] >= 5 &&
        Discount[I] <= 7 && Quantity[I] < 24)
      Sum += Price[I] * Discount[I];
  storeBlockSum(Sum, Out);
}

__global__ void after(const short *__restrict__ Date,
                      const signed char *__restrict__ Discount,
                      const signed char *__restrict__ Quantity,
                      const int *__restrict__ Price, long long *Out) {
  long long Sum = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Rows;
       I += Blocks * Threads)
    if (Date[I] >= From && Date[I] < To && Discount[I] >= 5 &&
        Discount[I] <= 7 && Quantity[I] < 24)
      Sum += (long long)Price[I] * Discount[I];
  storeBlockSum(Sum, Out);
}

template <class To, class From> const To *narrowed(const From *Wide) {
  const std::vector<From> Old = onHost(Wide, Rows);
  return onDevice(std::vector<To>(Old.begin(), Old.end()));
}

int main() {
  const int *Date = input<int>(Rows, 2557);
  const long long *Discount = input<long long>(Rows, 11),
                  *Quantity = input<long long>(Rows, 51),
                  *Price = input<long long>(Rows, 10495000);
  const short *Date16 = narrowed<short>(Date);
  const signed char *Discount8 = narrowed<signed char>(Discount),
                    *Quantity8 = narrowed<signed char>(Quantity);
  const int *Price32 = narrowed<int>(Price);
  long long *Expected = output<long long>(Blocks),
            *Out = output<long long>(Blocks);
  Pair P("pricing-query-narrow-columns");
  P.same(Expected, Out, Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Date, Discount, Quantity, Price, Expected);
    else
      after<<<Blocks, Threads>>>(Date16, Discount8, Quantity8, Price32, Out);
}

// Rule: cuda-memory-missing-reuse
// Range lookups in a sorted column: lower bounds by bisection of 4M keys. The
// first ten steps go to the column itself, or to a sample of every 4096th key
// that each block copies to shared memory.
#include "Pair.cuh"

constexpr int Keys = 1 << 22, Samples = 1024, Stride = Keys / Samples;
constexpr int Queries = 1 << 20;

/// How many keys of the column are less.
__device__ inline int lowerBound(const uint32_t *Column, int Low, int Count,
                                 uint32_t Wanted) {
  while (Count > 0) {
    const int Half = Count / 2;
    if (Column[Low + Half] < Wanted) {
      Low += Half + 1;
      Count -= Half + 1;
    } else {
      Count = Half;
    }
  }
  return Low;
}

__global__ void before(const uint32_t *__restrict__ Column,
                       const uint32_t *__restrict__ Query,
                       int *__restrict__ Result) {
  const int Q = blockIdx.x * blockDim.x + threadIdx.x;
  if (Q < Queries)
    Result[Q] = lowerBound(Column, 0, Keys, Query[Q]);
}

__global__ void after(const uint32_t *__restrict__ Column,
                      const uint32_t *__restrict__ Sample,
                      const uint32_t *__restrict__ Query,
                      int *__restrict__ Result) {
  __shared__ uint32_t Upper[Samples];
  for (int I = threadIdx.x; I < Samples; I += blockDim.x)
    Upper[I] = Sample[I];
  __syncthreads();
  const int Q = blockIdx.x * blockDim.x + threadIdx.x;
  if (Q >= Queries)
    return;
  const uint32_t Wanted = Query[Q];
  // Upper[I] is the first key of stretch I.
  const int Less = lowerBound(Upper, 0, Samples, Wanted);
  if (Less == 0) {
    Result[Q] = 0;
    return;
  }
  const int First = (Less - 1) * Stride;
  Result[Q] = lowerBound(Column, First + 1, Stride - 1, Wanted);
}

int main() {
  std::vector<uint32_t> Column(Keys), Sample(Samples);
  for (int I = 0; I < Keys; ++I)
    Column[I] = uint32_t(I) * 1000u + mixed(I) % 1000u;
  for (int I = 0; I < Samples; ++I)
    Sample[I] = Column[I * Stride];
  const uint32_t *DeviceColumn = onDevice(Column),
                 *DeviceSample = onDevice(Sample);
  const uint32_t *Query = input<uint32_t>(Queries, 4194304000u);
  int *Expected = output<int>(Queries), *Out = output<int>(Queries);
  Pair P("sorted-index-upper-steps-shared");
  P.same(Expected, Out, Queries);
  while (P.next())
    if (P.beforesTurn())
      before<<<Queries / 256, 256>>>(DeviceColumn, Query, Expected);
    else
      after<<<Queries / 256, 256>>>(DeviceColumn, DeviceSample, Query, Out);
}

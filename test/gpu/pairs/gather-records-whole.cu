// Rule: cuda-memory-gather
// Of a record of eight floats that lies anywhere all members are wanted: from
// eight arrays, or from one of records.
#include "Pair.cuh"

constexpr int N = 1 << 20, Table = 1 << 22;

struct alignas(16) Record {
  float Of[8];
};

// Options: --buffer=Index=random,count=1048576,below=4194304
__global__ void before(const int *Index, const float *Members, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int From = Index[I];
  float Sum = 0;
#pragma unroll
  for (int M = 0; M < 8; ++M)
    Sum += Members[M * Table + From];
  Out[I] = Sum;
}

__global__ void after(const int *Index, const Record *Records, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Record From = Records[Index[I]];
  float Sum = 0;
#pragma unroll
  for (int M = 0; M < 8; ++M)
    Sum += From.Of[M];
  Out[I] = Sum;
}

int main() {
  const int *Index = input<int>(N, Table);
  const float *Members = input<float>(size_t(Table) * 8);
  const float *Records =
      arranged(Members, size_t(Table) * 8, size_t(Table) * 8,
               [](size_t I) { return I % 8 * Table + I / 8; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("gather-records-whole");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Index, Members, Expected);
    else
      after<<<N / 256, 256>>>(Index, reinterpret_cast<const Record *>(Records),
                              Out);
}

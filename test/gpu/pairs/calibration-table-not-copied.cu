// Rule: cuda-memory-needless-staging
// A detector's counts become energies by a table of 4096 floats. A block copies
// all of it into shared memory for 256 look-ups, or reads what it needs.
// Options: --buffer=Count=random,count=2097152,below=4096
#include "Pair.cuh"

constexpr int N = 1 << 21, Entries = 4096;

__global__ void before(const unsigned short *Count, const float *Table,
                       float *Energy) {
  __shared__ float Mine[Entries];
  for (int E = threadIdx.x; E < Entries; E += 256)
    Mine[E] = Table[E];
  __syncthreads();
  const int I = blockIdx.x * 256 + threadIdx.x;
  Energy[I] = Mine[Count[I]];
}

__global__ void after(const unsigned short *Count, const float *Table,
                      float *Energy) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  Energy[I] = Table[Count[I]];
}

int main() {
  const unsigned short *Count = input<unsigned short>(N, Entries);
  const float *Table = input<float>(Entries);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("calibration-table-not-copied");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Count, Table, Expected);
    else
      after<<<N / 256, 256>>>(Count, Table, Out);
}

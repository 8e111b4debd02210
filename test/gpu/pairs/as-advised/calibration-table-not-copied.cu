// Rule: cuda-memory-narrow-access
// A detector's counts become energies by a table of 4096 floats, which a block
// copies into shared memory; as advised, each thread handles two neighbouring
// counts as one ushort2, and half as many blocks are launched.
// Options: --buffer=Count=random,count=2097152,below=4096
#include "../Pair.cuh"

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

__global__ void after(const ushort2 *Count, const float *Table,
                      float2 *Energy) {
  __shared__ float Mine[Entries];
  for (int E = threadIdx.x; E < Entries; E += 256)
    Mine[E] = Table[E];
  __syncthreads();
  const int I = blockIdx.x * 256 + threadIdx.x;
  const ushort2 Two = Count[I];
  Energy[I] = make_float2(Mine[Two.x], Mine[Two.y]);
}

int main() {
  const unsigned short *Count = input<unsigned short>(N, Entries);
  const float *Table = input<float>(Entries);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("calibration-table-not-copied-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Count, Table, Expected);
    else
      after<<<N / 512, 256>>>((const ushort2 *)Count, Table, (float2 *)Out);
}

// Rule: cuda-memory-atomic-contention
// "select shop, sum(cents), count(*) group by shop": rows of a table are added
// to 2048 groups, some much larger than others, by atomics on global memory, or
// on a table of the block in shared memory that is added up in the end. The
// privatisation of histograms (NVIDIA blog), here of two words a group.
#include "Pair.cuh"

constexpr int RowCount = 1 << 23, Shops = 2048, Blocks = 264, Block = 512;

__global__ void before(const unsigned short *__restrict__ Shop,
                       const unsigned *__restrict__ Cents, unsigned *Sums,
                       unsigned *Counts, int Rows) {
  for (int I = blockIdx.x * Block + threadIdx.x; I < Rows;
       I += gridDim.x * Block) {
    const int Group = Shop[I];
    atomicAdd(&Sums[Group], Cents[I]);
    atomicAdd(&Counts[Group], 1u);
  }
}

__global__ void after(const unsigned short *__restrict__ Shop,
                      const unsigned *__restrict__ Cents, unsigned *Sums,
                      unsigned *Counts, int Rows) {
  __shared__ unsigned NearSums[Shops], NearCounts[Shops];
  for (int G = threadIdx.x; G < Shops; G += Block)
    NearSums[G] = NearCounts[G] = 0;
  __syncthreads();
  for (int I = blockIdx.x * Block + threadIdx.x; I < Rows;
       I += gridDim.x * Block) {
    const int Group = Shop[I];
    atomicAdd(&NearSums[Group], Cents[I]);
    atomicAdd(&NearCounts[Group], 1u);
  }
  __syncthreads();
  for (int G = threadIdx.x; G < Shops; G += Block)
    if (NearCounts[G]) {
      atomicAdd(&Sums[G], NearSums[G]);
      atomicAdd(&Counts[G], NearCounts[G]);
    }
}

int main() {
  std::vector<unsigned short> Host(RowCount);
  for (size_t I = 0; I < RowCount; ++I) {
    const double Noise = mixed(I + 99) / 4294967296.0;
    Host[I] = static_cast<unsigned short>(Shops * Noise * Noise);
  }
  const unsigned short *Shop = onDevice(Host);
  const unsigned *Cents = input<unsigned>(RowCount, 5000);
  unsigned *Expected = output<unsigned>(2 * Shops),
           *Out = output<unsigned>(2 * Shops);
  Pair P("sales-by-shop-shared-table");
  P.same(Expected, Out, 2 * Shops);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Block>>>(Shop, Cents, Expected, Expected + Shops,
                                RowCount);
    else
      after<<<Blocks, Block>>>(Shop, Cents, Out, Out + Shops, RowCount);
}

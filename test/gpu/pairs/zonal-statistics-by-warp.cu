// Rule: cuda-memory-atomic-contention
// Sums and counts of a satellite image's pixels per parcel of land. Where all
// lanes of a warp lie in one parcel, as they mostly do, the remedy adds them up
// in the warp first and lets one lane do the atomics.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2048, N = Width * Height;
constexpr int ParcelsAcross = 32, Parcels = ParcelsAcross * (Height / 56 + 1);

__global__ void before(const unsigned short *__restrict__ Index,
                       const int *__restrict__ Parcel, unsigned *Sums,
                       unsigned *Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Here = Parcel[I];
  const unsigned Value = Index[I];
  if (Value == 0) // Clouds.
    return;
  atomicAdd(&Sums[Here], Value);
  atomicAdd(&Counts[Here], 1u);
}

__global__ void after(const unsigned short *__restrict__ Index,
                      const int *__restrict__ Parcel, unsigned *Sums,
                      unsigned *Counts) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Here = Parcel[I];
  const unsigned Value = Index[I];
  const int First = __shfl_sync(~0u, Here, 0);
  if (__all_sync(~0u, Here == First)) {
    const unsigned Sum = __reduce_add_sync(~0u, Value);
    const unsigned Count = __popc(__ballot_sync(~0u, Value != 0));
    if (threadIdx.x % 32 == 0 && Count > 0) {
      atomicAdd(&Sums[Here], Sum);
      atomicAdd(&Counts[Here], Count);
    }
  } else if (Value != 0) {
    atomicAdd(&Sums[Here], Value);
    atomicAdd(&Counts[Here], 1u);
  }
}

int main() {
  std::vector<int> Labels(N);
  for (int I = 0; I < N; ++I) {
    const int X = I % Width, Y = I / Width;
    // Fields of 56 rows, with slanting borders, of 150 or more columns.
    Labels[I] = Y / 56 * ParcelsAcross + (X + Y % 56 / 2) / (150 + Y / 56);
  }
  const unsigned short *Index = input<unsigned short>(N, 1000);
  const int *Parcel = onDevice(Labels);
  unsigned *Expected = output<unsigned>(2 * Parcels),
           *Out = output<unsigned>(2 * Parcels);
  Pair P("zonal-statistics-by-warp");
  P.same(Expected, Out, 2 * Parcels);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Index, Parcel, Expected, Expected + Parcels);
    else
      after<<<N / 256, 256>>>(Index, Parcel, Out, Out + Parcels);
}

// Rule: cuda-memory-constant-candidate
// Counts of a satellite image with eight bands to radiances: gain and offset of
// the band are read from global or from constant memory.
#include "Pair.cuh"

constexpr int Width = 2040, Height = 2040, Bands = 8;

struct Calibration {
  float Gain, Offset;
};

__constant__ Calibration OfBand[Bands];

__device__ size_t pixel(int X, int Y, int Band) {
  return (size_t(Band) * Height + Y) * Width + X;
}

__global__ void before(const unsigned short *__restrict__ Counts,
                       const Calibration *__restrict__ Table,
                       float *__restrict__ Radiance) {
  const int X = blockIdx.x * 64 + threadIdx.x;
  const int Y = blockIdx.y * 4 + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const Calibration C = Table[blockIdx.z];
  const size_t At = pixel(X, Y, blockIdx.z);
  Radiance[At] = C.Gain * Counts[At] + C.Offset;
}

__global__ void after(const unsigned short *__restrict__ Counts,
                      float *__restrict__ Radiance) {
  const int X = blockIdx.x * 64 + threadIdx.x;
  const int Y = blockIdx.y * 4 + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const Calibration C = OfBand[blockIdx.z];
  const size_t At = pixel(X, Y, blockIdx.z);
  Radiance[At] = C.Gain * Counts[At] + C.Offset;
}

int main() {
  constexpr size_t N = size_t(Width) * Height * Bands;
  const unsigned short *Counts = input<unsigned short>(N, 4096);
  const float *Table = input<float>(2 * Bands);
  must(cudaMemcpyToSymbol(OfBand, Table, sizeof(OfBand), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("band-gains-constant");
  P.same(Expected, Out, N);
  const dim3 Grid((Width + 63) / 64, (Height + 3) / 4, Bands), Block(64, 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Counts, (const Calibration *)Table, Expected);
    else
      after<<<Grid, Block>>>(Counts, Out);
}

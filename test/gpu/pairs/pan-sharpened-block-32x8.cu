// Rule: cuda-memory-block-shape
// Four coarse bands of a satellite image sharpened by a panchromatic band of
// four times their resolution: blocks of 32x32 threads, or of 32x8, of which
// more fit on a multiprocessor and end apart.
#include "Pair.cuh"

constexpr int Coarse = 1011, Fine = 4 * Coarse;

__device__ ushort4 sharpened(const unsigned short *__restrict__ Bands,
                             float Sharp, int At) {
  const float Blue = Bands[At], Green = Bands[Coarse * Coarse + At],
              Red = Bands[2 * Coarse * Coarse + At],
              Infrared = Bands[3 * Coarse * Coarse + At];
  const float By = 4 * Sharp / fmaxf(Blue + Green + Red + Infrared, 1);
  return make_ushort4(fminf(Blue * By, 65535), fminf(Green * By, 65535),
                      fminf(Red * By, 65535), fminf(Infrared * By, 65535));
}

__global__ void before(const unsigned short *__restrict__ Bands,
                       const unsigned short *__restrict__ Panchromatic,
                       ushort4 *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 32 + threadIdx.y;
  if (X < Fine && Y < Fine)
    Out[Y * Fine + X] = sharpened(Bands, Panchromatic[Y * Fine + X],
                                  Y / 4 * Coarse + X / 4);
}

__global__ void after(const unsigned short *__restrict__ Bands,
                      const unsigned short *__restrict__ Panchromatic,
                      ushort4 *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  if (X < Fine && Y < Fine)
    Out[Y * Fine + X] = sharpened(Bands, Panchromatic[Y * Fine + X],
                                  Y / 4 * Coarse + X / 4);
}

int main() {
  const unsigned short *Bands =
                           input<unsigned short>(4 * Coarse * Coarse, 4096),
                       *Panchromatic = input<unsigned short>(Fine * Fine, 4096);
  unsigned short *Expected = output<unsigned short>(4 * Fine * Fine),
                 *Out = output<unsigned short>(4 * Fine * Fine);
  Pair P("pan-sharpened-block-32x8");
  P.same(Expected, Out, 4 * Fine * Fine);
  constexpr int Columns = (Fine + 31) / 32;
  const dim3 BeforeGrid(Columns, (Fine + 31) / 32), BeforeBlock(32, 32);
  const dim3 AfterGrid(Columns, (Fine + 7) / 8), AfterBlock(32, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<BeforeGrid, BeforeBlock>>>(Bands, Panchromatic,
                                          (ushort4 *)Expected);
    else
      after<<<AfterGrid, AfterBlock>>>(Bands, Panchromatic, (ushort4 *)Out);
}

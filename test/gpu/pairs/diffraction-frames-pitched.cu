// Rule: cuda-memory-uncoalesced-access
// Strong pixels of eight X-ray diffraction frames of 1030 x 1065 counts: those
// that rise above the mean of their 5 x 5 neighbours by more than its spread
// allows; rows follow one another or are padded to whole cache lines.
#include "Pair.cuh"

constexpr int Width = 1030, Height = 1065, Frames = 8, Pitch = 1088;
constexpr int N = Frames * Height * Width;

template <int Stride>
__device__ void mark(const unsigned short *__restrict__ Counts,
                     unsigned char *__restrict__ Strong) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x,
            Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const int Row = blockIdx.z * Height + Y, I = Row * Stride + X;
  bool Stands = false;
  if (X >= 2 && X < Width - 2 && Y >= 2 && Y < Height - 2) {
    float Sum = 0, Squares = 0;
#pragma unroll
    for (int V = -2; V <= 2; ++V)
#pragma unroll
      for (int U = -2; U <= 2; ++U) {
        const float Count = Counts[I + V * Stride + U];
        Sum += Count;
        Squares += Count * Count;
      }
    const float Rise = 25 * Counts[I] - Sum;
    Stands = Rise > 0 && Rise * Rise > 2.25f * (25 * Squares - Sum * Sum);
  }
  Strong[Row * Width + X] = Stands;
}

__global__ void before(const unsigned short *__restrict__ Counts,
                       unsigned char *__restrict__ Strong) {
  mark<Width>(Counts, Strong);
}

__global__ void after(const unsigned short *__restrict__ Counts,
                      unsigned char *__restrict__ Strong) {
  mark<Pitch>(Counts, Strong);
}

int main() {
  const unsigned short *Counts = input<unsigned short>(N, 100);
  const unsigned short *Padded =
      arranged(Counts, N, size_t(Frames) * Height * Pitch, [](size_t I) {
        return I / Pitch * Width + std::min(I % Pitch, size_t(Width - 1));
      });
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("diffraction-frames-pitched");
  P.same(Expected, Out, N);
  const dim3 Grid((Width + 31) / 32, (Height + 7) / 8, Frames), Block(32, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Counts, Expected);
    else
      after<<<Grid, Block>>>(Padded, Out);
}

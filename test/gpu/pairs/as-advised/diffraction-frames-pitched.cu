// Rule: cuda-memory-single-result
// Strong pixels of eight X-ray diffraction frames of 1030 x 1065 counts. As
// advised, a thread makes four results in a row along x, loads each row of
// their window as four ushort2, and keeps these in registers for all four.
#include "../Pair.cuh"

constexpr int Width = 1030, Height = 1065, Frames = 8;
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
  const int X = 4 * (blockIdx.x * blockDim.x + threadIdx.x),
            Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const int Row = blockIdx.z * Height + Y, I = Row * Width + X;
  bool Stands[4] = {};
  // The last thread of a row has but its last two pixels, which never stand.
  if (X < Width - 2 && Y >= 2 && Y < Height - 2) {
    float Sum[4] = {}, Squares[4] = {}, Middle[4];
#pragma unroll
    for (int V = -2; V <= 2; ++V) {
      // Rows begin at multiples of 2 counts, not of 4.
      float Count[8];
#pragma unroll
      for (int U = 0; U < 8; U += 2) {
        ushort2 Two = make_ushort2(0, 0);
        // Only the first two pixels of a row, which never stand, lack these.
        if (U > 0 || X > 0)
          Two = *reinterpret_cast<const ushort2 *>(Counts + I + V * Width + U -
                                                   2);
        Count[U] = Two.x;
        Count[U + 1] = Two.y;
      }
#pragma unroll
      for (int R = 0; R < 4; ++R) {
#pragma unroll
        for (int U = 0; U < 5; ++U) {
          Sum[R] += Count[R + U];
          Squares[R] += Count[R + U] * Count[R + U];
        }
        if (V == 0)
          Middle[R] = Count[R + 2];
      }
    }
#pragma unroll
    for (int R = 0; R < 4; ++R) {
      const float Rise = 25 * Middle[R] - Sum[R];
      Stands[R] = X + R >= 2 && Rise > 0 &&
                  Rise * Rise > 2.25f * (25 * Squares[R] - Sum[R] * Sum[R]);
    }
  }
  uchar2 *To = reinterpret_cast<uchar2 *>(Strong + I);
  To[0] = make_uchar2(Stands[0], Stands[1]);
  if (X + 2 < Width)
    To[1] = make_uchar2(Stands[2], Stands[3]);
}

int main() {
  const unsigned short *Counts = input<unsigned short>(N, 100);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("diffraction-frames-pitched-as-advised");
  P.same(Expected, Out, N);
  const dim3 Grid((Width + 31) / 32, (Height + 7) / 8, Frames),
      Quarter((Width + 127) / 128, (Height + 7) / 8, Frames), Block(32, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Counts, Expected);
    else
      after<<<Quarter, Block>>>(Counts, Out);
}

// Rule: cuda-memory-missing-reuse
// The median of 3x3 pixels of a byte each, by a network of comparisons: the
// nine pixels come from global memory or from a tile in shared memory.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 4096, Pitch = Width + 64, BX = 32, BY = 8;

#define SORT(A, B)                                                             \
  {                                                                            \
    const int Less = min(P[A], P[B]);                                          \
    P[B] = max(P[A], P[B]);                                                    \
    P[A] = Less;                                                               \
  }

__device__ __forceinline__ int median(int (&P)[9]) {
  SORT(1, 2)
  SORT(4, 5) SORT(7, 8) SORT(0, 1) SORT(3, 4) SORT(6, 7) SORT(1, 2) SORT(4, 5)
      SORT(7, 8) SORT(0, 3) SORT(5, 8) SORT(4, 7) SORT(3, 6) SORT(1, 4)
          SORT(2, 5) SORT(4, 7) SORT(4, 2) SORT(6, 4) SORT(4, 2) return P[4];
}

__global__ void before(const unsigned char *__restrict__ In,
                       unsigned char *__restrict__ Out) {
  const int X = blockIdx.x * BX + threadIdx.x;
  const int Y = blockIdx.y * BY + threadIdx.y;
  int Pixels[9];
#pragma unroll
  for (int K = 0; K < 9; ++K)
    Pixels[K] = In[(Y + K / 3) * Pitch + X + K % 3];
  Out[Y * Width + X] = median(Pixels);
}

__global__ void after(const unsigned char *__restrict__ In,
                      unsigned char *__restrict__ Out) {
  __shared__ unsigned char Tile[BY + 2][BX + 2];
  const int FirstX = blockIdx.x * BX, FirstY = blockIdx.y * BY;
  for (int I = threadIdx.y * BX + threadIdx.x; I < (BX + 2) * (BY + 2);
       I += BX * BY)
    Tile[I / (BX + 2)][I % (BX + 2)] =
        In[(FirstY + I / (BX + 2)) * Pitch + FirstX + I % (BX + 2)];
  __syncthreads();
  int Pixels[9];
#pragma unroll
  for (int K = 0; K < 9; ++K)
    Pixels[K] = Tile[threadIdx.y + K / 3][threadIdx.x + K % 3];
  Out[(FirstY + threadIdx.y) * Width + FirstX + threadIdx.x] = median(Pixels);
}

int main() {
  const unsigned char *In = input<unsigned char>(Pitch * (Height + 2), 256);
  unsigned char *Expected = output<unsigned char>(Width * Height),
                *Out = output<unsigned char>(Width * Height);
  const dim3 Grid(Width / BX, Height / BY), Block(BX, BY);
  Pair P("median-3x3-tile");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Expected);
    else
      after<<<Grid, Block>>>(In, Out);
}

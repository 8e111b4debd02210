// Rule: ?
// The inverse of the 5/3 wavelet along columns of 64 rows, a thread for each
// column: even rows are written first and read again for the odd ones, or one
// sweep has the last even value and the last detail in registers.
#include "Pair.cuh"

constexpr int Width = 8192, Bands = 16, Rows = 64, Half = Rows / 2;

__global__ void before(const int *In, int *Out) {
  const int X = blockIdx.x * 128 + threadIdx.x;
  const int *Low = In + blockIdx.y * Rows * Width + X;
  const int *High = Low + Half * Width;
  int *To = Out + blockIdx.y * Rows * Width + X;
  for (int I = 0; I < Half; ++I) {
    const int Above = High[max(I - 1, 0) * Width], Here = High[I * Width];
    To[2 * I * Width] = Low[I * Width] - ((Above + Here + 2) >> 2);
  }
  for (int I = 0; I < Half; ++I) {
    const int Even = To[2 * I * Width];
    const int Next = To[2 * min(I + 1, Half - 1) * Width];
    To[(2 * I + 1) * Width] = High[I * Width] + ((Even + Next) >> 1);
  }
}

__global__ void after(const int *In, int *Out) {
  const int X = blockIdx.x * 128 + threadIdx.x;
  const int *Low = In + blockIdx.y * Rows * Width + X;
  const int *High = Low + Half * Width;
  int *To = Out + blockIdx.y * Rows * Width + X;
  int Detail = High[0];
  int Even = Low[0] - ((Detail + Detail + 2) >> 2);
  To[0] = Even;
  for (int I = 1; I < Half; ++I) {
    const int Here = High[I * Width];
    const int Next = Low[I * Width] - ((Detail + Here + 2) >> 2);
    To[(2 * I - 1) * Width] = Detail + ((Even + Next) >> 1);
    To[2 * I * Width] = Next;
    Detail = Here;
    Even = Next;
  }
  To[(Rows - 1) * Width] = Detail + Even;
}

int main() {
  constexpr int N = Width * Bands * Rows;
  const int *In = input<int>(N, 1000);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("wavelet-lifting-one-sweep");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 128, Bands), 128>>>(In, Expected);
    else
      after<<<dim3(Width / 128, Bands), 128>>>(In, Out);
}

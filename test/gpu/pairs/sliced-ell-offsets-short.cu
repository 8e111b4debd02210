// Rule: cuda-memory-narrow-access
// A sparse matrix in slices of 32 rows (SELL) times a vector, as after a
// renumbering that keeps columns near the diagonal: columns are stored as int,
// or as the short that they differ from the row by.
#include "Pair.cuh"

constexpr int N = 1 << 20, Slices = N / 32;

__global__ void before(const int *__restrict__ Start,
                       const int *__restrict__ Column,
                       const float *__restrict__ Value,
                       const float *__restrict__ X, float *__restrict__ Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  const int End = Start[Row / 32 + 1];
  float Sum = 0;
  for (int K = Start[Row / 32] + Row % 32; K < End; K += 32)
    Sum += Value[K] * X[Column[K]];
  Y[Row] = Sum;
}

__global__ void after(const int *__restrict__ Start,
                      const short *__restrict__ Offset,
                      const float *__restrict__ Value,
                      const float *__restrict__ X, float *__restrict__ Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  const int End = Start[Row / 32 + 1];
  float Sum = 0;
  for (int K = Start[Row / 32] + Row % 32; K < End; K += 32)
    Sum += Value[K] * X[Row + Offset[K]];
  Y[Row] = Sum;
}

int main() {
  std::vector<int> Starts(Slices + 1), Columns;
  std::vector<short> Offsets;
  for (int S = 0; S < Slices; ++S) {
    const int Width = 9 + mixed(S) % 13;
    for (int K = 0; K < Width; ++K)
      for (int Row = S * 32; Row < S * 32 + 32; ++Row) {
        const int Near = Row + (K - Width / 2) * 211 +
                         int(mixed(Columns.size()) % 4);
        Columns.push_back(std::clamp(Near, 0, N - 1));
        Offsets.push_back(short(Columns.back() - Row));
      }
    Starts[S + 1] = int(Columns.size());
  }
  const int *Start = onDevice(Starts), *Column = onDevice(Columns);
  const short *Offset = onDevice(Offsets);
  const float *Value = input<float>(Columns.size()), *X = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("sliced-ell-offsets-short");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Start, Column, Value, X, Expected);
    else
      after<<<N / 256, 256>>>(Start, Offset, Value, X, Out);
}

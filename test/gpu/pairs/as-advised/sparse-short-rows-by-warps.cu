// Rule: cuda-memory-gather
// Sums over the rows of a graph's matrix with some four values a row: columns
// are numbered at random, or, as advised, a row's indices are sorted and X is
// renumbered in the order in which warps come to want its elements.
// Options: --buffer=Start=sorted,count=1048577,below=4194304
// Options: --buffer=Column=random,count=4194304,below=1048576
#include "../Pair.cuh"

constexpr int Rows = 1 << 20, Values = 4 * Rows;

__global__ void before(const int *Start, const int *Column, const float *X,
                       float *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int I = Start[Row]; I < Start[Row + 1]; ++I)
    Sum += X[Column[I]];
  Y[Row] = Sum;
}

__global__ void after(const int *Start, const int *Column, const float *X,
                      float *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int I = Start[Row]; I < Start[Row + 1]; ++I)
    Sum += X[Column[I]];
  Y[Row] = Sum;
}

/// New numbers of the columns: those that lanes of a warp want at a time, and
/// nobody wanted before, follow each other.
std::vector<int> numbers(const std::vector<int> &Starts,
                         const std::vector<int> &Columns) {
  std::vector<int> New(Rows, -1);
  int Next = 0;
  for (int Warp = 0; Warp < Rows; Warp += 32) {
    bool Busy = true;
    for (int Turn = 0; Busy; ++Turn) {
      Busy = false;
      for (int Row = Warp; Row < Warp + 32; ++Row) {
        if (Starts[Row] + Turn >= Starts[Row + 1])
          continue;
        Busy = true;
        int &Number = New[Columns[Starts[Row] + Turn]];
        if (Number < 0)
          Number = Next++;
      }
    }
  }
  for (int &Number : New)
    if (Number < 0)
      Number = Next++;
  return New;
}

int main() {
  std::vector<int> Starts = onHost(input<int>(Rows + 1, Values), Rows + 1);
  std::sort(Starts.begin(), Starts.end());
  const int *Start = onDevice(Starts), *Column = input<int>(Values, Rows);
  const float *X = input<float>(Rows);
  std::vector<int> Columns = onHost(Column, Values);
  std::vector<int> New = numbers(Starts, Columns);
  // What nobody wanted before comes first in a row, so that it is wanted by
  // many lanes at a time.
  for (int Row = 0; Row < Rows; ++Row)
    std::sort(Columns.begin() + Starts[Row], Columns.begin() + Starts[Row + 1],
              [&](int A, int B) { return New[A] > New[B]; });
  New = numbers(Starts, Columns);
  std::vector<int> Old(Rows);
  for (int C = 0; C < Rows; ++C)
    Old[New[C]] = C;
  for (int &C : Columns)
    C = New[C];
  const int *Renumbered = onDevice(Columns);
  const float *Moved =
      arranged(X, Rows, Rows, [&](size_t I) { return Old[I]; });
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("sparse-short-rows-by-warps-as-advised");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 256, 256>>>(Start, Column, X, Expected);
    else
      after<<<Rows / 256, 256>>>(Start, Renumbered, Moved, Out);
}

// Rule: cuda-memory-gather
// Contacts between bins of a genome, balanced by the biases of both bins: the
// numbers of 32768 bins are kept as int or as unsigned short.
#include "Pair.cuh"

constexpr int Bins = 1 << 15, PerRow = 250, N = Bins * PerRow;

__global__ void before(const int *__restrict__ Row,
                       const int *__restrict__ Column,
                       const float *__restrict__ Count,
                       const float *__restrict__ Bias,
                       float *__restrict__ Balanced) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  Balanced[I] = Count[I] * Bias[Row[I]] * Bias[Column[I]];
}

__global__ void after(const unsigned short *__restrict__ Row,
                      const unsigned short *__restrict__ Column,
                      const float *__restrict__ Count,
                      const float *__restrict__ Bias,
                      float *__restrict__ Balanced) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  Balanced[I] = Count[I] * Bias[Row[I]] * Bias[Column[I]];
}

int main() {
  // Sorted by row; most contacts are near the diagonal.
  std::vector<int> Rows(N), Columns(N);
  for (int I = 0; I < N; ++I) {
    Rows[I] = I / PerRow;
    const unsigned Noise = mixed(I), Reach = Noise % 8 ? 256 : 4096;
    Columns[I] = std::min<int>(Rows[I] + (Noise >> 8) % Reach, Bins - 1);
  }
  const std::vector<unsigned short> ShortRows(Rows.begin(), Rows.end()),
      ShortColumns(Columns.begin(), Columns.end());
  const int *Row = onDevice(Rows), *Column = onDevice(Columns);
  const unsigned short *ShortRow = onDevice(ShortRows),
                       *ShortColumn = onDevice(ShortColumns);
  const float *Count = input<float>(N), *Bias = input<float>(Bins);
  float *Expected = output<float>(N), *Out = output<float>(N);
  constexpr int Grid = (N + 255) / 256;
  Pair P("hi-c-bins-16-bit");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 256>>>(Row, Column, Count, Bias, Expected);
    else
      after<<<Grid, 256>>>(ShortRow, ShortColumn, Count, Bias, Out);
}

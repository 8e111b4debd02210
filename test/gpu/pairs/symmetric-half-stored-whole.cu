// Rule: cuda-memory-atomic-contention
// Residuals of a symmetric matrix of sixteen random entries a row beside the
// diagonal: half of the entries are stored and each is also applied to its
// mirror's row by an atomic, or all are stored and each row sums its own.
// Options: --buffer=HalfColumn=random,count=8388608,below=1048576
// Options: --buffer=WholeColumn=random,count=16777216,below=1048576
#include "Pair.cuh"
#include <numeric>
#include <random>

constexpr int N = 1 << 20, Half = 8;

__global__ void before(const int *__restrict__ HalfColumn,
                       const float *__restrict__ Entry,
                       const float *__restrict__ Diagonal,
                       const float *__restrict__ Right,
                       const float *__restrict__ X, float *__restrict__ Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Mine = X[I];
  float Sum = Right[I] - (Diagonal[I] + 4.0f) * Mine;
#pragma unroll
  for (int E = 0; E < Half; ++E) {
    const int J = HalfColumn[E * N + I];
    const float A = Entry[E * N + I];
    Sum += A * X[J];
    atomicAdd(&Y[J], A * Mine);
  }
  atomicAdd(&Y[I], Sum);
}

__global__ void after(const int *__restrict__ WholeColumn,
                      const float *__restrict__ Entry,
                      const float *__restrict__ Diagonal,
                      const float *__restrict__ Right,
                      const float *__restrict__ X, float *__restrict__ Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = Right[I] - (Diagonal[I] + 4.0f) * X[I];
#pragma unroll
  for (int E = 0; E < 2 * Half; ++E)
    Sum += Entry[E * N + I] * X[WholeColumn[E * N + I]];
  Y[I] = Sum;
}

int main() {
  // Each of eight permutations says a column for each row, its inverse the
  // mirror's.
  std::vector<int> Columns(2 * Half * N), Row(N);
  std::vector<float> Entries = onHost(input<float>(Half * N), Half * N);
  Entries.resize(2 * Half * N);
  std::mt19937 Chance(1);
  for (int E = 0; E < Half; ++E) {
    std::iota(Row.begin(), Row.end(), 0);
    std::shuffle(Row.begin(), Row.end(), Chance);
    for (int I = 0; I < N; ++I) {
      Columns[E * N + I] = Row[I];
      Columns[(Half + E) * N + Row[I]] = I;
      Entries[(Half + E) * N + Row[I]] = Entries[E * N + I];
    }
  }
  const int *Column = onDevice(Columns);
  const float *Entry = onDevice(Entries), *Diagonal = input<float>(N),
              *Right = input<float>(N), *X = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("symmetric-half-stored-whole");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Column, Entry, Diagonal, Right, X, Expected);
    else
      after<<<N / 256, 256>>>(Column, Entry, Diagonal, Right, X, Out);
}

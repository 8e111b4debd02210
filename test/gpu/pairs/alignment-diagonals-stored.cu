// Rule: cuda-memory-uncoalesced-access
// Local alignment of pairs of sequences of 256 letters, a block each and a
// row a thread. The scores are kept row by row, or diagonal by diagonal as
// the block goes along them; two that have 256 cells together share a row.
#include "Pair.cuh"

constexpr int Pairs = 264, Length = 256, Diagonals = 2 * Length - 1;

template <class F>
__device__ void align(const uint8_t *A, const uint8_t *B, F Keep) {
  __shared__ int Last[2][Length];
  __shared__ uint8_t Letters[Length];
  const int Row = threadIdx.x;
  const uint8_t Mine = A[blockIdx.x * Length + Row];
  Letters[Row] = B[blockIdx.x * Length + Row];
  __syncthreads();
  int Left = 0, Corner = 0;
  for (int D = 0; D < Diagonals; ++D) {
    const int Column = D - Row;
    if (Column >= 0 && Column < Length) {
      const int Up = Row > 0 ? Last[(D + 1) % 2][Row - 1] : 0;
      const int Match = Corner + (Mine == Letters[Column] ? 3 : -2);
      Left = max(max(0, Match), max(Up, Left) - 1);
      Corner = Up;
      Last[D % 2][Row] = Left;
      Keep(Row, Column, D, int16_t(Left));
    }
    __syncthreads();
  }
}

__global__ void before(const uint8_t *A, const uint8_t *B, int16_t *Scores) {
  align(A, B, [&](int Row, int Column, int, int16_t Score) {
    Scores[(blockIdx.x * Length + Row) * Length + Column] = Score;
  });
}

__global__ void after(const uint8_t *A, const uint8_t *B, int16_t *Scores) {
  align(A, B, [&](int Row, int, int D, int16_t Score) {
    Scores[(blockIdx.x * Length + D % Length) * Length + Row] = Score;
  });
}

int main() {
  const uint8_t *A = input<uint8_t>(Pairs * Length, 4),
                *B = input<uint8_t>(Pairs * Length + 7, 4) + 7;
  constexpr size_t Count = size_t(Pairs) * Length * Length;
  int16_t *Expected = output<int16_t>(Count), *Out = output<int16_t>(Count);
  Pair P("alignment-diagonals-stored");
  P.same(Expected, Out, Count, [](size_t I) {
    const size_t Pair = I / Length / Length, Row = I / Length % Length;
    return (Pair * Length + (Row + I % Length) % Length) * Length + Row;
  });
  while (P.next())
    if (P.beforesTurn())
      before<<<Pairs, Length>>>(A, B, Expected);
    else
      after<<<Pairs, Length>>>(A, B, Out);
}

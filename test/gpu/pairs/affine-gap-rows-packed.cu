// Rule: ?
// Local alignment of pairs of short sequences with affine gaps, a thread for a
// pair: the row of scores and the row of open gaps in two arrays of int, or
// both scores of a letter in one short2.
#include "Pair.cuh"

constexpr int Pairs = 65536, QueryLength = 40, TargetLength = 56;
constexpr int Match = 2, Mismatch = -3, Open = 5, Extend = 1;

__global__ void before(const unsigned char *__restrict__ Query,
                       const unsigned char *__restrict__ Target,
                       int *__restrict__ RowOfScores,
                       int *__restrict__ RowOfGaps, int *__restrict__ Best) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int Q = 0; Q < QueryLength; ++Q)
    RowOfScores[Q * Pairs + I] = RowOfGaps[Q * Pairs + I] = 0;
  int Highest = 0;
  for (int T = 0; T < TargetLength; ++T) {
    const int Letter = Target[T * Pairs + I];
    int Diagonal = 0, Left = 0, GapInTarget = 0;
    for (int Q = 0; Q < QueryLength; ++Q) {
      const int Up = RowOfScores[Q * Pairs + I];
      const int GapInQuery =
          max(RowOfGaps[Q * Pairs + I] - Extend, Up - Open);
      GapInTarget = max(GapInTarget - Extend, Left - Open);
      const bool Equal = Query[Q * Pairs + I] == Letter;
      const int Score = max(max(Diagonal + (Equal ? Match : Mismatch), 0),
                            max(GapInQuery, GapInTarget));
      RowOfScores[Q * Pairs + I] = Score;
      RowOfGaps[Q * Pairs + I] = GapInQuery;
      Highest = max(Highest, Score);
      Diagonal = Up;
      Left = Score;
    }
  }
  Best[I] = Highest;
}

__global__ void after(const unsigned char *__restrict__ Query,
                      const unsigned char *__restrict__ Target,
                      short2 *__restrict__ Row, int *__restrict__ Best) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int Q = 0; Q < QueryLength; ++Q)
    Row[Q * Pairs + I] = make_short2(0, 0);
  int Highest = 0;
  for (int T = 0; T < TargetLength; ++T) {
    const int Letter = Target[T * Pairs + I];
    int Diagonal = 0, Left = 0, GapInTarget = 0;
    for (int Q = 0; Q < QueryLength; ++Q) {
      const short2 Above = Row[Q * Pairs + I];
      const int Up = Above.x;
      const int GapInQuery = max(Above.y - Extend, Up - Open);
      GapInTarget = max(GapInTarget - Extend, Left - Open);
      const bool Equal = Query[Q * Pairs + I] == Letter;
      const int Score = max(max(Diagonal + (Equal ? Match : Mismatch), 0),
                            max(GapInQuery, GapInTarget));
      Row[Q * Pairs + I] = make_short2(Score, GapInQuery);
      Highest = max(Highest, Score);
      Diagonal = Up;
      Left = Score;
    }
  }
  Best[I] = Highest;
}

int main() {
  const unsigned char *Query = input<unsigned char>(QueryLength * Pairs, 4),
                      *Target =
                          input<unsigned char>(TargetLength * Pairs + 128, 4) +
                          128;
  int *Scores = output<int>(QueryLength * Pairs),
      *Gaps = output<int>(QueryLength * Pairs);
  short2 *Row = (short2 *)output<int>(QueryLength * Pairs);
  int *Expected = output<int>(Pairs), *Out = output<int>(Pairs);
  Pair P("affine-gap-rows-packed");
  P.same(Expected, Out, Pairs);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pairs / 128, 128>>>(Query, Target, Scores, Gaps, Expected);
    else
      after<<<Pairs / 128, 128>>>(Query, Target, Row, Out);
}

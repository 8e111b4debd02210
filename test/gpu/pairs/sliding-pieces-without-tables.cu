// Rule: ?
// Mobility of two rooks and two bishops, or queens, on each of a million chess
// boards: what a piece attacks along a line is looked up by the six inner bits
// of the line in tables of 32 KB each, or worked out by subtraction of the
// piece's bit from those of the line, as they are and reversed.
// Options: --buffer=Board=random,count=4194304,below=2147483647
// Options: --buffer=Squares=random,count=1048576,below=2147483647
#include "Pair.cuh"

constexpr int N = 1 << 20, Entries = 64 * 64;

enum Line { Rank, File, Diagonal, Other };

// The line through a square.
__device__ uint64_t lineOf(Line Kind, int Square) {
  const int Up = Square & 56, Right = Square & 7;
  if (Kind == Rank)
    return uint64_t(255) << Up;
  if (Kind == File)
    return uint64_t(0x0101010101010101) << Right;
  const int D = (Kind == Diagonal ? 8 * Right : 56 - 8 * Right) - Up;
  const uint64_t Long =
      Kind == Diagonal ? 0x8040201008040201 : 0x0102040810204080;
  return D > 0 ? Long >> D : Long << -D;
}

// Occupied squares: about a quarter of all.
__device__ uint64_t occupied(const unsigned *Board, int I) {
  return uint64_t(Board[I] & Board[N + I]) << 32 |
         (Board[2 * N + I] & Board[3 * N + I]);
}

__device__ uint64_t lookedUp(const uint64_t *Table, Line Kind, int Square,
                             uint64_t Occupied) {
  uint64_t Bits = Occupied & lineOf(Kind, Square);
  if (Kind == Rank)
    Bits >>= Square & 56;
  else if (Kind == File)
    Bits = (Bits >> (Square & 7)) * 0x0102040810204080 >> 56;
  else
    Bits = Bits * 0x0101010101010101 >> 56;
  return Table[Kind * Entries + Square * 64 + int(Bits >> 1 & 63)];
}

__device__ uint64_t workedOut(Line Kind, int Square, uint64_t Occupied) {
  const uint64_t Piece = uint64_t(1) << Square;
  const uint64_t Mask = lineOf(Kind, Square) & ~Piece;
  const uint64_t Bits = Occupied & Mask;
  const uint64_t Back = __brevll(__brevll(Bits) - __brevll(Piece));
  return ((Bits - Piece) ^ Back) & Mask;
}

__device__ unsigned valued(uint64_t Attacked, uint64_t Occupied) {
  return 256 * __popcll(Attacked & ~Occupied) + __popcll(Attacked & Occupied);
}

__global__ void before(const unsigned *__restrict__ Board,
                       const unsigned *__restrict__ Squares,
                       const uint64_t *__restrict__ Table,
                       unsigned *__restrict__ Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint64_t Occupied = occupied(Board, I);
  const unsigned Places = Squares[I];
  unsigned Sum = 0;
#pragma unroll
  for (int Piece = 0; Piece < 4; ++Piece) {
    const int At = Places >> 6 * Piece & 63;
    const Line One = Piece < 2 ? Rank : Diagonal;
    const Line Two = Piece < 2 ? File : Other;
    Sum += valued(lookedUp(Table, One, At, Occupied) |
                      lookedUp(Table, Two, At, Occupied),
                  Occupied);
  }
  Value[I] = Sum;
}

__global__ void after(const unsigned *__restrict__ Board,
                      const unsigned *__restrict__ Squares,
                      unsigned *__restrict__ Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint64_t Occupied = occupied(Board, I);
  const unsigned Places = Squares[I];
  unsigned Sum = 0;
#pragma unroll
  for (int Piece = 0; Piece < 4; ++Piece) {
    const int At = Places >> 6 * Piece & 63;
    const Line One = Piece < 2 ? Rank : Diagonal;
    const Line Two = Piece < 2 ? File : Other;
    Sum += valued(workedOut(One, At, Occupied) | workedOut(Two, At, Occupied),
                  Occupied);
  }
  Value[I] = Sum;
}

// Walks both ways from a square until an occupied one.
uint64_t walked(int Kind, int Square, int Inner) {
  const int StepX[] = {1, 0, 1, 1}, StepY[] = {0, 1, 1, -1};
  uint64_t Attacked = 0;
  for (int Way : {-1, 1})
    for (int K = 1; K < 8; ++K) {
      const int X = Square % 8 + Way * K * StepX[Kind];
      const int Y = Square / 8 + Way * K * StepY[Kind];
      if (X < 0 || Y < 0 || X > 7 || Y > 7)
        break;
      Attacked |= uint64_t(1) << (8 * Y + X);
      if (2 * Inner >> (Kind == File ? Y : X) & 1)
        break;
    }
  return Attacked;
}

int main() {
  std::vector<uint64_t> Attacks(4 * Entries);
  for (int I = 0; I < 4 * Entries; ++I)
    Attacks[I] = walked(I / Entries, I / 64 % 64, I % 64);
  const uint64_t *Table = onDevice(Attacks);
  const unsigned *Board = input<unsigned>(4 * N, 2147483647),
                 *Squares = input<unsigned>(N, 2147483647);
  unsigned *Expected = output<unsigned>(N), *Out = output<unsigned>(N);
  Pair P("sliding-pieces-without-tables");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Board, Squares, Table, Expected);
    else
      after<<<N / 256, 256>>>(Board, Squares, Out);
}

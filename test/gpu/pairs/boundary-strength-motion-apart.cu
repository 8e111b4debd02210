// Rule: cuda-memory-uncoalesced-access
// Deblocking strengths of the left and upper edges of the 4x4 units of an 8K
// frame, from motion and state, which lie in records of 32 bytes that hold all
// that the encoder knows, or in two arrays of their own (structure of arrays).
#include "Pair.cuh"

constexpr int Width = 1920, Height = 1080, N = Width * Height;

struct Unit {
  short2 Motion, Predicted;
  uchar4 State; // Reference, intra, coded, quantiser.
  int Cost, Bits, Mode, Parent;
  float Lambda;
};

__device__ int strength(short2 MotionP, uchar4 StateP, short2 MotionQ,
                        uchar4 StateQ) {
  if (StateP.y | StateQ.y)
    return 3;
  if (StateP.z | StateQ.z)
    return 2;
  return StateP.x != StateQ.x || abs(MotionP.x - MotionQ.x) >= 4 ||
         abs(MotionP.y - MotionQ.y) >= 4;
}

__global__ void before(const Unit *__restrict__ Units,
                       unsigned char *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const int I = Y * Width + X;
  const short2 Motion = Units[I].Motion;
  const uchar4 State = Units[I].State;
  int Left = 0, Top = 0;
  if (X > 0)
    Left = strength(Units[I - 1].Motion, Units[I - 1].State, Motion, State);
  if (Y > 0)
    Top = strength(Units[I - Width].Motion, Units[I - Width].State, Motion,
                   State);
  Out[I] = Left | Top << 4;
}

__global__ void after(const short2 *__restrict__ Motions,
                      const uchar4 *__restrict__ States,
                      unsigned char *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const int I = Y * Width + X;
  const short2 Motion = Motions[I];
  const uchar4 State = States[I];
  int Left = 0, Top = 0;
  if (X > 0)
    Left = strength(Motions[I - 1], States[I - 1], Motion, State);
  if (Y > 0)
    Top = strength(Motions[I - Width], States[I - Width], Motion, State);
  Out[I] = Left | Top << 4;
}

int main() {
  std::vector<Unit> Records(N);
  std::vector<short2> Motions(N);
  std::vector<uchar4> States(N);
  for (int I = 0; I < N; ++I) {
    const uint32_t R = mixed(I);
    Unit &U = Records[I];
    U = Unit{};
    U.Motion.x = R % 6;
    U.Motion.y = R / 8 % 6;
    U.State.x = R / 64 % 8 == 0;
    U.State.y = R / 512 % 16 == 0;
    U.State.z = R / 8192 % 4 == 0;
    U.State.w = 26;
    Motions[I] = U.Motion;
    States[I] = U.State;
  }
  const Unit *Units = onDevice(Records);
  const short2 *Motion = onDevice(Motions);
  const uchar4 *State = onDevice(States);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("boundary-strength-motion-apart");
  P.same(Expected, Out, N);
  const dim3 Grid(Width / 32, Height / 8), Block(32, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Units, Expected);
    else
      after<<<Grid, Block>>>(Motion, State, Out);
}

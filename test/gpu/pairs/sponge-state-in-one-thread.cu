// Rule: cuda-memory-idle-lanes
// SHA3-256 of many messages of one block (17 words, padded already). A warp
// takes a message, 25 of its lanes hold a word of the state each and exchange
// them in shared memory, or a thread holds all 25 words in registers.
#include "Pair.cuh"

constexpr int Messages = 1 << 17, Rate = 17, Words = 25, Digest = 4;
constexpr int Rounds = 24, Warps = 8, Block = 128;

__constant__ uint64_t RoundConstant[Rounds] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a,
    0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a,
    0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081,
    0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

__device__ int rotationOf(int Word) {
  static const int Offset[Words] = {0,  1,  62, 28, 27, 36, 44, 6,  55,
                                    20, 3,  10, 43, 25, 39, 41, 45, 15,
                                    21, 8,  18, 2,  61, 56, 14};
  return Offset[Word];
}

__device__ uint64_t rotated(uint64_t Value, int By) {
  return Value << By | Value >> ((64 - By) & 63);
}

__global__ void before(const uint64_t *__restrict__ Text,
                       uint64_t *__restrict__ Hash) {
  __shared__ uint64_t State[Warps][Words], Parity[Warps][5];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  const int Message = blockIdx.x * Warps + Warp;
  const bool Works = Lane < Words;
  const int X = Lane % 5, Y = Lane / 5, Row = Y * 5;
  const int Left = (X + 4) % 5, Right = (X + 1) % 5, Second = (X + 2) % 5;
  const int Target = Y + 5 * ((2 * X + 3 * Y) % 5);
  const int Rotation = Works ? rotationOf(Lane) : 0;
  uint64_t A = Lane < Rate ? Text[Message * Rate + Lane] : 0;
  for (int R = 0; R < Rounds; ++R) {
    if (Works)
      State[Warp][Lane] = A;
    __syncwarp();
    if (Lane < 5)
      Parity[Warp][Lane] = A ^ State[Warp][Lane + 5] ^ State[Warp][Lane + 10] ^
                           State[Warp][Lane + 15] ^ State[Warp][Lane + 20];
    __syncwarp();
    if (Works) {
      A ^= Parity[Warp][Left] ^ rotated(Parity[Warp][Right], 1);
      State[Warp][Target] = rotated(A, Rotation);
    }
    __syncwarp();
    if (Works)
      A = State[Warp][Row + X] ^
          (~State[Warp][Row + Right] & State[Warp][Row + Second]);
    if (Lane == 0)
      A ^= RoundConstant[R];
    __syncwarp();
  }
  if (Lane < Digest)
    Hash[Message * Digest + Lane] = A;
}

__global__ void after(const uint64_t *__restrict__ Text,
                      uint64_t *__restrict__ Hash) {
  const int Message = blockIdx.x * Block + threadIdx.x;
  uint64_t A[Words];
#pragma unroll
  for (int I = 0; I < Words; ++I)
    A[I] = I < Rate ? Text[Message * Rate + I] : 0;
#pragma unroll 1
  for (int R = 0; R < Rounds; ++R) {
    uint64_t C[5], B[Words];
#pragma unroll
    for (int X = 0; X < 5; ++X)
      C[X] = A[X] ^ A[X + 5] ^ A[X + 10] ^ A[X + 15] ^ A[X + 20];
#pragma unroll
    for (int I = 0; I < Words; ++I) {
      const int X = I % 5, Y = I / 5;
      const uint64_t D = C[(X + 4) % 5] ^ rotated(C[(X + 1) % 5], 1);
      B[Y + 5 * ((2 * X + 3 * Y) % 5)] = rotated(A[I] ^ D, rotationOf(I));
    }
#pragma unroll
    for (int I = 0; I < Words; ++I) {
      const int X = I % 5, Row = I - X;
      A[I] = B[I] ^ (~B[Row + (X + 1) % 5] & B[Row + (X + 2) % 5]);
    }
    A[0] ^= RoundConstant[R];
  }
#pragma unroll
  for (int I = 0; I < Digest; ++I)
    Hash[Message * Digest + I] = A[I];
}

int main() {
  const uint64_t *Text = (const uint64_t *)input<uint32_t>(
      size_t(2) * Messages * Rate, 0xffffffffu);
  uint64_t *Expected = output<uint64_t>(Messages * Digest),
           *Out = output<uint64_t>(Messages * Digest);
  Pair P("sponge-state-in-one-thread");
  P.same((const uint32_t *)Expected, (const uint32_t *)Out,
         size_t(2) * Messages * Digest);
  while (P.next())
    if (P.beforesTurn())
      before<<<Messages / Warps, Warps * 32>>>(Text, Expected);
    else
      after<<<Messages / Block, Block>>>(Text, Out);
}

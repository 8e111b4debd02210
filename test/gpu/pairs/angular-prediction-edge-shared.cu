// Rule: cuda-memory-local-array
// Angular intra prediction of the 8x8 blocks of an 8K frame, a thread per
// block. The remedy keeps the 18 samples of the upper edge, which the angle
// indexes, in shared memory, a column a thread, instead of in a local array.
#include "Pair.cuh"

constexpr int Width = 7680, Height = 4320, Across = Width / 8, Edges = 18;
constexpr int Block = 96, N = Width * Height;

/// Sample \p I of the row above the block, of which the first is its corner.
__device__ int above(const unsigned char *Frame, int X, int Y, int I) {
  return Frame[max(Y - 1, 0) * Width + min(max(X - 1 + I, 0), Width - 1)];
}

__device__ unsigned between(int Left, int Right, int Part) {
  return ((32 - Part) * Left + Part * Right + 16) >> 5;
}

__global__ void before(const unsigned char *__restrict__ Frame,
                       const unsigned char *__restrict__ Angles,
                       unsigned char *__restrict__ Out) {
  const int X = (blockIdx.x * Block + threadIdx.x) * 8, Y = blockIdx.y * 8;
  const int Angle = Angles[Y / 8 * Across + X / 8];
  int Edge[Edges];
  for (int I = 0; I < Edges; ++I)
    Edge[I] = above(Frame, X, Y, I);
  for (int R = 0; R < 8; ++R) {
    const int Go = (R + 1) * Angle, At = (Go >> 5) + 1, Part = Go & 31;
    uint2 Row = make_uint2(0, 0);
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      Row.x |= between(Edge[At + I], Edge[At + I + 1], Part) << 8 * I;
      Row.y |= between(Edge[At + I + 4], Edge[At + I + 5], Part) << 8 * I;
    }
    *(uint2 *)(Out + (Y + R) * Width + X) = Row;
  }
}

__global__ void after(const unsigned char *__restrict__ Frame,
                      const unsigned char *__restrict__ Angles,
                      unsigned char *__restrict__ Out) {
  __shared__ int Edge[Edges][Block];
  const int T = threadIdx.x;
  const int X = (blockIdx.x * Block + T) * 8, Y = blockIdx.y * 8;
  const int Angle = Angles[Y / 8 * Across + X / 8];
  for (int I = 0; I < Edges; ++I)
    Edge[I][T] = above(Frame, X, Y, I);
  for (int R = 0; R < 8; ++R) {
    const int Go = (R + 1) * Angle, At = (Go >> 5) + 1, Part = Go & 31;
    uint2 Row = make_uint2(0, 0);
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      Row.x |= between(Edge[At + I][T], Edge[At + I + 1][T], Part) << 8 * I;
      Row.y |= between(Edge[At + I + 4][T], Edge[At + I + 5][T], Part)
               << 8 * I;
    }
    *(uint2 *)(Out + (Y + R) * Width + X) = Row;
  }
}

int main() {
  const unsigned char *Frame = input<unsigned char>(N, 256),
                      *Angles = input<unsigned char>(N / 64, 33);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("angular-prediction-edge-shared");
  P.same(Expected, Out, N);
  const dim3 Grid(Across / Block, Height / 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Frame, Angles, Expected);
    else
      after<<<Grid, Block>>>(Frame, Angles, Out);
}

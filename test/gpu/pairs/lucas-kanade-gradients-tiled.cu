// Rule: cuda-memory-missing-reuse
// The flow between two pictures by the method of Lucas and Kanade, in windows
// of 7x7: each thread works out the gradients of its whole window, or a block
// does so once for all its windows and keeps them in shared memory.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 1024, Border = 8,
              Pitch = Width + 2 * Border, Reach = 3, BX = 32, BY = 8;

struct Sums {
  float XX = 0, XY = 0, YY = 0, XT = 0, YT = 0;

  __device__ void add(float X, float Y, float T) {
    XX += X * X;
    XY += X * Y;
    YY += Y * Y;
    XT += X * T;
    YT += Y * T;
  }

  __device__ void solve(float *Flow, int At) const {
    const float Scale = 1 / (XX * YY - XY * XY + 0.5f);
    Flow[At] = (XY * YT - YY * XT) * Scale;
    Flow[Width * Height + At] = (XY * XT - XX * YT) * Scale;
  }
};

__device__ float3 gradient(const float *First, const float *Second, int X,
                           int Y) {
  const float *At = First + Y * Pitch + X;
  return {0.5f * (At[1] - At[-1]), 0.5f * (At[Pitch] - At[-Pitch]),
          Second[Y * Pitch + X] - At[0]};
}

__global__ void before(const float *__restrict__ First,
                       const float *__restrict__ Second,
                       float *__restrict__ Flow) {
  const int X = blockIdx.x * BX + threadIdx.x;
  const int Y = blockIdx.y * BY + threadIdx.y;
  Sums S;
  for (int DY = -Reach; DY <= Reach; ++DY)
#pragma unroll
    for (int DX = -Reach; DX <= Reach; ++DX) {
      const float3 G =
          gradient(First, Second, X + Border + DX, Y + Border + DY);
      S.add(G.x, G.y, G.z);
    }
  S.solve(Flow, Y * Width + X);
}

__global__ void after(const float *__restrict__ First,
                      const float *__restrict__ Second,
                      float *__restrict__ Flow) {
  constexpr int TX = BX + 2 * Reach, TY = BY + 2 * Reach;
  __shared__ float OfX[TY][TX], OfY[TY][TX], OfT[TY][TX];
  const int FirstX = blockIdx.x * BX, FirstY = blockIdx.y * BY;
  for (int I = threadIdx.y * BX + threadIdx.x; I < TX * TY; I += BX * BY) {
    const int X = I % TX, Y = I / TX;
    const float3 G = gradient(First, Second, FirstX + X + Border - Reach,
                              FirstY + Y + Border - Reach);
    OfX[Y][X] = G.x;
    OfY[Y][X] = G.y;
    OfT[Y][X] = G.z;
  }
  __syncthreads();
  Sums S;
  for (int DY = 0; DY <= 2 * Reach; ++DY)
#pragma unroll
    for (int DX = 0; DX <= 2 * Reach; ++DX) {
      const int X = threadIdx.x + DX, Y = threadIdx.y + DY;
      S.add(OfX[Y][X], OfY[Y][X], OfT[Y][X]);
    }
  S.solve(Flow, (FirstY + threadIdx.y) * Width + FirstX + threadIdx.x);
}

int main() {
  constexpr int Count = Pitch * (Height + 2 * Border);
  const float *Frames = input<float>(2 * Count);
  float *Expected = output<float>(2 * Width * Height),
        *Out = output<float>(2 * Width * Height);
  const dim3 Grid(Width / BX, Height / BY), Block(BX, BY);
  Pair P("lucas-kanade-gradients-tiled");
  P.same(Expected, Out, 2 * Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Frames, Frames + Count, Expected);
    else
      after<<<Grid, Block>>>(Frames, Frames + Count, Out);
}

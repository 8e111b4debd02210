// Rule: cuda-memory-narrow-access
// One round of jump flooding for a Voronoi diagram: each pixel looks at nine
// pixels a jump apart for a seed that is nearer. The seeds' coordinates are
// kept as two ints or as two shorts.
#include "Pair.cuh"

constexpr int Size = 3072, Jump = 16;

template <class Seed>
__device__ void flood(const Seed *__restrict__ In, Seed *__restrict__ Out,
                      float *Distance, int Step) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Size || Y >= Size)
    return;
  Seed Best;
  Best.x = Best.y = -1;
  int Least = 0x7fffffff;
#pragma unroll
  for (int DY = -1; DY <= 1; ++DY) {
    const int NY = Y + DY * Step;
    if (NY < 0 || NY >= Size)
      continue;
#pragma unroll
    for (int DX = -1; DX <= 1; ++DX) {
      const int NX = X + DX * Step;
      if (NX < 0 || NX >= Size)
        continue;
      const Seed S = In[NY * Size + NX];
      const int A = int(S.x) - X, B = int(S.y) - Y;
      const int D = S.x < 0 ? 0x7fffffff : A * A + B * B;
      if (D < Least) {
        Least = D;
        Best = S;
      }
    }
  }
  Out[Y * Size + X] = Best;
  Distance[Y * Size + X] = Best.x < 0 ? 0.0f : sqrtf(float(Least));
}

__global__ void before(const int2 *In, int2 *Out, float *Distance, int Step) {
  flood(In, Out, Distance, Step);
}

__global__ void after(const short2 *In, short2 *Out, float *Distance,
                      int Step) {
  flood(In, Out, Distance, Step);
}

int main() {
  constexpr size_t Count = size_t(Size) * Size;
  // As earlier rounds leave it: most pixels know of a seed near them.
  std::vector<int2> Wide(Count);
  std::vector<short2> Narrow(Count);
  for (size_t I = 0; I < Count; ++I) {
    const int X = int(I % Size), Y = int(I / Size);
    const uint32_t R = mixed(I);
    const int SX = X + int(R % 128) - 64, SY = Y + int(R / 128 % 128) - 64;
    const bool Known = R >> 30 && SX >= 0 && SY >= 0 && SX < Size && SY < Size;
    Wide[I] = Known ? int2{SX, SY} : int2{-1, -1};
    Narrow[I] = {short(Wide[I].x), short(Wide[I].y)};
  }
  const int2 *In32 = onDevice(Wide);
  const short2 *In16 = onDevice(Narrow);
  int2 *Seeds32 = output<int2>(Count);
  short2 *Seeds16 = output<short2>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  const dim3 Grid(Size / 32, Size / 8), Block(32, 8);
  Pair P("jump-flooding-seeds-as-short2");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In32, Seeds32, Expected, Jump);
    else
      after<<<Grid, Block>>>(In16, Seeds16, Out, Jump);
}

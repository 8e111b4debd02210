// Rule: other
// Semi-global matching: costs of 128 disparities summed along the rows of an
// image, each pixel from the last and its minimum. A block of 128 threads
// exchanges them in shared memory with barriers, or one warp holds four
// disparities a lane and uses shuffles.
#include "Pair.cuh"

constexpr int Width = 1248, Height = 376, Disparities = 128, Ahead = 8;
constexpr int Small = 10, Large = 120, Never = 30000;

__device__ int pathCost(int Cost, int Same, int Below, int Above, int Least) {
  return Cost - Least +
         min(min(Same, Least + Large), min(Below, Above) + Small);
}

__global__ void before(const uint8_t *__restrict__ Cost,
                       uint16_t *__restrict__ Path) {
  __shared__ int Last[Disparities + 2], Tree[Disparities];
  const int D = threadIdx.x;
  const size_t Row = size_t(blockIdx.x) * Width * Disparities;
  Last[D + 1] = 0;
  if (D < 2)
    Last[D * (Disparities + 1)] = Never;
  int Least = 0;
  __syncthreads();
  for (int X = 0; X < Width; X += Ahead) {
    int C[Ahead];
#pragma unroll
    for (int I = 0; I < Ahead; ++I)
      C[I] = Cost[Row + (X + I) * Disparities + D];
#pragma unroll
    for (int I = 0; I < Ahead; ++I) {
      const int Sum = pathCost(C[I], Last[D + 1], Last[D], Last[D + 2], Least);
      Path[Row + (X + I) * Disparities + D] = Sum;
      Tree[D] = Sum;
      __syncthreads();
      Last[D + 1] = Sum;
#pragma unroll
      for (int Half = Disparities / 2; Half > 0; Half /= 2) {
        if (D < Half)
          Tree[D] = min(Tree[D], Tree[D + Half]);
        __syncthreads();
      }
      Least = Tree[0];
      __syncthreads();
    }
  }
}

__global__ void after(const uchar4 *__restrict__ Cost,
                      ushort4 *__restrict__ Path) {
  const int Lane = threadIdx.x;
  const size_t Row = size_t(blockIdx.x) * Width * Disparities / 4;
  int4 Last = make_int4(0, 0, 0, 0);
  int Least = 0;
  for (int X = 0; X < Width; X += Ahead) {
    uchar4 C[Ahead];
#pragma unroll
    for (int I = 0; I < Ahead; ++I)
      C[I] = Cost[Row + (X + I) * (Disparities / 4) + Lane];
#pragma unroll
    for (int I = 0; I < Ahead; ++I) {
      int Below = __shfl_up_sync(0xffffffff, Last.w, 1),
          Above = __shfl_down_sync(0xffffffff, Last.x, 1);
      if (Lane == 0)
        Below = Never;
      if (Lane == 31)
        Above = Never;
      const int4 Sum =
          make_int4(pathCost(C[I].x, Last.x, Below, Last.y, Least),
                    pathCost(C[I].y, Last.y, Last.x, Last.z, Least),
                    pathCost(C[I].z, Last.z, Last.y, Last.w, Least),
                    pathCost(C[I].w, Last.w, Last.z, Above, Least));
      Path[Row + (X + I) * (Disparities / 4) + Lane] =
          make_ushort4(Sum.x, Sum.y, Sum.z, Sum.w);
      Least = __reduce_min_sync(0xffffffff,
                                min(min(Sum.x, Sum.y), min(Sum.z, Sum.w)));
      Last = Sum;
    }
  }
}

int main() {
  constexpr size_t Count = size_t(Width) * Height * Disparities;
  const uint8_t *Cost = input<uint8_t>(Count, 200);
  uint16_t *Expected = output<uint16_t>(Count), *Out = output<uint16_t>(Count);
  Pair P("path-costs-minimum-by-shuffles");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Height, Disparities>>>(Cost, Expected);
    else
      after<<<Height, 32>>>((const uchar4 *)Cost, (ushort4 *)Out);
}

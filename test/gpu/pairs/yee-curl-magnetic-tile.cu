// Rule: cuda-memory-missing-reuse
// The electric field of a Yee grid of 256 x 256 x 64 cells advanced by the curl
// of the magnetic field, whose neighbours in the plane are read from global
// memory or from tiles in shared memory.
#include "Pair.cuh"

constexpr int NX = 256, NY = 256, NZ = 64, Plane = NX * NY, N = Plane * NZ;
constexpr int BX = 32, BY = 8;
constexpr float C = 0.01f;

struct Field {
  float *X, *Y, *Z;
};

__global__ void before(Field E, const float *__restrict__ HX,
                       const float *__restrict__ HY,
                       const float *__restrict__ HZ) {
  const int X = blockIdx.x * BX + threadIdx.x,
            Y = blockIdx.y * BY + threadIdx.y, Z = blockIdx.z;
  if (X == 0 || Y == 0 || Z == 0)
    return;
  const int I = Z * Plane + Y * NX + X;
  const float A = HX[I], B = HY[I], D = HZ[I];
  E.X[I] += C * (D - HZ[I - NX] - B + HY[I - Plane]);
  E.Y[I] += C * (A - HX[I - Plane] - D + HZ[I - 1]);
  E.Z[I] += C * (B - HY[I - 1] - A + HX[I - NX]);
}

__global__ void after(Field E, const float *__restrict__ HX,
                      const float *__restrict__ HY,
                      const float *__restrict__ HZ) {
  __shared__ float TileX[BY + 1][BX], TileY[BY][BX + 1], TileZ[BY + 1][BX + 1];
  const int X = blockIdx.x * BX + threadIdx.x,
            Y = blockIdx.y * BY + threadIdx.y, Z = blockIdx.z;
  const int I = Z * Plane + Y * NX + X;
  const int TX = threadIdx.x, TY = threadIdx.y;
  TileX[TY + 1][TX] = HX[I];
  TileY[TY][TX + 1] = HY[I];
  TileZ[TY + 1][TX + 1] = HZ[I];
  if (TX == 0 && X > 0) {
    TileY[TY][0] = HY[I - 1];
    TileZ[TY + 1][0] = HZ[I - 1];
  }
  if (TY == 0 && Y > 0) {
    TileX[0][TX] = HX[I - NX];
    TileZ[0][TX + 1] = HZ[I - NX];
  }
  __syncthreads();
  if (X == 0 || Y == 0 || Z == 0)
    return;
  const float A = TileX[TY + 1][TX], B = TileY[TY][TX + 1],
              D = TileZ[TY + 1][TX + 1];
  E.X[I] += C * (D - TileZ[TY][TX + 1] - B + HY[I - Plane]);
  E.Y[I] += C * (A - HX[I - Plane] - D + TileZ[TY + 1][TX]);
  E.Z[I] += C * (B - TileY[TY][TX] - A + TileX[TY][TX]);
}

int main() {
  const float *H = input<float>(3 * N);
  float *Expected = input<float>(3 * N), *Out = input<float>(3 * N);
  const Field Old = {Expected, Expected + N, Expected + 2 * N},
              New = {Out, Out + N, Out + 2 * N};
  Pair P("yee-curl-magnetic-tile");
  P.same(Expected, Out, 3 * N);
  const dim3 Grid(NX / BX, NY / BY, NZ), Block(BX, BY);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Old, H, H + N, H + 2 * N);
    else
      after<<<Grid, Block>>>(New, H, H + N, H + 2 * N);
}

// Rule: cuda-memory-needless-staging
// A step of the Allen-Cahn equation on a grid of three dimensions, seven points
// each: blocks of 32x4x4 copy a tile with its border, 2.4 times what they
// write, to shared memory, or read their neighbours through L1.
#include "Pair.cuh"

constexpr int NX = 256, NY = 256, NZ = 128;
constexpr int BX = 32, BY = 4, BZ = 4;

__device__ int clamped(int I, int Size) { return min(max(I, 0), Size - 1); }

__device__ float stepped(float U, float Neighbours, float Width, float Step) {
  const float Laplacian = Neighbours - 6.0f * U;
  return U + Step * (Width * Laplacian - U * (U - 1.0f) * (U - 0.5f));
}

__global__ void before(const float *__restrict__ Old, float *__restrict__ New,
                       float Width, float Step) {
  constexpr int TX = BX + 2, TY = BY + 2, TZ = BZ + 2;
  __shared__ float Tile[TZ][TY][TX];
  const int X0 = blockIdx.x * BX, Y0 = blockIdx.y * BY, Z0 = blockIdx.z * BZ;
  const int Rank = (threadIdx.z * BY + threadIdx.y) * BX + threadIdx.x;
  for (int I = Rank; I < TX * TY * TZ; I += BX * BY * BZ) {
    const int TileX = I % TX, TileY = I / TX % TY, TileZ = I / (TX * TY);
    const int X = clamped(X0 + TileX - 1, NX), Y = clamped(Y0 + TileY - 1, NY),
              Z = clamped(Z0 + TileZ - 1, NZ);
    Tile[TileZ][TileY][TileX] = Old[(Z * NY + Y) * NX + X];
  }
  __syncthreads();
  const int X = threadIdx.x + 1, Y = threadIdx.y + 1, Z = threadIdx.z + 1;
  const float Sum = Tile[Z][Y][X - 1] + Tile[Z][Y][X + 1] + Tile[Z][Y - 1][X] +
                    Tile[Z][Y + 1][X] + Tile[Z - 1][Y][X] + Tile[Z + 1][Y][X];
  New[((Z0 + Z - 1) * NY + Y0 + Y - 1) * NX + X0 + X - 1] =
      stepped(Tile[Z][Y][X], Sum, Width, Step);
}

__global__ void after(const float *__restrict__ Old, float *__restrict__ New,
                      float Width, float Step) {
  const int X = blockIdx.x * BX + threadIdx.x,
            Y = blockIdx.y * BY + threadIdx.y,
            Z = blockIdx.z * BZ + threadIdx.z;
  const float *Row = Old + (Z * NY + Y) * NX;
  const float Sum = Row[clamped(X - 1, NX)] + Row[clamped(X + 1, NX)] +
                    Old[(Z * NY + clamped(Y - 1, NY)) * NX + X] +
                    Old[(Z * NY + clamped(Y + 1, NY)) * NX + X] +
                    Old[(clamped(Z - 1, NZ) * NY + Y) * NX + X] +
                    Old[(clamped(Z + 1, NZ) * NY + Y) * NX + X];
  New[(Z * NY + Y) * NX + X] = stepped(Row[X], Sum, Width, Step);
}

int main() {
  constexpr size_t Cells = size_t(NX) * NY * NZ;
  const float *Old = input<float>(Cells);
  float *Expected = output<float>(Cells), *Out = output<float>(Cells);
  Pair P("phase-field-seven-points-direct");
  P.same(Expected, Out, Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(NX / BX, NY / BY, NZ / BZ), dim3(BX, BY, BZ)>>>(
          Old, Expected, 0.1f, 0.2f);
    else
      after<<<dim3(NX / BX, NY / BY, NZ / BZ), dim3(BX, BY, BZ)>>>(Old, Out,
                                                                   0.1f, 0.2f);
}

// Rule: cuda-memory-missing-reuse
// Motion compensation of 16x16 blocks with quarter-pixel vectors: bilinear
// from the reference picture directly, or from a patch of 17x17 pixels that
// the block first brings to shared memory.
#include "Pair.cuh"

constexpr int Width = 3840, Height = 2160, Side = 16;
constexpr int Across = Width / Side, Down = Height / Side;

__device__ inline uint8_t blend(int A, int B, int C, int D, int Fx, int Fy,
                                int Residual) {
  const int Top = A * (4 - Fx) + B * Fx, Bottom = C * (4 - Fx) + D * Fx;
  const int V = (Top * (4 - Fy) + Bottom * Fy + 8) / 16 + Residual;
  return uint8_t(min(max(V, 0), 255));
}

__device__ inline int clampX(int X) { return min(max(X, 0), Width - 1); }
__device__ inline int clampY(int Y) { return min(max(Y, 0), Height - 1); }

__global__ void before(const uint8_t *__restrict__ Reference,
                       const short2 *__restrict__ Vectors,
                       const int8_t *__restrict__ Residual,
                       uint8_t *__restrict__ Out) {
  const short2 V = Vectors[blockIdx.y * Across + blockIdx.x];
  const int X = blockIdx.x * Side + threadIdx.x;
  const int Y = blockIdx.y * Side + threadIdx.y;
  const int X0 = clampX(X + (V.x >> 2)), X1 = clampX(X + (V.x >> 2) + 1);
  const int Y0 = clampY(Y + (V.y >> 2)), Y1 = clampY(Y + (V.y >> 2) + 1);
  Out[Y * Width + X] =
      blend(Reference[Y0 * Width + X0], Reference[Y0 * Width + X1],
            Reference[Y1 * Width + X0], Reference[Y1 * Width + X1], V.x & 3,
            V.y & 3, Residual[Y * Width + X]);
}

__global__ void after(const uint8_t *__restrict__ Reference,
                      const short2 *__restrict__ Vectors,
                      const int8_t *__restrict__ Residual,
                      uint8_t *__restrict__ Out) {
  __shared__ uint8_t Patch[Side + 1][Side + 4];
  const short2 V = Vectors[blockIdx.y * Across + blockIdx.x];
  const int Left = blockIdx.x * Side + (V.x >> 2);
  const int Top = blockIdx.y * Side + (V.y >> 2);
  const int Thread = threadIdx.y * Side + threadIdx.x;
  for (int I = Thread; I < (Side + 1) * (Side + 1); I += Side * Side) {
    const int Px = I % (Side + 1), Py = I / (Side + 1);
    Patch[Py][Px] = Reference[clampY(Top + Py) * Width + clampX(Left + Px)];
  }
  __syncthreads();
  const int X = threadIdx.x, Y = threadIdx.y;
  const int At = (blockIdx.y * Side + Y) * Width + blockIdx.x * Side + X;
  Out[At] = blend(Patch[Y][X], Patch[Y][X + 1], Patch[Y + 1][X],
                  Patch[Y + 1][X + 1], V.x & 3, V.y & 3, Residual[At]);
}

int main() {
  constexpr size_t Count = size_t(Width) * Height;
  std::vector<short2> Vectors(Across * Down);
  for (size_t I = 0; I < Vectors.size(); ++I)
    Vectors[I] = make_short2(short(int(mixed(2 * I) % 129) - 64),
                             short(int(mixed(2 * I + 1) % 65) - 32));
  std::vector<int8_t> Differences(Count);
  for (size_t I = 0; I < Count; ++I)
    Differences[I] = int8_t(int(mixed(I) % 17) - 8);
  const short2 *DeviceVectors = onDevice(Vectors);
  const int8_t *Residual = onDevice(Differences);
  const uint8_t *Reference = input<uint8_t>(Count, 256);
  uint8_t *Expected = output<uint8_t>(Count), *Out = output<uint8_t>(Count);
  Pair P("motion-compensation-patch-staged");
  P.same(Expected, Out, Count);
  const dim3 Grid(Across, Down), Block(Side, Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Reference, DeviceVectors, Residual, Expected);
    else
      after<<<Grid, Block>>>(Reference, DeviceVectors, Residual, Out);
}

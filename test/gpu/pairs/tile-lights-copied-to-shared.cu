// Rule: cuda-memory-missing-reuse
// Tiled shading of a game's frame: a block finds the lamps that reach its
// 16x16 pixels and each pixel adds up their light. The block's list holds the
// numbers of the lamps, or the lamps themselves.
#include "Pair.cuh"

constexpr int Width = 1920, Height = 1088, Tile = 16;
constexpr int Lamps = 1024, Most = 192;

struct alignas(16) Lamp {
  float X, Y, Z, Radius;
  float Red, Green, Blue, Pad;
};

__device__ inline bool reaches(const Lamp &L, float Left, float Top) {
  const float DX = L.X - fminf(fmaxf(L.X, Left), Left + Tile);
  const float DY = L.Y - fminf(fmaxf(L.Y, Top), Top + Tile);
  return DX * DX + DY * DY < L.Radius * L.Radius;
}

__device__ inline void shine(float3 &Sum, const Lamp &L, float X, float Y,
                             float Depth) {
  const float DX = L.X - X, DY = L.Y - Y, DZ = L.Z - Depth;
  const float Square = DX * DX + DY * DY + DZ * DZ;
  const float Falloff =
      fmaxf(0.0f, 1 - Square / (L.Radius * L.Radius)) * rsqrtf(Square + 1);
  Sum.x += Falloff * L.Red;
  Sum.y += Falloff * L.Green;
  Sum.z += Falloff * L.Blue;
}

__global__ void before(const Lamp *__restrict__ All,
                       const float *__restrict__ Depths,
                       float4 *__restrict__ Image) {
  __shared__ int List[Most];
  __shared__ int Count;
  const int Thread = threadIdx.y * Tile + threadIdx.x;
  if (Thread == 0)
    Count = 0;
  __syncthreads();
  for (int I = Thread; I < Lamps; I += Tile * Tile)
    if (reaches(All[I], blockIdx.x * Tile, blockIdx.y * Tile)) {
      const int Slot = atomicAdd(&Count, 1);
      if (Slot < Most)
        List[Slot] = I;
    }
  __syncthreads();
  const int X = blockIdx.x * Tile + threadIdx.x;
  const int Y = blockIdx.y * Tile + threadIdx.y;
  const float Depth = Depths[Y * Width + X] * 20;
  float3 Sum = make_float3(0.02f, 0.02f, 0.03f);
  for (int I = 0; I < min(Count, Most); ++I)
    shine(Sum, All[List[I]], X, Y, Depth);
  Image[Y * Width + X] = make_float4(Sum.x, Sum.y, Sum.z, 1);
}

__global__ void after(const Lamp *__restrict__ All,
                      const float *__restrict__ Depths,
                      float4 *__restrict__ Image) {
  __shared__ Lamp List[Most];
  __shared__ int Count;
  const int Thread = threadIdx.y * Tile + threadIdx.x;
  if (Thread == 0)
    Count = 0;
  __syncthreads();
  for (int I = Thread; I < Lamps; I += Tile * Tile) {
    const Lamp L = All[I];
    if (reaches(L, blockIdx.x * Tile, blockIdx.y * Tile)) {
      const int Slot = atomicAdd(&Count, 1);
      if (Slot < Most)
        List[Slot] = L;
    }
  }
  __syncthreads();
  const int X = blockIdx.x * Tile + threadIdx.x;
  const int Y = blockIdx.y * Tile + threadIdx.y;
  const float Depth = Depths[Y * Width + X] * 20;
  float3 Sum = make_float3(0.02f, 0.02f, 0.03f);
  for (int I = 0; I < min(Count, Most); ++I)
    shine(Sum, List[I], X, Y, Depth);
  Image[Y * Width + X] = make_float4(Sum.x, Sum.y, Sum.z, 1);
}

int main() {
  std::vector<Lamp> Host(Lamps);
  for (int I = 0; I < Lamps; ++I) {
    const auto Noise = [I](int K) { return mixed(I * 8 + K) / 4294967296.0f; };
    Host[I] = {
        Noise(0) * Width, Noise(1) * Height, Noise(2) * 20, 40 + 120 * Noise(3),
        Noise(4),         Noise(5),          Noise(6),      0};
  }
  const Lamp *All = onDevice(Host);
  const float *Depths = input<float>(Width * Height);
  constexpr size_t Values = size_t(4) * Width * Height;
  float *Expected = output<float>(Values), *Out = output<float>(Values);
  const dim3 Grid(Width / Tile, Height / Tile);
  Pair P("tile-lights-copied-to-shared");
  P.same(Expected, Out, Values);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, dim3(Tile, Tile)>>>(All, Depths, (float4 *)Expected);
    else
      after<<<Grid, dim3(Tile, Tile)>>>(All, Depths, (float4 *)Out);
}

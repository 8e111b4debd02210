// Rule: cuda-memory-synchronous-staging
// Splats of Gaussians: a block draws a tile of 16 x 16 pixels from its list,
// sorted by depth, 256 of them at a time in shared memory. The next 256 are
// fetched after the last have been drawn, or into registers meanwhile.
// Options: --buffer=Starts=sorted,count=3601,below=1900000
// Options: --buffer=Order=random,count=1900000,below=120000
#include "Pair.cuh"

constexpr int TilesX = 80, TilesY = 45, Tile = 16, Batch = Tile * Tile;
constexpr int Width = TilesX * Tile, Height = TilesY * Tile;
constexpr int Splats = 120000, Reach = 24;

struct Splat {
  float4 Shape;   // Inverse covariance xx, xy, yy; opacity.
  float4 Colour;  // Red, green, blue, depth.
  float2 Centre;
};

struct Pixel {
  float X, Y, Left, Red, Green, Blue;
};

__device__ Splat fetched(const float4 *Shapes, const float4 *Colours,
                         const float2 *Centres, int Id) {
  return {Shapes[Id], Colours[Id], Centres[Id]};
}

__device__ void blend(Pixel &P, float4 Shape, float4 Colour, float2 Centre) {
  const float Dx = Centre.x - P.X, Dy = Centre.y - P.Y;
  const float Power = -0.5f * (Shape.x * Dx * Dx + Shape.z * Dy * Dy) -
                      Shape.y * Dx * Dy;
  const float Alpha = fminf(0.99f, Shape.w * __expf(Power));
  const float Part = Alpha * P.Left;
  P.Red += Part * Colour.x;
  P.Green += Part * Colour.y;
  P.Blue += Part * Colour.z;
  P.Left *= 1 - Alpha;
}

__global__ void before(const int *__restrict__ Starts,
                       const int *__restrict__ Order,
                       const float4 *__restrict__ Shapes,
                       const float4 *__restrict__ Colours,
                       const float2 *__restrict__ Centres,
                       float4 *__restrict__ Image) {
  __shared__ float4 Shape[Batch], Colour[Batch];
  __shared__ float2 Centre[Batch];
  const int T = threadIdx.y * Tile + threadIdx.x;
  const int X = blockIdx.x * Tile + threadIdx.x,
            Y = blockIdx.y * Tile + threadIdx.y;
  const int List = blockIdx.y * TilesX + blockIdx.x, End = Starts[List + 1];
  Pixel P = {X + 0.5f, Y + 0.5f, 1, 0, 0, 0};
  for (int First = Starts[List]; First < End; First += Batch) {
    if (__syncthreads_and(P.Left < 1e-4f))
      break;
    if (First + T < End) {
      const Splat S = fetched(Shapes, Colours, Centres, Order[First + T]);
      Shape[T] = S.Shape;
      Colour[T] = S.Colour;
      Centre[T] = S.Centre;
    }
    __syncthreads();
    const int Count = min(Batch, End - First);
    for (int I = 0; I < Count && P.Left >= 1e-4f; ++I)
      blend(P, Shape[I], Colour[I], Centre[I]);
  }
  Image[Y * Width + X] = make_float4(P.Red, P.Green, P.Blue, P.Left);
}

__global__ void after(const int *__restrict__ Starts,
                      const int *__restrict__ Order,
                      const float4 *__restrict__ Shapes,
                      const float4 *__restrict__ Colours,
                      const float2 *__restrict__ Centres,
                      float4 *__restrict__ Image) {
  __shared__ float4 Shape[Batch], Colour[Batch];
  __shared__ float2 Centre[Batch];
  const int T = threadIdx.y * Tile + threadIdx.x;
  const int X = blockIdx.x * Tile + threadIdx.x,
            Y = blockIdx.y * Tile + threadIdx.y;
  const int List = blockIdx.y * TilesX + blockIdx.x, End = Starts[List + 1];
  Pixel P = {X + 0.5f, Y + 0.5f, 1, 0, 0, 0};
  int First = Starts[List];
  Splat Next = {};
  if (First + T < End)
    Next = fetched(Shapes, Colours, Centres, Order[First + T]);
  for (; First < End; First += Batch) {
    if (__syncthreads_and(P.Left < 1e-4f))
      break;
    Shape[T] = Next.Shape;
    Colour[T] = Next.Colour;
    Centre[T] = Next.Centre;
    __syncthreads();
    if (First + Batch + T < End)
      Next = fetched(Shapes, Colours, Centres, Order[First + Batch + T]);
    const int Count = min(Batch, End - First);
    for (int I = 0; I < Count && P.Left >= 1e-4f; ++I)
      blend(P, Shape[I], Colour[I], Centre[I]);
  }
  Image[Y * Width + X] = make_float4(P.Red, P.Green, P.Blue, P.Left);
}

int main() {
  std::vector<float4> Shapes(Splats), Colours(Splats);
  std::vector<float2> Centres(Splats);
  std::vector<std::vector<int>> Lists(TilesX * TilesY);
  const auto Noise = [](int I, int K) {
    return mixed(uint64_t(I) * 8 + K) / 4294967296.f;
  };
  for (int I = 0; I < Splats; ++I) {
    const float X = Noise(I, 0) * Width, Y = Noise(I, 1) * Height;
    Centres[I] = make_float2(X, Y);
    Shapes[I] = make_float4(0.01f + 0.01f * Noise(I, 2), 0.004f * Noise(I, 3),
                            0.01f + 0.01f * Noise(I, 4), 0.1f * Noise(I, 5));
    Colours[I] = make_float4(Noise(I, 6), Noise(I, 7), Noise(I, 2), float(I));
    const int Right = std::min(TilesX - 1, int(X + Reach) / Tile),
              Bottom = std::min(TilesY - 1, int(Y + Reach) / Tile);
    for (int V = std::max(0, int(Y) - Reach) / Tile; V <= Bottom; ++V)
      for (int U = std::max(0, int(X) - Reach) / Tile; U <= Right; ++U)
        Lists[V * TilesX + U].push_back(I);
  }
  std::vector<int> Starts(1), Order;
  for (const std::vector<int> &List : Lists) {
    Order.insert(Order.end(), List.begin(), List.end());
    Starts.push_back(int(Order.size()));
  }
  const int *StartsThere = onDevice(Starts), *OrderThere = onDevice(Order);
  const float4 *ShapesThere = onDevice(Shapes),
               *ColoursThere = onDevice(Colours);
  const float2 *CentresThere = onDevice(Centres);
  float *Expected = output<float>(4 * Width * Height),
        *Out = output<float>(4 * Width * Height);
  Pair P("gaussian-splats-fetched-ahead");
  P.same(Expected, Out, 4 * Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(TilesX, TilesY), dim3(Tile, Tile)>>>(
          StartsThere, OrderThere, ShapesThere, ColoursThere, CentresThere,
          (float4 *)Expected);
    else
      after<<<dim3(TilesX, TilesY), dim3(Tile, Tile)>>>(
          StartsThere, OrderThere, ShapesThere, ColoursThere, CentresThere,
          (float4 *)Out);
}

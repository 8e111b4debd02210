// Rule: cuda-memory-uncoalesced-access
// A colour map makes pixels of three floats out of values, as image libraries
// for robots do. The three words of each pixel are three stores, twelve bytes
// apart from lane to lane, or the block passes its pixels through shared memory
// and stores them word by word. The image stays packed as others want it.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 1024, Columns = 32, Rows = 8, Colours = 256;

__device__ float3 colourOf(const float3 *__restrict__ Palette, float Value) {
  return Palette[int(fminf(fmaxf(Value, 0.0f), 1.0f) * (Colours - 1))];
}

__global__ void before(const float *__restrict__ In, float3 *__restrict__ Image,
                       const float3 *__restrict__ Palette) {
  const int X = blockIdx.x * Columns + threadIdx.x;
  const int Y = blockIdx.y * Rows + threadIdx.y;
  Image[Y * Width + X] = colourOf(Palette, In[Y * Width + X]);
}

__global__ void after(const float *__restrict__ In, float3 *__restrict__ Image,
                      const float3 *__restrict__ Palette) {
  __shared__ float Staged[Rows][3 * Columns];
  const int X = threadIdx.x, Y = blockIdx.y * Rows + threadIdx.y;
  const float3 Colour =
      colourOf(Palette, In[Y * Width + blockIdx.x * Columns + X]);
  float *Row = Staged[threadIdx.y];
  Row[3 * X] = Colour.x;
  Row[3 * X + 1] = Colour.y;
  Row[3 * X + 2] = Colour.z;
  __syncwarp();
  float *Out =
      reinterpret_cast<float *>(Image + Y * Width + blockIdx.x * Columns);
  Out[X] = Row[X];
  Out[X + Columns] = Row[X + Columns];
  Out[X + 2 * Columns] = Row[X + 2 * Columns];
}

int main() {
  const float *In = input<float>(Width * Height);
  auto *Palette = reinterpret_cast<const float3 *>(input<float>(3 * Colours));
  float *Expected = output<float>(3 * Width * Height),
        *Out = output<float>(3 * Width * Height);
  Pair P("colour-map-stores-staged");
  P.same(Expected, Out, 3 * Width * Height);
  const dim3 Grid(Width / Columns, Height / Rows), Block(Columns, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, reinterpret_cast<float3 *>(Expected),
                              Palette);
    else
      after<<<Grid, Block>>>(In, reinterpret_cast<float3 *>(Out), Palette);
}

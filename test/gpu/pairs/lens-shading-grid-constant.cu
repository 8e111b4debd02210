// Rule: cuda-memory-constant-candidate
// Lens shading of a raw picture of 12 megapixels: a thread takes a quad of the
// Bayer pattern and interpolates its four gains on a grid of 17 x 13 nodes.
// The grid is in global memory or in constant memory; a warp is within a cell.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 3072, Black = 64, White = 1023;
constexpr int Quads = Width / 2, QuadRows = Height / 2, Cell = 128;
constexpr int GridX = Quads / Cell + 1, GridY = QuadRows / Cell + 1;

__constant__ float4 Gains[GridX * GridY];

__device__ float4 between(float4 A, float4 B, float T) {
  return make_float4(A.x + T * (B.x - A.x), A.y + T * (B.y - A.y),
                     A.z + T * (B.z - A.z), A.w + T * (B.w - A.w));
}

__device__ uint16_t corrected(int Value, float Gain) {
  const int Signal = max(Value - Black, 0);
  return min(__float2int_rn(Signal * Gain) + Black, White);
}

__device__ void store(ushort2 *Out, int X, int Y, ushort2 Upper, ushort2 Lower,
                      float4 Gain) {
  Out[2 * Y * Quads + X] =
      make_ushort2(corrected(Upper.x, Gain.x), corrected(Upper.y, Gain.y));
  Out[(2 * Y + 1) * Quads + X] =
      make_ushort2(corrected(Lower.x, Gain.z), corrected(Lower.y, Gain.w));
}

__global__ void before(const ushort2 *__restrict__ Raw,
                       const float4 *__restrict__ Grid,
                       ushort2 *__restrict__ Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x,
            Y = blockIdx.y * blockDim.y + threadIdx.y;
  const ushort2 Upper = Raw[2 * Y * Quads + X],
                Lower = Raw[(2 * Y + 1) * Quads + X];
  const int Node = Y / Cell * GridX + X / Cell;
  const float U = (X % Cell) * (1.f / Cell), V = (Y % Cell) * (1.f / Cell);
  const float4 Gain =
      between(between(Grid[Node], Grid[Node + 1], U),
              between(Grid[Node + GridX], Grid[Node + GridX + 1], U), V);
  store(Out, X, Y, Upper, Lower, Gain);
}

__global__ void after(const ushort2 *__restrict__ Raw,
                      ushort2 *__restrict__ Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x,
            Y = blockIdx.y * blockDim.y + threadIdx.y;
  const ushort2 Upper = Raw[2 * Y * Quads + X],
                Lower = Raw[(2 * Y + 1) * Quads + X];
  const int Node = Y / Cell * GridX + X / Cell;
  const float U = (X % Cell) * (1.f / Cell), V = (Y % Cell) * (1.f / Cell);
  const float4 Gain =
      between(between(Gains[Node], Gains[Node + 1], U),
              between(Gains[Node + GridX], Gains[Node + GridX + 1], U), V);
  store(Out, X, Y, Upper, Lower, Gain);
}

int main() {
  std::vector<float4> Nodes(GridX * GridY);
  for (int Y = 0; Y < GridY; ++Y)
    for (int X = 0; X < GridX; ++X) {
      const float Dx = X / float(GridX - 1) - 0.5f,
                  Dy = Y / float(GridY - 1) - 0.5f, R = Dx * Dx + Dy * Dy;
      Nodes[Y * GridX + X] = make_float4(1 + 2.f * R, 1 + 1.7f * R,
                                         1 + 1.6f * R, 1 + 1.9f * R);
    }
  must(cudaMemcpyToSymbol(Gains, Nodes.data(), Nodes.size() * sizeof(float4)));
  const float4 *Grid = onDevice(Nodes);
  const uint16_t *Raw = input<uint16_t>(Width * Height, 1024);
  uint16_t *Expected = output<uint16_t>(Width * Height),
           *Out = output<uint16_t>(Width * Height);
  Pair P("lens-shading-grid-constant");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Quads / 32, QuadRows / 8), dim3(32, 8)>>>(
          (const ushort2 *)Raw, Grid, (ushort2 *)Expected);
    else
      after<<<dim3(Quads / 32, QuadRows / 8), dim3(32, 8)>>>(
          (const ushort2 *)Raw, (ushort2 *)Out);
}

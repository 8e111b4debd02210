// Rule: cuda-memory-single-result
// Coherence of two radar images, over windows of 5x5, of products whose fringes
// along the range are taken off: a thread forms the 25 products of its pixel,
// or walks down sixteen pixels and keeps the sums of the last five rows in
// registers.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 2048, Window = 5, Run = 16;
constexpr int Pitch = Width + 32, Rows = Height + Window - 1;

// The product, as a complex number, and the two powers.
struct Look {
  float Real, Imaginary, First, Second;
};

__device__ void add(Look &Sum, const Look &L) {
  Sum.Real += L.Real;
  Sum.Imaginary += L.Imaginary;
  Sum.First += L.First;
  Sum.Second += L.Second;
}

__device__ __forceinline__ Look rowSum(const float2 *Master,
                                       const float2 *Slave,
                                       const float2 *Fringe, int X, int Y) {
  Look Sum = {};
#pragma unroll
  for (int D = 0; D < Window; ++D) {
    const float2 M = Master[Y * Pitch + X + D], S = Slave[Y * Pitch + X + D];
    const float2 F = Fringe[X + D];
    const float Real = M.x * S.x + M.y * S.y, Imaginary = M.y * S.x - M.x * S.y;
    add(Sum, {Real * F.x + Imaginary * F.y, Imaginary * F.x - Real * F.y,
              M.x * M.x + M.y * M.y, S.x * S.x + S.y * S.y});
  }
  return Sum;
}

__device__ float coherence(const Look &L) {
  const float Product = L.Real * L.Real + L.Imaginary * L.Imaginary;
  return 100 * sqrtf(Product / (L.First * L.Second + 1e-6f));
}

__global__ void before(const float2 *__restrict__ Master,
                       const float2 *__restrict__ Slave,
                       const float2 *__restrict__ Fringe,
                       float *__restrict__ Coherence) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  Look Sum = {};
#pragma unroll
  for (int D = 0; D < Window; ++D)
    add(Sum, rowSum(Master, Slave, Fringe, X, Y + D));
  Coherence[Y * Width + X] = coherence(Sum);
}

__global__ void after(const float2 *__restrict__ Master,
                      const float2 *__restrict__ Slave,
                      const float2 *__restrict__ Fringe,
                      float *__restrict__ Coherence) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = (blockIdx.y * 8 + threadIdx.y) * Run;
  Look Last[Window];
#pragma unroll
  for (int D = 1; D < Window; ++D)
    Last[D] = rowSum(Master, Slave, Fringe, X, Y + D - 1);
#pragma unroll
  for (int R = 0; R < Run; ++R) {
    Look Sum = {};
#pragma unroll
    for (int D = 0; D + 1 < Window; ++D) {
      Last[D] = Last[D + 1];
      add(Sum, Last[D]);
    }
    Last[Window - 1] = rowSum(Master, Slave, Fringe, X, Y + R + Window - 1);
    add(Sum, Last[Window - 1]);
    Coherence[(Y + R) * Width + X] = coherence(Sum);
  }
}

int main() {
  const float2 *Both = (const float2 *)input<float>(4 * size_t(Pitch) * Rows);
  const float2 *Master = Both, *Slave = Both + Pitch * Rows;
  std::vector<float2> Fringes(Pitch);
  for (int X = 0; X < Pitch; ++X)
    Fringes[X] = {std::cos(0.07f * X), std::sin(0.07f * X)};
  const float2 *Fringe = onDevice(Fringes);
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("interferogram-row-sums-carried");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(Master, Slave,
                                                            Fringe, Expected);
    else
      after<<<dim3(Width / 32, Height / 8 / Run), dim3(32, 8)>>>(
          Master, Slave, Fringe, Out);
}

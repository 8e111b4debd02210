// Rule: cuda-memory-synchronous-staging
// Filtered backprojection of computed tomography: for each angle, a block of
// 16x16 pixels needs a segment of 32 bins. Segments of eight angles are brought
// to shared memory between two barriers, or the next eight by cp.async while
// these are used ("double buffering", CUDA programming guide).
#include "Pair.cuh"
#include <cuda_pipeline.h>

constexpr int Side = 512, Angles = 360, Bins = 800, Middle = 384;
constexpr int Group = 8, Segment = 32, Groups = Angles / Group;

__constant__ float2 Direction[Angles];

/// The bin that the first pixel of the block that any does falls into.
__device__ int firstBin(float2 D) {
  const float X = blockIdx.x * 16.0f - (Side - 1) * 0.5f,
              Y = blockIdx.y * 16.0f - (Side - 1) * 0.5f;
  const float Least =
      X * D.x + Y * D.y + fminf(15 * D.x, 0.0f) + fminf(15 * D.y, 0.0f);
  return int(floorf(Least)) + Middle - 1;
}

__device__ float backproject(const float (*Part)[Segment], int FirstAngle,
                             float X, float Y) {
  float Sum = 0;
#pragma unroll
  for (int A = 0; A < Group; ++A) {
    const float2 D = Direction[FirstAngle + A];
    const float At = X * D.x + Y * D.y + (Middle - firstBin(D));
    const int Bin = int(At);
    const float Weight = At - Bin;
    Sum += Part[A][Bin] * (1 - Weight) + Part[A][Bin + 1] * Weight;
  }
  return Sum;
}

__global__ void before(const float *__restrict__ Sinogram,
                       float *__restrict__ Picture) {
  __shared__ float Part[Group][Segment];
  const int T = threadIdx.y * 16 + threadIdx.x;
  const int Px = blockIdx.x * 16 + threadIdx.x,
            Py = blockIdx.y * 16 + threadIdx.y;
  const float X = Px - (Side - 1) * 0.5f, Y = Py - (Side - 1) * 0.5f;
  float Sum = 0;
  for (int A = 0; A < Angles; A += Group) {
    const int Mine = A + T / Segment;
    Part[T / Segment][T % Segment] =
        Sinogram[Mine * Bins + firstBin(Direction[Mine]) + T % Segment];
    __syncthreads();
    Sum += backproject(Part, A, X, Y);
    __syncthreads();
  }
  Picture[Py * Side + Px] = Sum * (3.1415927f / Angles);
}

__global__ void after(const float *__restrict__ Sinogram,
                      float *__restrict__ Picture) {
  __shared__ float Part[2][Group][Segment];
  const int T = threadIdx.y * 16 + threadIdx.x;
  const int Px = blockIdx.x * 16 + threadIdx.x,
            Py = blockIdx.y * 16 + threadIdx.y;
  const float X = Px - (Side - 1) * 0.5f, Y = Py - (Side - 1) * 0.5f;
  float Sum = 0;
  for (int G = 0; G <= Groups; ++G) {
    if (G < Groups) {
      const int Mine = G * Group + T / Segment;
      __pipeline_memcpy_async(
          &Part[G % 2][T / Segment][T % Segment],
          &Sinogram[Mine * Bins + firstBin(Direction[Mine]) + T % Segment], 4);
    }
    __pipeline_commit();
    if (G == 0)
      continue;
    __pipeline_wait_prior(1);
    __syncthreads();
    Sum += backproject(Part[(G - 1) % 2], (G - 1) * Group, X, Y);
    __syncthreads();
  }
  Picture[Py * Side + Px] = Sum * (3.1415927f / Angles);
}

int main() {
  std::vector<float2> Host(Angles);
  for (int A = 0; A < Angles; ++A) {
    const double Turn = 3.141592653589793 * A / Angles;
    Host[A] = {float(std::cos(Turn)), float(std::sin(Turn))};
  }
  must(cudaMemcpyToSymbol(Direction, Host.data(), sizeof(Direction)));
  const float *Sinogram = input<float>(Angles * Bins);
  float *Expected = output<float>(Side * Side),
        *Out = output<float>(Side * Side);
  Pair P("tomograph-segments-double-buffered");
  P.same(Expected, Out, Side * Side);
  const dim3 Grid(Side / 16, Side / 16), Block(16, 16);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Sinogram, Expected);
    else
      after<<<Grid, Block>>>(Sinogram, Out);
}

// Rule: cuda-memory-narrow-access
// The best of 32 disparities of each pixel of a stereo pair, if it is clearly
// better than the second best: a thread writes all its costs to a volume in
// global memory and reads them back. As advised, a thread handles two
// neighbouring pixels, whose costs it writes and reads as one ushort2.
#include "../Pair.cuh"

constexpr int Width = 1024, Height = 768, Disparities = 32;

struct TwoLeast {
  int First = 1 << 20, Second = 1 << 20, Where = 0;
  __device__ void add(int Cost, int D) {
    if (Cost < First) {
      Second = First;
      First = Cost;
      Where = D;
    } else if (Cost < Second) {
      Second = Cost;
    }
  }
  __device__ uint8_t verdict() const {
    return uint8_t(20 * First <= 19 * Second ? Where + 1 : 0);
  }
};

__device__ int costOf(int Grey, int Slope, const uint8_t *Right,
                      const uint8_t *RightSlope, int At) {
  return abs(Grey - int(Right[At])) + 3 * abs(Slope - int(RightSlope[At]));
}

__global__ void before(const uint8_t *__restrict__ Left,
                       const uint8_t *__restrict__ LeftSlope,
                       const uint8_t *__restrict__ Right,
                       const uint8_t *__restrict__ RightSlope,
                       uint16_t *__restrict__ Volume,
                       uint8_t *__restrict__ Best, int W, int H) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= W || Y >= H)
    return;
  const int At = Y * W + X, Plane = W * H;
  const int Grey = Left[At], Slope = LeftSlope[At];
  for (int D = 0; D < Disparities; ++D)
    Volume[D * Plane + At] = uint16_t(
        costOf(Grey, Slope, Right, RightSlope, Y * W + max(X - D, 0)));
  TwoLeast Least;
  for (int D = 0; D < Disparities; ++D)
    Least.add(Volume[D * Plane + At], D);
  Best[At] = Least.verdict();
}

__global__ void
after(const uint8_t *__restrict__ Left, const uint8_t *__restrict__ LeftSlope,
      const uint8_t *__restrict__ Right, const uint8_t *__restrict__ RightSlope,
      uint16_t *__restrict__ Volume, uint8_t *__restrict__ Best, int W, int H) {
  // W is even.
  const int X = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= W || Y >= H)
    return;
  const int At = Y * W + X, Plane = W * H;
  const uchar2 Grey = *reinterpret_cast<const uchar2 *>(Left + At);
  const uchar2 Slope = *reinterpret_cast<const uchar2 *>(LeftSlope + At);
  for (int D = 0; D < Disparities; ++D) {
    const int A =
        costOf(Grey.x, Slope.x, Right, RightSlope, Y * W + max(X - D, 0));
    const int B =
        costOf(Grey.y, Slope.y, Right, RightSlope, Y * W + max(X + 1 - D, 0));
    *reinterpret_cast<ushort2 *>(Volume + D * Plane + At) =
        make_ushort2(uint16_t(A), uint16_t(B));
  }
  TwoLeast Least, Next;
#pragma unroll
  for (int D = 0; D < Disparities; ++D) {
    const ushort2 Costs =
        *reinterpret_cast<const ushort2 *>(Volume + D * Plane + At);
    Least.add(Costs.x, D);
    Next.add(Costs.y, D);
  }
  *reinterpret_cast<uchar2 *>(Best + At) =
      make_uchar2(Least.verdict(), Next.verdict());
}

int main() {
  constexpr size_t Pixels = size_t(Width) * Height;
  const uint8_t *Images = input<uint8_t>(4 * Pixels, 256);
  uint16_t *Volume = output<uint16_t>(Pixels * Disparities);
  uint8_t *Expected = output<uint8_t>(Pixels), *Out = output<uint8_t>(Pixels);
  Pair P("disparities-without-volume-as-advised");
  P.same(Expected, Out, Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 64, Height / 4), dim3(64, 4)>>>(
          Images, Images + Pixels, Images + 2 * Pixels, Images + 3 * Pixels,
          Volume, Expected, Width, Height);
    else
      after<<<dim3(Width / 128, Height / 4), dim3(64, 4)>>>(
          Images, Images + Pixels, Images + 2 * Pixels, Images + 3 * Pixels,
          Volume, Out, Width, Height);
}

// Rule: cuda-memory-missing-reuse
// Stereo vision: the shift, of 64, at which the census code of a pixel is most
// like one of the other picture. A row's codes from global or shared memory.
#include "Pair.cuh"

constexpr int Width = 1280, Pitch = Width + 64, Height = 720, Shifts = 64;

__global__ void before(const uint32_t *__restrict__ Left,
                       const uint32_t *__restrict__ Right,
                       uint8_t *__restrict__ Best) {
  const int X = blockIdx.x * 128 + threadIdx.x, Y = blockIdx.y;
  const uint32_t Code = Left[Y * Pitch + X];
  int Least = 64 << 8;
  for (int S = 0; S < Shifts; ++S)
    Least = min(Least, __popc(Code ^ Right[Y * Pitch + X + S]) << 8 | S);
  Best[Y * Width + X] = uint8_t(Least);
}

__global__ void after(const uint32_t *__restrict__ Left,
                      const uint32_t *__restrict__ Right,
                      uint8_t *__restrict__ Best) {
  __shared__ uint32_t Codes[128 + Shifts];
  const int X = blockIdx.x * 128 + threadIdx.x, Y = blockIdx.y;
  for (int I = threadIdx.x; I < 128 + Shifts; I += 128)
    Codes[I] = Right[Y * Pitch + blockIdx.x * 128 + I];
  __syncthreads();
  const uint32_t Code = Left[Y * Pitch + X];
  int Least = 64 << 8;
  for (int S = 0; S < Shifts; ++S)
    Least = min(Least, __popc(Code ^ Codes[threadIdx.x + S]) << 8 | S);
  Best[Y * Width + X] = uint8_t(Least);
}

int main() {
  const uint32_t *Left = input<uint32_t>(Pitch * Height, ~0u),
                 *Right = input<uint32_t>(Pitch * Height + 13, ~0u) + 13;
  uint8_t *Expected = output<uint8_t>(Width * Height),
          *Out = output<uint8_t>(Width * Height);
  Pair P("census-disparities-shared");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 128, Height), 128>>>(Left, Right, Expected);
    else
      after<<<dim3(Width / 128, Height), 128>>>(Left, Right, Out);
}

// Rule: cuda-memory-uncoalesced-access
// A picture of floats turned by 50 degrees, with bilinear interpolation: by
// blocks of 256 pixels of a row or of 16x16.
#include "Pair.cuh"

constexpr int Side = 4096;

struct Turn {
  float Cosine, Sine, Centre;
};

__device__ __forceinline__ void turned(const float *In, float *Out, Turn By) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const float DX = X - By.Centre, DY = Y - By.Centre;
  const float FX = fminf(fmaxf(By.Cosine * DX - By.Sine * DY + By.Centre, 0.0f),
                         Side - 2.0f);
  const float FY = fminf(fmaxf(By.Sine * DX + By.Cosine * DY + By.Centre, 0.0f),
                         Side - 2.0f);
  const int IX = int(FX), IY = int(FY);
  const float TX = FX - IX, TY = FY - IY;
  const float *At = In + IY * Side + IX;
  const float Upper = At[0] + TX * (At[1] - At[0]);
  const float Lower = At[Side] + TX * (At[Side + 1] - At[Side]);
  Out[Y * Side + X] = Upper + TY * (Lower - Upper);
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out,
                       Turn By) {
  turned(In, Out, By);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out,
                      Turn By) {
  turned(In, Out, By);
}

int main() {
  const float *In = input<float>(Side * Side);
  float *Expected = output<float>(Side * Side),
        *Out = output<float>(Side * Side);
  const Turn By = {0.64278761f, 0.76604444f, Side / 2};
  Pair P("rotated-image-square-blocks");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 256, Side), dim3(256, 1)>>>(In, Expected, By);
    else
      after<<<dim3(Side / 16, Side / 16), dim3(16, 16)>>>(In, Out, By);
}

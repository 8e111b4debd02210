// Rule: cuda-memory-block-shape
// A Lax-Friedrichs step of the shallow water equations on a grid of finite
// volumes, by blocks of 16 x 16 or 32 x 8 threads.
#include "Pair.cuh"

constexpr int Width = 2500, Height = 1900, N = Width * Height;

struct Water {
  float H, U, V;
};

__device__ Water at(const float *State, int X, int Y) {
  const int I = min(max(Y, 0), Height - 1) * Width + min(max(X, 0), Width - 1);
  return {1 + State[I], State[N + I], State[2 * N + I]};
}

__device__ Water fluxX(Water W) {
  return {W.U, W.U * W.U / W.H + 4.9f * W.H * W.H, W.U * W.V / W.H};
}

__device__ Water fluxY(Water W) {
  return {W.V, W.U * W.V / W.H, W.V * W.V / W.H + 4.9f * W.H * W.H};
}

__device__ void step(const float *__restrict__ State, float *__restrict__ Out,
                     int X, int Y) {
  const float Rate = 0.05f;
  const Water L = at(State, X - 1, Y), R = at(State, X + 1, Y),
              D = at(State, X, Y - 1), U = at(State, X, Y + 1);
  const Water Fl = fluxX(L), Fr = fluxX(R), Fd = fluxY(D), Fu = fluxY(U);
  const int I = Y * Width + X;
  Out[I] = (L.H + R.H + D.H + U.H) / 4 - Rate * (Fr.H - Fl.H + Fu.H - Fd.H) - 1;
  Out[N + I] = (L.U + R.U + D.U + U.U) / 4 - Rate * (Fr.U - Fl.U + Fu.U - Fd.U);
  Out[2 * N + I] =
      (L.V + R.V + D.V + U.V) / 4 - Rate * (Fr.V - Fl.V + Fu.V - Fd.V);
}

__global__ void before(const float *__restrict__ State,
                       float *__restrict__ Out) {
  const int X = blockIdx.x * 16 + threadIdx.x,
            Y = blockIdx.y * 16 + threadIdx.y;
  if (X < Width && Y < Height)
    step(State, Out, X, Y);
}

__global__ void after(const float *__restrict__ State,
                      float *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  if (X < Width && Y < Height)
    step(State, Out, X, Y);
}

int main() {
  const float *State = input<float>(3 * N);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("shallow-water-step-block-32x8");
  P.same(Expected, Out, 3 * N);
  const dim3 Square((Width + 15) / 16, (Height + 15) / 16),
      Wide((Width + 31) / 32, (Height + 7) / 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Square, dim3(16, 16)>>>(State, Expected);
    else
      after<<<Wide, dim3(32, 8)>>>(State, Out);
}

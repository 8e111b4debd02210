// Rule: cuda-memory-array-of-structs
// A step of the optimizer FTRL-Proximal over four million coordinates of a
// click model. The state of a coordinate is a structure of four floats, or each
// of the four has an array of its own.
#include "Pair.cuh"

constexpr int N = 1 << 22;
constexpr float Alpha = 0.1f, Beta = 1, L1 = 0.3f, L2 = 0.01f;

struct alignas(16) State {
  float Z, Squares, Weight, Touched;
};

__device__ void step(State &S, float Gradient) {
  const float G = Gradient - 0.5f;
  const float Old = sqrtf(S.Squares), New = sqrtf(S.Squares + G * G);
  S.Z += G - (New - Old) / Alpha * S.Weight;
  S.Squares += G * G;
  S.Touched += fabsf(G) > 0.01f ? 1 : 0;
  const float Shrunk = fabsf(S.Z) - L1;
  S.Weight =
      Shrunk <= 0 ? 0 : -copysignf(Shrunk, S.Z) / ((Beta + New) / Alpha + L2);
}

__global__ void before(const float *__restrict__ Gradient,
                       State *__restrict__ States) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  State S = States[I];
  step(S, Gradient[I]);
  States[I] = S;
}

__global__ void after(const float *__restrict__ Gradient, float *__restrict__ Z,
                      float *__restrict__ Squares, float *__restrict__ Weight,
                      float *__restrict__ Touched) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  State S = {Z[I], Squares[I], Weight[I], Touched[I]};
  step(S, Gradient[I]);
  Z[I] = S.Z;
  Squares[I] = S.Squares;
  Weight[I] = S.Weight;
  Touched[I] = S.Touched;
}

int main() {
  const float *Gradient = input<float>(N);
  float *Expected = input<float>(4 * N);
  float *Out = arranged(Expected, 4 * N, 4 * N,
                        [](size_t I) { return I % N * 4 + I / N; });
  Pair P("ftrl-state-in-planes");
  P.same(Expected, Out, 4 * N, [](size_t I) { return I % 4 * N + I / 4; });
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Gradient, (State *)Expected);
    else
      after<<<N / 256, 256>>>(Gradient, Out, Out + N, Out + 2 * N, Out + 3 * N);
}

// Rule: cuda-memory-array-of-structs
// Stars of eight numbers, all of which are read: records of 32 aligned bytes,
// or eight arrays.
#include "Pair.cuh"

constexpr int N = 1 << 22;

struct alignas(16) Star {
  float X, Y, Z, Parallax, U, V, W, Magnitude;
};

struct Planes {
  const float *X, *Y, *Z, *Parallax, *U, *V, *W, *Magnitude;
};

__device__ float apparent(const Star &S, float Years) {
  const float X = S.X + Years * S.U, Y = S.Y + Years * S.V;
  const float Z = S.Z + Years * S.W;
  const float Away = sqrtf(X * X + Y * Y + Z * Z) / (S.Parallax + 0.1f);
  return S.Magnitude + 5 * log10f(Away + 0.01f);
}

__global__ void before(const Star *Stars, float Years, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Star S = Stars[I];
  Out[I] = apparent(S, Years);
}

__global__ void after(Planes P, float Years, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Star S = {P.X[I], P.Y[I], P.Z[I], P.Parallax[I],
                  P.U[I], P.V[I], P.W[I], P.Magnitude[I]};
  Out[I] = apparent(S, Years);
}

int main() {
  const float *In = input<float>(8 * N);
  const float *A =
      arranged(In, 8 * N, 8 * N, [](size_t I) { return I % N * 8 + I / N; });
  const Planes Apart = {A,         A + N,     A + 2 * N, A + 3 * N,
                        A + 4 * N, A + 5 * N, A + 6 * N, A + 7 * N};
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("stars-records-planes");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Star *)In, 2.5f, Expected);
    else
      after<<<N / 256, 256>>>(Apart, 2.5f, Out);
}

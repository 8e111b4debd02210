// Rule: ?
// The gradient through GELU and dropout, four values a thread: what was dropped
// is read from the mask in bytes that the forward pass left, or found anew by
// the counter-based generator (Philox, ten rounds).
#include "Pair.cuh"

constexpr int N = 1 << 23;
constexpr float Scale = 1 / 0.9f;

struct Draw {
  unsigned Word[4];
};

__host__ __device__ inline Draw philox(unsigned Counter) {
  unsigned A = Counter, B = 0, C = 17, D = 0, Key = 42, OtherKey = 1234;
  for (int Round = 0; Round < 10; ++Round) {
    const uint64_t Left = uint64_t(0xd2511f53u) * A;
    const uint64_t Right = uint64_t(0xcd9e8d57u) * C;
    A = unsigned(Right >> 32) ^ B ^ Key;
    B = unsigned(Right);
    C = unsigned(Left >> 32) ^ D ^ OtherKey;
    D = unsigned(Left);
    Key += 0x9e3779b9u;
    OtherKey += 0xbb67ae85u;
  }
  return {{A, B, C, D}};
}

__host__ __device__ inline bool keeps(unsigned Word) {
  return Word < 3865470566u; // nine of ten
}

__device__ float slope(float X) {
  const float Inner = 0.79788456f * (X + 0.044715f * X * X * X);
  const float Tanh = 1 - 2 / (__expf(2 * Inner) + 1);
  return 0.5f * (1 + Tanh) + 0.5f * X * (1 - Tanh * Tanh) * 0.79788456f *
                                 (1 + 0.134145f * X * X);
}

__global__ void before(const float4 *__restrict__ Activation,
                       const float4 *__restrict__ Gradient,
                       const uchar4 *__restrict__ Mask,
                       float4 *__restrict__ Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float4 X = Activation[I], G = Gradient[I];
  const uchar4 Kept = Mask[I];
  float4 Result;
  Result.x = Kept.x ? G.x * Scale * slope(X.x) : 0;
  Result.y = Kept.y ? G.y * Scale * slope(X.y) : 0;
  Result.z = Kept.z ? G.z * Scale * slope(X.z) : 0;
  Result.w = Kept.w ? G.w * Scale * slope(X.w) : 0;
  Out[I] = Result;
}

__global__ void after(const float4 *__restrict__ Activation,
                      const float4 *__restrict__ Gradient,
                      float4 *__restrict__ Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float4 X = Activation[I], G = Gradient[I];
  const Draw Drawn = philox(I);
  float4 Result;
  Result.x = keeps(Drawn.Word[0]) ? G.x * Scale * slope(X.x) : 0;
  Result.y = keeps(Drawn.Word[1]) ? G.y * Scale * slope(X.y) : 0;
  Result.z = keeps(Drawn.Word[2]) ? G.z * Scale * slope(X.z) : 0;
  Result.w = keeps(Drawn.Word[3]) ? G.w * Scale * slope(X.w) : 0;
  Out[I] = Result;
}

int main() {
  const float *Both = input<float>(2 * N);
  std::vector<unsigned char> Kept(N);
  for (int I = 0; I < N; I += 4) {
    const Draw Drawn = philox(I / 4);
    for (int Lane = 0; Lane < 4; ++Lane)
      Kept[I + Lane] = keeps(Drawn.Word[Lane]);
  }
  const unsigned char *Mask = onDevice(Kept);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("dropout-mask-recomputed");
  P.same(Expected, Out, N);
  const float4 *Activation = (const float4 *)Both,
               *Gradient = Activation + N / 4;
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 1024, 256>>>(Activation, Gradient, (const uchar4 *)Mask,
                                (float4 *)Expected);
    else
      after<<<N / 1024, 256>>>(Activation, Gradient, (float4 *)Out);
}

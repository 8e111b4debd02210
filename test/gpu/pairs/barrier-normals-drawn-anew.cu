// Rule: ?
// Averages along paths of an asset that is lost at a barrier, with the chance
// that it was crossed between two of the 64 steps: the normal numbers lie in
// memory, step by step, or each thread draws them anew by ten rounds of Philox
// for four of them.
#include "Pair.cuh"

constexpr int Paths = 1 << 19, Steps = 64;

// Four words from a counter and a key.
__host__ __device__ inline uint4 drawn(unsigned Path, unsigned Group,
                                       unsigned Seed) {
  uint4 C = {Path, Group, 0, 0};
  unsigned KeyA = Seed, KeyB = 0x1234567;
#pragma unroll
  for (int Round = 0; Round < 10; ++Round) {
    const uint64_t A = uint64_t(0xD2511F53u) * C.x;
    const uint64_t B = uint64_t(0xCD9E8D57u) * C.z;
    C = {unsigned(B >> 32) ^ C.y ^ KeyA, unsigned(B),
         unsigned(A >> 32) ^ C.w ^ KeyB, unsigned(A)};
    KeyA += 0x9E3779B9u;
    KeyB += 0xBB67AE85u;
  }
  return C;
}

// From 0 to 1, neither of which it is.
__host__ __device__ inline float fraction(unsigned Word) {
  return (Word >> 8) * (1.0f / (1 << 24)) + 0.5f / (1 << 24);
}

struct Walk {
  float Log = 0, Alive = 1, Sum = 0;

  // The barrier lies at Low; Scale is -2 over the variance of a step.
  __device__ void step(float Normal, float Drift, float Volatility, float Low,
                       float Scale) {
    const float Next = Log + Drift + Volatility * Normal;
    const float Crossed =
        __expf(fminf(Scale * (Log - Low) * (Next - Low), 0.0f));
    Alive *= 1.0f - Crossed;
    Sum += __expf(Next);
    Log = fmaxf(Next, Low);
  }
};

__global__ void before(const float *__restrict__ Normal, float Drift,
                       float Volatility, float Low, float Scale,
                       float *__restrict__ Paid) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Walk W;
#pragma unroll 4
  for (int S = 0; S < Steps; ++S)
    W.step(Normal[S * Paths + I], Drift, Volatility, Low, Scale);
  Paid[I] = W.Alive * fmaxf(W.Sum / Steps - 0.9f, 0.0f);
}

__device__ float2 normals(unsigned A, unsigned B) {
  const float Radius = sqrtf(-2.0f * logf(fraction(A)));
  float Sine, Cosine;
  sincospif(2.0f * fraction(B), &Sine, &Cosine);
  return {Radius * Cosine, Radius * Sine};
}

__global__ void after(unsigned Seed, float Drift, float Volatility, float Low,
                      float Scale, float *__restrict__ Paid) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Walk W;
  for (int Group = 0; Group < Steps / 4; ++Group) {
    const uint4 Words = drawn(I, Group, Seed);
    const float2 A = normals(Words.x, Words.y), B = normals(Words.z, Words.w);
    W.step(A.x, Drift, Volatility, Low, Scale);
    W.step(A.y, Drift, Volatility, Low, Scale);
    W.step(B.x, Drift, Volatility, Low, Scale);
    W.step(B.y, Drift, Volatility, Low, Scale);
  }
  Paid[I] = W.Alive * fmaxf(W.Sum / Steps - 0.9f, 0.0f);
}

int main() {
  constexpr unsigned Seed = 42;
  std::vector<float> Drawn(size_t(Paths) * Steps);
  for (int Group = 0; Group < Steps / 4; ++Group)
    for (int I = 0; I < Paths; ++I) {
      const uint4 Words = drawn(I, Group, Seed);
      float *To = &Drawn[size_t(4 * Group) * Paths + I];
      for (const auto &[A, B] : {std::pair(Words.x, Words.y),
                                 std::pair(Words.z, Words.w)}) {
        const float Radius = std::sqrt(-2.0f * std::log(fraction(A)));
        const double Angle = 2 * 3.14159265358979323846 * fraction(B);
        To[0] = float(Radius * std::cos(Angle));
        To[Paths] = float(Radius * std::sin(Angle));
        To += 2 * Paths;
      }
    }
  const float *Normal = onDevice(Drawn);
  constexpr float Volatility = 0.3f / 8;
  constexpr float Drift = -0.5f * Volatility * Volatility;
  constexpr float Scale = -2.0f / (Volatility * Volatility), Low = -0.3f;
  float *Expected = output<float>(Paths), *Out = output<float>(Paths);
  Pair P("barrier-normals-drawn-anew");
  P.same(Expected, Out, Paths);
  while (P.next())
    if (P.beforesTurn())
      before<<<Paths / 256, 256>>>(Normal, Drift, Volatility, Low, Scale,
                                   Expected);
    else
      after<<<Paths / 256, 256>>>(Seed, Drift, Volatility, Low, Scale, Out);
}

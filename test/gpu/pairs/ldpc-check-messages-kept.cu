// Rule: cuda-memory-repeated-pass
// The check nodes of an LDPC decoder by normalised min-sum, many frames at
// once: what each check hears of its eight bits is read for the two least and
// the sign and then once more for the answers, or kept in registers between.
#include "Pair.cuh"

constexpr int Checks = 2048, Bits = 4096, Degree = 8, Frames = 256;

struct Least {
  float First = INFINITY, Second = INFINITY;
  int Where = -1;
  bool Negative = false;

  __device__ void hear(float Value, int K) {
    const float Size = fabsf(Value);
    Negative ^= Value < 0;
    if (Size < First) {
      Second = First;
      First = Size;
      Where = K;
    } else if (Size < Second) {
      Second = Size;
    }
  }

  __device__ float answer(float Value, int K) const {
    const float Size = 0.75f * (K == Where ? Second : First);
    return Negative != (Value < 0) ? -Size : Size;
  }
};

__global__ void before(const int *BitOfEdge, const float *Beliefs,
                       float *Messages) {
  const int Frame = threadIdx.x, Check = blockIdx.x;
  const int *Edges = BitOfEdge + Check * Degree;
  float *Mine = Messages + size_t(Check) * Degree * Frames + Frame;
  Least L;
  for (int K = 0; K < Degree; ++K)
    L.hear(Beliefs[Edges[K] * Frames + Frame] - Mine[K * Frames], K);
  for (int K = 0; K < Degree; ++K) {
    const float Heard = Beliefs[Edges[K] * Frames + Frame] - Mine[K * Frames];
    Mine[K * Frames] = L.answer(Heard, K);
  }
}

__global__ void after(const int *BitOfEdge, const float *Beliefs,
                      float *Messages) {
  const int Frame = threadIdx.x, Check = blockIdx.x;
  const int *Edges = BitOfEdge + Check * Degree;
  float *Mine = Messages + size_t(Check) * Degree * Frames + Frame;
  Least L;
  float Heard[Degree];
#pragma unroll
  for (int K = 0; K < Degree; ++K) {
    Heard[K] = Beliefs[Edges[K] * Frames + Frame] - Mine[K * Frames];
    L.hear(Heard[K], K);
  }
#pragma unroll
  for (int K = 0; K < Degree; ++K)
    Mine[K * Frames] = L.answer(Heard[K], K);
}

int main() {
  constexpr size_t Count = size_t(Checks) * Degree * Frames;
  std::vector<int> Edges(Checks * Degree);
  for (int I = 0; I < Checks * Degree; ++I)
    Edges[I] = (I % Degree * (Bits / Degree)) + mixed(I) % (Bits / Degree);
  const int *BitOfEdge = onDevice(Edges);
  std::vector<float> Host(size_t(Bits) * Frames);
  for (size_t I = 0; I < Host.size(); ++I)
    Host[I] = float(mixed(I)) / 2147483648.0f - 0.6f;
  const float *Beliefs = onDevice(Host);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("ldpc-check-messages-kept");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Checks, Frames>>>(BitOfEdge, Beliefs, Expected);
    else
      after<<<Checks, Frames>>>(BitOfEdge, Beliefs, Out);
}

// Rule: cuda-memory-misaligned
// Logarithmic power of radar echoes, halves in and floats out: rows of 1001
// range gates one after another, so that most rows begin within a sector, or
// at a pitch of 1024.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int Gates = 1001, Pitch = 1024, Pulses = 8192;
constexpr size_t Count = size_t(Pulses) * Pitch;

__device__ float decibels(__half I, __half Q, float Noise) {
  const float A = __half2float(I), B = __half2float(Q);
  return 10.0f * __log10f(fmaxf(A * A + B * B, Noise));
}

__global__ void before(const __half *InPhase, const __half *Quadrature,
                       float *Power, int GateCount, float Noise) {
  const int Gate = blockIdx.x * blockDim.x + threadIdx.x;
  if (Gate >= GateCount)
    return;
  const size_t At = size_t(blockIdx.y) * GateCount + Gate;
  Power[At] = decibels(InPhase[At], Quadrature[At], Noise);
}

__global__ void after(const __half *InPhase, const __half *Quadrature,
                      float *Power, int GateCount, int RowPitch, float Noise) {
  const int Gate = blockIdx.x * blockDim.x + threadIdx.x;
  if (Gate >= GateCount)
    return;
  const size_t At = size_t(blockIdx.y) * RowPitch + Gate;
  Power[At] = decibels(InPhase[At], Quadrature[At], Noise);
}

int main() {
  constexpr size_t Tight = size_t(Pulses) * Gates;
  const __half *I = input<__half>(Tight, 200), *Q = input<__half>(Tight, 150);
  const auto Source = [](size_t At) {
    return At / Pitch * Gates + std::min<size_t>(At % Pitch, Gates - 1);
  };
  const __half *PaddedI = arranged(I, Tight, Count, Source),
               *PaddedQ = arranged(Q, Tight, Count, Source);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("range-gates-padded-pitch");
  // What follows the tight rows is zero, as is the padding.
  P.same(Expected, Out, Count, [](size_t At) {
    return At < Tight ? At / Gates * Pitch + At % Gates : size_t(Gates);
  });
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(4, Pulses), 256>>>(I, Q, Expected, Gates, 2.0f);
    else
      after<<<dim3(4, Pulses), 256>>>(PaddedI, PaddedQ, Out, Gates, Pitch,
                                      2.0f);
}

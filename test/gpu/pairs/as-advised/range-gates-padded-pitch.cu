// Rule: cuda-memory-narrow-access
// Logarithmic power of radar echoes, halves in and floats out, in rows of 1001
// range gates one after another. As advised, a thread handles two neighbours
// as a half2: all rows as one, as those of odd number begin within a half2.
#include "../Pair.cuh"
#include <cuda_fp16.h>

constexpr int Gates = 1001, Pulses = 8192;

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
                      float *Power, size_t Count, float Noise) {
  const size_t At = 2 * (blockIdx.x * size_t(blockDim.x) + threadIdx.x);
  if (At + 1 < Count) {
    const __half2 I = *(const __half2 *)(InPhase + At);
    const __half2 Q = *(const __half2 *)(Quadrature + At);
    *(float2 *)(Power + At) =
        make_float2(decibels(I.x, Q.x, Noise), decibels(I.y, Q.y, Noise));
  } else if (At < Count) {
    Power[At] = decibels(InPhase[At], Quadrature[At], Noise);
  }
}

int main() {
  constexpr size_t Count = size_t(Pulses) * Gates;
  const __half *I = input<__half>(Count, 200), *Q = input<__half>(Count, 150);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("range-gates-padded-pitch-as-advised");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(4, Pulses), 256>>>(I, Q, Expected, Gates, 2.0f);
    else
      after<<<(Count / 2 + 256) / 256, 256>>>(I, Q, Out, Count, 2.0f);
}

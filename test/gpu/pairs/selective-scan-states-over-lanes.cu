// Rule: cuda-memory-few-warps
// The recurrent scan of a state space model (Mamba): sixteen states a channel,
// by one thread that keeps all of them or by four lanes that keep four each
// and add up their parts of the output.
#include "Pair.cuh"

constexpr int Batch = 4, Length = 256, Channels = 2048, States = 16;

struct Scan {
  const float *__restrict__ U;     // [Batch][Length][Channels]
  const float *__restrict__ Delta; // [Batch][Length][Channels]
  const float *__restrict__ A;     // [Channels][States]
  const float *__restrict__ B;     // [Batch][Length][States]
  const float *__restrict__ C;     // [Batch][Length][States]
  const float *__restrict__ Skip;  // [Channels]
};

__device__ inline float softplus(float X) {
  return X > 20.f ? X : __logf(1.f + __expf(X));
}

__global__ void before(Scan S, float *__restrict__ Y) {
  const int Channel = blockIdx.x * blockDim.x + threadIdx.x;
  const int B = blockIdx.y;
  float A[States], H[States];
#pragma unroll
  for (int N = 0; N < States; ++N) {
    A[N] = -S.A[Channel * States + N];
    H[N] = 0.f;
  }
  const float Skip = S.Skip[Channel];
  for (int T = 0; T < Length; ++T) {
    const size_t Step = size_t(B) * Length + T;
    const float Dt = softplus(S.Delta[Step * Channels + Channel]);
    const float X = S.U[Step * Channels + Channel];
    float Sum = 0.f;
#pragma unroll
    for (int N = 0; N < States; ++N) {
      H[N] = __expf(Dt * A[N]) * H[N] + Dt * S.B[Step * States + N] * X;
      Sum += S.C[Step * States + N] * H[N];
    }
    Y[Step * Channels + Channel] = Sum + Skip * X;
  }
}

__global__ void after(Scan S, float *__restrict__ Y) {
  constexpr int Lanes = 4, Own = States / Lanes;
  const int Thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int Channel = Thread / Lanes, First = Thread % Lanes * Own;
  const int B = blockIdx.y;
  float A[Own], H[Own];
#pragma unroll
  for (int N = 0; N < Own; ++N) {
    A[N] = -S.A[Channel * States + First + N];
    H[N] = 0.f;
  }
  const float Skip = S.Skip[Channel];
  for (int T = 0; T < Length; ++T) {
    const size_t Step = size_t(B) * Length + T;
    const float Dt = softplus(S.Delta[Step * Channels + Channel]);
    const float X = S.U[Step * Channels + Channel];
    float Sum = 0.f;
#pragma unroll
    for (int N = 0; N < Own; ++N) {
      H[N] = __expf(Dt * A[N]) * H[N] + Dt * S.B[Step * States + First + N] * X;
      Sum += S.C[Step * States + First + N] * H[N];
    }
    Sum += __shfl_xor_sync(~0u, Sum, 1);
    Sum += __shfl_xor_sync(~0u, Sum, 2);
    if (First == 0)
      Y[Step * Channels + Channel] = Sum + Skip * X;
  }
}

int main() {
  constexpr size_t Count = size_t(Batch) * Length * Channels;
  const Scan S = {input<float>(Count),
                  input<float>(Count),
                  input<float>(Channels * States),
                  input<float>(Batch * Length * States),
                  input<float>(Batch * Length * States),
                  input<float>(Channels)};
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("selective-scan-states-over-lanes");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Channels / 128, Batch), 128>>>(S, Expected);
    else
      after<<<dim3(Channels * 4 / 128, Batch), 128>>>(S, Out);
}

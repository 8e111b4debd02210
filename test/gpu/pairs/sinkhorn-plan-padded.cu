// Rule: cuda-memory-bank-conflict
// Distances between documents of 64 words each by optimal transport: Sinkhorn's
// iteration scales the rows and the columns of a kernel matrix in shared memory
// in turns. When lanes have rows, a pitch of 64 words puts all of them into one
// bank, one of 65 does not.
#include "Pair.cuh"

constexpr int Points = 64, Problems = 2048, Rounds = 20, Quarter = Points / 4;
constexpr float Sharpness = 8;

/// Sums up what the four quarters of the block have, and divides.
__device__ void rescale(float Part, float (*Parts)[Points], float *Scaling) {
  const int Mine = threadIdx.x % Points;
  Parts[threadIdx.x / Points][Mine] = Part;
  __syncthreads();
  if (threadIdx.x < Points)
    Scaling[Mine] = (1.0f / Points) / (Parts[0][Mine] + Parts[1][Mine] +
                                       Parts[2][Mine] + Parts[3][Mine]);
  __syncthreads();
}

template <int Pitch>
__device__ void transport(const float *Cost, float *Potentials,
                          float *Cheapest) {
  __shared__ float Kernel[Points * Pitch];
  __shared__ float Parts[4][Points], U[Points], V[Points];
  const int Mine = threadIdx.x % Points, First = threadIdx.x / Points * Quarter;
  for (int I = First; I < First + Quarter; ++I)
    Kernel[I * Pitch + Mine] = __expf(-Sharpness * Cost[I * Points + Mine]);
  if (threadIdx.x < Points)
    V[Mine] = 1;
  __syncthreads();
  for (int R = 0; R < Rounds; ++R) {
    float OfRow = 0, OfColumn = 0;
#pragma unroll
    for (int J = First; J < First + Quarter; ++J)
      OfRow += Kernel[Mine * Pitch + J] * V[J];
    rescale(OfRow, Parts, U);
#pragma unroll
    for (int I = First; I < First + Quarter; ++I)
      OfColumn += Kernel[I * Pitch + Mine] * U[I];
    rescale(OfColumn, Parts, V);
  }
  float Paid = 0;
  for (int I = First; I < First + Quarter; ++I)
    Paid += U[I] * Kernel[I * Pitch + Mine] * Cost[I * Points + Mine];
  Parts[threadIdx.x / Points][Mine] = Paid * V[Mine];
  __syncthreads();
  if (threadIdx.x < 32) {
    float Sum = 0;
    for (int Q = 0; Q < 4; ++Q)
      Sum += Parts[Q][threadIdx.x] + Parts[Q][threadIdx.x + 32];
    for (int Offset = 16; Offset > 0; Offset /= 2)
      Sum += __shfl_xor_sync(0xffffffff, Sum, Offset);
    if (threadIdx.x == 0)
      *Cheapest = Sum;
  }
  if (threadIdx.x < Points)
    Potentials[Mine] = __logf(U[Mine]) / Sharpness;
}

__global__ void before(const float *__restrict__ Cost,
                       float *__restrict__ Potentials,
                       float *__restrict__ Distance) {
  transport<Points>(Cost + size_t(blockIdx.x) * Points * Points,
                    Potentials + blockIdx.x * Points, Distance + blockIdx.x);
}

__global__ void after(const float *__restrict__ Cost,
                      float *__restrict__ Potentials,
                      float *__restrict__ Distance) {
  transport<Points + 1>(Cost + size_t(blockIdx.x) * Points * Points,
                        Potentials + blockIdx.x * Points,
                        Distance + blockIdx.x);
}

int main() {
  const float *Cost = input<float>(size_t(Problems) * Points * Points);
  float *PotentialsA = output<float>(Problems * Points),
        *PotentialsB = output<float>(Problems * Points);
  float *Expected = output<float>(Problems), *Out = output<float>(Problems);
  Pair P("sinkhorn-plan-padded");
  P.same(PotentialsA, PotentialsB, Problems * Points);
  P.same(Expected, Out, Problems);
  while (P.next())
    if (P.beforesTurn())
      before<<<Problems, 256>>>(Cost, PotentialsA, Expected);
    else
      after<<<Problems, 256>>>(Cost, PotentialsB, Out);
}

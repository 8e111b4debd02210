// Rule: cuda-memory-uncoalesced-access
// A Householder reflection of each column of a column-major matrix, as in a QR
// factorisation: a thread walks down each column, or a warp does.
#include "Pair.cuh"

constexpr int Rows = 500, Columns = 16384;

__global__ void before(const float *__restrict__ A, const float *__restrict__ V,
                       float Tau, float *__restrict__ Out) {
  const int J = blockIdx.x * blockDim.x + threadIdx.x;
  if (J >= Columns)
    return;
  const float *Column = A + J * Rows;
  float Dot = 0;
  for (int I = 0; I < Rows; ++I)
    Dot += V[I] * Column[I];
  Dot *= Tau;
  for (int I = 0; I < Rows; ++I)
    Out[J * Rows + I] = Column[I] - Dot * V[I];
}

__global__ void after(const float *__restrict__ A, const float *__restrict__ V,
                      float Tau, float *__restrict__ Out) {
  const int J = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  if (J >= Columns)
    return;
  const float *Column = A + J * Rows;
  float Dot = 0;
  for (int I = Lane; I < Rows; I += 32)
    Dot += V[I] * Column[I];
  for (int Step = 16; Step > 0; Step /= 2)
    Dot += __shfl_xor_sync(~0u, Dot, Step);
  Dot *= Tau;
  for (int I = Lane; I < Rows; I += 32)
    Out[J * Rows + I] = Column[I] - Dot * V[I];
}

int main() {
  constexpr int Count = Rows * Columns;
  const float *A = input<float>(Count), *V = input<float>(Rows);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("householder-warp-per-column");
  P.same(Expected, Out, Count);
  // The reflection preserves lengths if Tau is 2 over the square of V.
  const float Tau = 2 / (Rows / 3.f);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Columns + 127) / 128, 128>>>(A, V, Tau, Expected);
    else
      after<<<(Columns + 7) / 8, 256>>>(A, V, Tau, Out);
}

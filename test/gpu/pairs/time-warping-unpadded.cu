// Rule: cuda-memory-bank-conflict
// Dynamic time warping of two series of 32 samples by a warp that goes along
// the diagonals of a table in shared memory, whose rows are of 33 or 32 words.
#include "Pair.cuh"

constexpr int Pairs = 1 << 14, Length = 32, Warps = 4;

template <int Pitch>
__device__ void warping(const float *A, const float *B, float *Costs) {
  __shared__ float Tables[Warps][Length * Pitch], Series[Warps][Length];
  const int Row = threadIdx.x, Pair = blockIdx.x * Warps + threadIdx.y;
  float *Table = Tables[threadIdx.y], *Other = Series[threadIdx.y];
  const float Mine = A[Pair * Length + Row];
  Other[Row] = B[Pair * Length + Row];
  __syncwarp();
  for (int D = 0; D < 2 * Length - 1; ++D) {
    const int Column = D - Row;
    if (Column >= 0 && Column < Length) {
      float *Cell = Table + Row * Pitch + Column;
      float Least = D == 0 ? 0 : 1e30f;
      if (Row > 0)
        Least = fminf(Least, Cell[-Pitch]);
      if (Column > 0)
        Least = fminf(Least, Cell[-1]);
      if (Row > 0 && Column > 0)
        Least = fminf(Least, Cell[-Pitch - 1]);
      *Cell = Least + fabsf(Mine - Other[Column]);
    }
    __syncwarp();
  }
  Costs[Pair * Length + Row] = Table[(Length - 1) * Pitch + Row];
}

__global__ void before(const float *A, const float *B, float *Costs) {
  warping<33>(A, B, Costs);
}

__global__ void after(const float *A, const float *B, float *Costs) {
  warping<32>(A, B, Costs);
}

int main() {
  constexpr int Count = Pairs * Length;
  const float *A = input<float>(Count), *B = input<float>(Count + 9) + 9;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("time-warping-unpadded");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pairs / Warps, dim3(32, Warps)>>>(A, B, Expected);
    else
      after<<<Pairs / Warps, dim3(32, Warps)>>>(A, B, Out);
}

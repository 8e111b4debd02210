// Rule: cuda-memory-few-warps
// Means of 1024 columns of 16384 rows: a thread a column, or 32 warps a block
// that share out its 32 columns' rows.
#include "Pair.cuh"

constexpr int Rows = 16384, Columns = 1024, Parts = 32;

__global__ void before(const float *__restrict__ In, float *__restrict__ Out,
                       int Rows) {
  const int C = blockIdx.x * 128 + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < Rows; ++R)
    Sum += In[R * Columns + C];
  Out[C] = Sum / Rows;
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out,
                      int Rows) {
  __shared__ float Part[Parts][32];
  const int C = blockIdx.x * 32 + threadIdx.x;
  float Sum = 0;
  for (int R = threadIdx.y; R < Rows; R += Parts)
    Sum += In[R * Columns + C];
  Part[threadIdx.y][threadIdx.x] = Sum;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int P = 1; P < Parts; ++P)
      Sum += Part[P][threadIdx.x];
    Out[C] = Sum / Rows;
  }
}

int main() {
  const float *In = input<float>(Rows * Columns);
  float *Expected = output<float>(Columns), *Out = output<float>(Columns);
  Pair P("column-means-of-wide-table");
  P.same(Expected, Out, Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Columns / 128, 128>>>(In, Expected, Rows);
    else
      after<<<Columns / 32, dim3(32, Parts)>>>(In, Out, Rows);
}

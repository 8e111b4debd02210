// Rule: cuda-memory-needless-staging
// Columns are scaled and shifted by what the block has copied into shared memory
// first, two arrays behind one barrier, or by what it loads from global memory.
#include "Pair.cuh"

constexpr int Columns = 64, Rows = 160000;

__global__ void before(const float *In, const float *Scale, const float *Shift,
                       float *Out) {
  __shared__ float A[Columns], B[Columns];
  if (threadIdx.y == 0) {
    A[threadIdx.x] = Scale[threadIdx.x];
    B[threadIdx.x] = Shift[threadIdx.x];
  }
  __syncthreads();
  const int I = (blockIdx.x * 4 + threadIdx.y) * Columns + threadIdx.x;
  Out[I] = In[I] * A[threadIdx.x] + B[threadIdx.x];
}

__global__ void after(const float *In, const float *Scale, const float *Shift,
                      float *Out) {
  const int I = (blockIdx.x * 4 + threadIdx.y) * Columns + threadIdx.x;
  Out[I] = In[I] * Scale[threadIdx.x] + Shift[threadIdx.x];
}

int main() {
  const float *In = input<float>(Rows * Columns), *Scale = input<float>(Columns),
              *Shift = input<float>(Columns);
  float *Expected = output<float>(Rows * Columns),
        *Out = output<float>(Rows * Columns);
  Pair P("rows-scaled-and-shifted-direct");
  P.same(Expected, Out, Rows * Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 4, dim3(Columns, 4)>>>(In, Scale, Shift, Expected);
    else
      after<<<Rows / 4, dim3(Columns, 4)>>>(In, Scale, Shift, Out);
}

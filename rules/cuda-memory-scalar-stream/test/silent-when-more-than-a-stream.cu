// An element per thread, and yet no stream that vectors would make shorter: the
// block turns its elements round, lanes take every other one, a thread reads its
// column downwards, the vector is there already, or a measurement does the same over
// and over.
//
// RUN: %checkpriced --checks='-*,cuda-memory-scalar-stream' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 5 kernels, 12 of 12 accesses judged

constexpr int N = 1 << 24;

__global__ void reverses(const float *In, float *Out) {
  __shared__ float Tile[256];
  const int First = blockIdx.x * 256;
  Tile[threadIdx.x] = In[First + threadIdx.x];
  __syncthreads();
  Out[First + threadIdx.x] = Tile[255 - threadIdx.x];
}

__global__ void halves(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[2 * I];
}

__global__ void sumsColumns(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < 64; ++J)
    Sum += In[J * (N / 64) + I];
  Out[I] = Sum;
}

__global__ void copies(const double2 *In, double2 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I];
}

__global__ void repeats(const float *In, float *Out, int Times) {
  for (int T = 0; T < Times; ++T)
    Out[threadIdx.x] = __any_sync(~0u, In[threadIdx.x] > 0);
}

void launch(const float *In, float *Out) {
  repeats<<<1, 128>>>(In, Out, 1000);
  reverses<<<N / 256, 256>>>(In, Out);
  halves<<<N / 512, 256>>>(In, Out);
  sumsColumns<<<N / 64 / 256, 256>>>(In, Out);
  copies<<<N / 4 / 256, 256>>>((const double2 *)In, (double2 *)Out);
}

// Of two loops the second stores what it computes of each element from what the
// first has found, and registers have no room for a row. Rows that others of
// the block load, too, elements that a window comes to again, and neighbours
// that a round loads are not what a thread has loaded in a loop before.
//
// RUN: %checkpriced --checks='-*,cuda-memory-repeated-pass' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 6 kernels

constexpr int Rows = 4096, Long = 32768, Threads = 256;

__global__ void normalised(const float *In, float *Out) {
  __shared__ float Part[Threads];
  const float *Row = In + size_t(blockIdx.x) * Long;
  float Sum = 0;
  for (int I = threadIdx.x; I < Long; I += Threads)
    Sum += Row[I];
  Part[threadIdx.x] = Sum;
  __syncthreads();
  for (int Step = Threads / 2; Step > 0; Step /= 2) {
    if (threadIdx.x < Step)
      Part[threadIdx.x] += Part[threadIdx.x + Step];
    __syncthreads();
  }
  for (int I = threadIdx.x; I < Long; I += Threads)
    Out[size_t(blockIdx.x) * Long + I] = Row[I] / Part[0];
}

__global__ void forAll(const float *Vector, const float *Matrix, float *Out) {
  float Sum = 0;
  for (int I = 0; I < Long; ++I)
    Sum += Vector[I] * Matrix[size_t(I) * 4096 + threadIdx.x];
  for (int I = 0; I < Long; ++I)
    Sum -= Vector[I] * Matrix[size_t(I) * 4096 + 1024 + threadIdx.x];
  Out[blockIdx.x * Threads + threadIdx.x] = Sum;
}

__global__ void window(const float *In, float *Out) {
  const int T = blockIdx.x * Threads + threadIdx.x;
  float Sum = 0;
  for (int I = 1; I < 1000; ++I)
    Sum += In[size_t(I - 1) * 65536 + T] * In[size_t(I) * 65536 + T];
  Out[T] = Sum;
}

__global__ void eight(const int *In, int *Out, int Length) {
  int Sum = 0;
  for (int I = (blockIdx.x * Threads + threadIdx.x) * 16; I < Length;
       I += gridDim.x * Threads * 16)
    Sum += In[I] + In[I + 2] + In[I + 4] + In[I + 6] + In[I + 8] + In[I + 10] +
           In[I + 12] + In[I + 14];
  atomicAdd(Out, Sum);
}

__global__ void counted(const float *In, int *Out) {
  __shared__ int Count[256];
  __shared__ float Part[Threads];
  const float *Row = In + size_t(blockIdx.x) * Long;
  float Most = 0;
  for (int I = threadIdx.x; I < Long; I += Threads)
    Most = fmaxf(Most, Row[I]);
  Part[threadIdx.x] = Most;
  Count[threadIdx.x] = 0;
  __syncthreads();
  for (int T = 0; T < Threads; ++T)
    Most = fmaxf(Most, Part[T]);
  for (int I = threadIdx.x; I < Long; I += Threads)
    atomicAdd(&Count[int(Row[I] / Most * 255)], 1);
  __syncthreads();
  Out[blockIdx.x * Threads + threadIdx.x] = Count[threadIdx.x];
}

__global__ void changed(float *Rows, const int *Index, float *Out) {
  float *Row = Rows + size_t(blockIdx.x) * 8192, Sum = 0, Again = 0;
  for (int I = threadIdx.x; I < 8192; I += Threads)
    Sum += Row[I];
  __syncthreads();
  Row[Index[threadIdx.x]] = Sum;
  __syncthreads();
  for (int I = threadIdx.x; I < 8192; I += Threads)
    Again += Row[I];
  Out[blockIdx.x * Threads + threadIdx.x] = Again;
}

void launch(const float *In, float *Out) {
  normalised<<<Rows, Threads>>>(In, Out);
  forAll<<<1024, Threads>>>(In, In, Out);
  window<<<256, Threads>>>(In, Out);
  eight<<<1024, Threads>>>((const int *)In, (int *)Out, 1 << 26);
  counted<<<Rows, Threads>>>(In, (int *)Out);
  changed<<<Rows, Threads>>>(Out, (const int *)In, Out + Rows);
}

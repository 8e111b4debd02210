// Where the sectors are needed as they are, or nobody knows better: padding,
// lanes that do not take part, lanes that lie anywhere, and a block shape that
// decides about the number and is not known.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 4 kernels, 10 of 10 accesses judged

struct Padded {
  float X, Y, Z, Unused;
};

__global__ void padding(float *Out, const Padded *In) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I].X + In[I].Y + In[I].Z;
}

__global__ void everyOther(float *Out, const float *In) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2)
    Out[I] = In[I];
}

__global__ void anywhere(float *Out, const float *In) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[(I * 2654435761u ^ I >> 3) % 100003];
}

template <typename T> __global__ void byDimension(T *Out, const T *In, int N) {
  const int I = threadIdx.y + blockIdx.x * blockDim.y;
  Out[I * blockDim.x + threadIdx.x] = In[I + N * threadIdx.x];
}
template __global__ void byDimension(float *Out, const float *In, int N);

void launch(float *Out, const float *In, const Padded *Records) {
  padding<<<64, 256>>>(Out, Records);
  everyOther<<<64, 256>>>(Out, In);
  anywhere<<<64, 256>>>(Out, In);
}

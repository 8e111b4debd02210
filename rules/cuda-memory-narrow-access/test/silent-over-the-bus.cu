// Memory of the host, or of another process, is as far away for wider lanes.
// What makes lanes ask for more of it than they need is still said, without a
// gain: no profile knows the bus.
//
// RUN: %warpwise check --gpu=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void invert(unsigned char *Out, const unsigned char *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = ~In[I];
}

__global__ void add(float *Out, const float *A, const float *B) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = A[I] + B[I];
}

__global__ void column(float *Out, const float *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[@LINE+2]]:12: warning: global load is uncoalesced: 32 sectors
  // CHECK: note: what the kernel would gain is not known: it goes to memory of the host
  Out[I] = In[I * 32];
}

void onHost() {
  unsigned char *Bytes, *Seen;
  cudaHostAlloc(&Bytes, 1 << 26, cudaHostAllocMapped);
  cudaHostGetDevicePointer((void **)&Seen, Bytes, 0);
  invert<<<1 << 17, 256>>>(Seen, Seen + (1 << 25));

  float *Floats;
  cudaMallocHost(&Floats, size_t(1) << 30);
  add<<<1 << 17, 256>>>(Floats, Floats, Floats);
  column<<<1 << 15, 256>>>(Floats, Floats);
}

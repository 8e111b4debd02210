// Shared bins: which one is counted up depends on the data, all the rest not.

__global__ void histogram(const unsigned char *Data, unsigned *Bins,
                          int Count) {
  __shared__ unsigned Local[256];
  for (int I = threadIdx.x; I < 256; I += blockDim.x)
    Local[I] = 0;
  __syncthreads();
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x)
    atomicAdd(&Local[Data[I]], 1);
  __syncthreads();
  for (int I = threadIdx.x; I < 256; I += blockDim.x)
    atomicAdd(&Bins[I], Local[I]);
}

__global__ void replicated(const unsigned *Words, unsigned *Bins, int Count) {
  extern __shared__ unsigned Local[];
  unsigned *Mine = Local + threadIdx.x / 32 * 64;
  for (int I = threadIdx.x % 32; I < 64; I += 32)
    Mine[I] = 0;
  __syncthreads();
  for (int I = threadIdx.x; I < Count; I += blockDim.x) {
    unsigned Word = Words[I];
    atomicAdd(Mine + (Word >> 2 & 63), 1);
    atomicAdd(Mine + (Word >> 10 & 63), 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    unsigned Sum = 0;
    for (int W = 0; W < blockDim.x / 32; ++W)
      Sum += Local[W * 64 + threadIdx.x];
    Bins[threadIdx.x] = Sum;
  }
}

// Addresses that are known, in every way to change memory at once.
__global__ void tickets(unsigned *Counters, float *Sums, int *Extremes) {
  __shared__ int Turns[32];
  unsigned T = threadIdx.x;
  Turns[T % 32] = 0;
  __syncthreads();
  atomicAdd(&Turns[T / 2 % 32], int(T));
  atomicAdd(&Counters[T / 4], T);
  atomicAdd(&Sums[T * 3], 1.5f);
  atomicMax(&Extremes[T % 8], int(T));
  atomicExch(&Counters[T + 100], 7u);
  atomicCAS(&Counters[2 * T], 1u, T);
  __syncthreads();
  Extremes[T + 64] = Turns[T % 32];
}

int main() {
  unsigned char *Data;
  unsigned *Bins, *Words;
  float *Sums;
  int *Extremes;
  cudaMalloc(&Data, 4096);
  cudaMalloc(&Bins, 4096);
  cudaMalloc(&Words, 4096);
  cudaMalloc(&Sums, 4096);
  cudaMalloc(&Extremes, 4096);
  histogram<<<2, 96>>>(Data, Bins, 1000);
  replicated<<<1, 128, 4 * 64 * sizeof(unsigned)>>>(Words, Bins, 600);
  tickets<<<1, 64>>>(Words, Sums, Extremes);
}

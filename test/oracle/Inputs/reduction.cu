// Styles of a block reduction, from the textbook's worst to shuffles.

__global__ void interleaved(const int *In, int *Out) {
  extern __shared__ int Sums[];
  unsigned T = threadIdx.x;
  Sums[T] = In[blockIdx.x * blockDim.x + T];
  __syncthreads();
  for (unsigned S = 1; S < blockDim.x; S *= 2) {
    unsigned Index = 2 * S * T;
    if (Index < blockDim.x)
      Sums[Index] += Sums[Index + S];
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Sums[0];
}

__global__ void divergent(const int *In, int *Out) {
  __shared__ int Sums[128];
  unsigned T = threadIdx.x;
  Sums[T] = In[blockIdx.x * blockDim.x + T];
  __syncthreads();
  for (unsigned S = 1; S < blockDim.x; S *= 2) {
    if (T % (2 * S) == 0)
      Sums[T] += Sums[T + S];
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Sums[0];
}

template <typename Number>
__global__ void sequential(const Number *In, Number *Out, unsigned Count) {
  __shared__ Number Sums[256];
  unsigned T = threadIdx.x;
  Number Sum = 0;
  for (unsigned I = blockIdx.x * blockDim.x + T; I < Count;
       I += blockDim.x * gridDim.x)
    Sum += In[I];
  Sums[T] = Sum;
  __syncthreads();
  for (unsigned S = blockDim.x / 2; S > 0; S >>= 1) {
    if (T < S)
      Sums[T] += Sums[T + S];
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Sums[0];
}

template <unsigned BlockSize>
__global__ void unrolled(const int *In, int *Out) {
  __shared__ volatile int Sums[BlockSize + 32];
  unsigned T = threadIdx.x;
  Sums[T] = In[blockIdx.x * BlockSize * 2 + T] +
            In[blockIdx.x * BlockSize * 2 + BlockSize + T];
  __syncthreads();
  if (BlockSize >= 128) {
    if (T < 64)
      Sums[T] += Sums[T + 64];
    __syncthreads();
  }
  if (T < 32)
    for (int S = 32; S > 0; S /= 2)
      Sums[T] += Sums[T + S];
  if (T == 0)
    Out[blockIdx.x] = Sums[0];
}

__global__ void shuffled(const int *In, int *Out, int Count) {
  __shared__ int Sums[8];
  int T = threadIdx.x, Lane = T % 32, Warp = T / 32;
  int Index = blockIdx.x * blockDim.x + T;
  int Sum = Index < Count ? In[Index] : 0;
  for (int Offset = 16; Offset > 0; Offset /= 2)
    Sum += __shfl_down_sync(0xffffffff, Sum, Offset);
  if (Lane == 0)
    Sums[Warp] = Sum;
  __syncthreads();
  if (Warp == 0) {
    Sum = Lane < blockDim.x / 32 ? Sums[Lane] : 0;
    for (int Offset = 4; Offset > 0; Offset /= 2)
      Sum += __shfl_xor_sync(0xffffffff, Sum, Offset);
    if (Lane == 0)
      atomicAdd(Out, Sum);
  }
}

int main() {
  int *A, *B;
  double *C, *D;
  cudaMalloc(&A, 1 << 20);
  cudaMalloc(&B, 1 << 20);
  cudaMalloc(&C, 1 << 20);
  cudaMalloc(&D, 1 << 20);
  interleaved<<<2, 128, 128 * sizeof(int)>>>(A, B);
  divergent<<<2, 128>>>(A, B);
  sequential<int><<<2, 256>>>(A, B, 1500);
  sequential<double><<<2, 256>>>(C, D, 1027);
  unrolled<128><<<2, 128>>>(A, B);
  unrolled<64><<<2, 64>>>(A, B);
  shuffled<<<3, 256>>>(A, B, 700);
}

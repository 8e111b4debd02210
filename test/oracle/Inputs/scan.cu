// Prefix sums. In Blelloch's, the second loop goes on from the value with which
// the first ended.

__global__ void blelloch(const float *In, float *Out, int Count) {
  extern __shared__ float Sums[];
  int T = threadIdx.x, Offset = 1;
  Sums[2 * T] = In[2 * T];
  Sums[2 * T + 1] = In[2 * T + 1];
  for (int D = Count >> 1; D > 0; D >>= 1) {
    __syncthreads();
    if (T < D) {
      int A = Offset * (2 * T + 1) - 1, B = Offset * (2 * T + 2) - 1;
      Sums[B] += Sums[A];
    }
    Offset *= 2;
  }
  if (T == 0)
    Sums[Count - 1] = 0;
  for (int D = 1; D < Count; D *= 2) {
    Offset >>= 1;
    __syncthreads();
    if (T < D) {
      int A = Offset * (2 * T + 1) - 1, B = Offset * (2 * T + 2) - 1;
      float Kept = Sums[A];
      Sums[A] = Sums[B];
      Sums[B] += Kept;
    }
  }
  __syncthreads();
  Out[2 * T] = Sums[2 * T];
  Out[2 * T + 1] = Sums[2 * T + 1];
}

#define CONFLICT_FREE(N) ((N) + ((N) >> 5))

__global__ void padded(const float *In, float *Out, int Count) {
  extern __shared__ float Sums[];
  int T = threadIdx.x, Offset = 1;
  int First = T, Second = T + Count / 2;
  Sums[CONFLICT_FREE(First)] = In[First];
  Sums[CONFLICT_FREE(Second)] = In[Second];
  for (int D = Count >> 1; D > 0; D >>= 1) {
    __syncthreads();
    if (T < D) {
      int A = Offset * (2 * T + 1) - 1, B = Offset * (2 * T + 2) - 1;
      Sums[CONFLICT_FREE(B)] += Sums[CONFLICT_FREE(A)];
    }
    Offset *= 2;
  }
  __syncthreads();
  Out[First] = Sums[CONFLICT_FREE(First)];
  Out[Second] = Sums[CONFLICT_FREE(Second)];
}

// Two buffers that change places.
__global__ void hillisSteele(const int *In, int *Out, int Count) {
  extern __shared__ int Both[];
  int T = threadIdx.x, Write = 0, Read = 1;
  Both[T] = T > 0 ? In[T - 1] : 0;
  __syncthreads();
  for (int Offset = 1; Offset < Count; Offset <<= 1) {
    Write = 1 - Write;
    Read = 1 - Write;
    if (T >= Offset)
      Both[Write * Count + T] =
          Both[Read * Count + T] + Both[Read * Count + T - Offset];
    else
      Both[Write * Count + T] = Both[Read * Count + T];
    __syncthreads();
  }
  Out[T] = Both[Write * Count + T];
}

__global__ void warpScan(int *Data) {
  int Lane = threadIdx.x & 31, Value = Data[threadIdx.x];
  for (int Offset = 1; Offset < 32; Offset *= 2) {
    int Below = __shfl_up_sync(0xffffffff, Value, Offset);
    if (Lane >= Offset)
      Value += Below;
  }
  Data[threadIdx.x] = Value;
  // An address that comes from another lane.
  int From = __shfl_sync(0xffffffff, threadIdx.x * 3, 31 - Lane);
  Data[From] = Value;
}

int main() {
  float *A, *B;
  int *C, *D;
  cudaMalloc(&A, 4096);
  cudaMalloc(&B, 4096);
  cudaMalloc(&C, 4096);
  cudaMalloc(&D, 4096);
  blelloch<<<1, 128, 256 * sizeof(float)>>>(A, B, 256);
  padded<<<1, 128, 300 * sizeof(float)>>>(A, B, 256);
  hillisSteele<<<1, 96, 192 * sizeof(int)>>>(C, D, 96);
  warpScan<<<1, 64>>>(C);
}

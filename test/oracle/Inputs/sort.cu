// Bitonic and odd-even sorting: partners come from bits of the thread's number
// under loops of loops.

__global__ void bitonicShared(unsigned *Keys, unsigned *Values) {
  __shared__ unsigned K[256], V[256];
  unsigned T = threadIdx.x;
  K[T] = Keys[T];
  K[T + 128] = Keys[T + 128];
  V[T] = Values[T];
  V[T + 128] = Values[T + 128];
  for (unsigned Size = 2; Size < 256; Size <<= 1) {
    unsigned Up = (T & (Size / 2)) != 0;
    for (unsigned Stride = Size / 2; Stride > 0; Stride >>= 1) {
      __syncthreads();
      unsigned At = 2 * T - (T & (Stride - 1));
      if ((K[At] > K[At + Stride]) == Up) {
        unsigned Kept = K[At];
        K[At] = K[At + Stride];
        K[At + Stride] = Kept;
      }
    }
  }
  __syncthreads();
  Keys[T] = K[T];
  Keys[T + 128] = K[T + 128];
  Values[T] = V[T];
  Values[T + 128] = V[T + 128];
}

__global__ void bitonicStep(float *Data, int J, int K) {
  unsigned I = threadIdx.x + blockDim.x * blockIdx.x, Partner = I ^ J;
  if (Partner > I) {
    float A = Data[I], B = Data[Partner];
    bool Swap = (I & K) == 0 ? A > B : A < B;
    Data[I] = Swap ? B : A;
    Data[Partner] = Swap ? A : B;
  }
}

__global__ void oddEven(int *Data, int Count) {
  extern __shared__ int Local[];
  int T = threadIdx.x;
  Local[T] = Data[T];
  __syncthreads();
  for (int Phase = 0; Phase < Count; ++Phase) {
    int At = 2 * T + (Phase & 1);
    if (At + 1 < Count) {
      int A = Local[At], B = Local[At + 1];
      Local[At] = A < B ? A : B;
      Local[At + 1] = A < B ? B : A;
    }
    __syncthreads();
  }
  Data[T] = Local[T];
}

int main() {
  unsigned *A, *B;
  float *C;
  int *D;
  cudaMalloc(&A, 4096);
  cudaMalloc(&B, 4096);
  cudaMalloc(&C, 4096);
  cudaMalloc(&D, 4096);
  bitonicShared<<<1, 128>>>(A, B);
  bitonicStep<<<2, 128>>>(C, 8, 64);
  bitonicStep<<<2, 128>>>(C, 1, 4);
  oddEven<<<1, 40, 40 * sizeof(int)>>>(D, 40);
}

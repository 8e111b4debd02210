// Index arithmetic of every kind: division, bits, minimum and maximum, signed
// and unsigned, narrow types, floating point, bit reversal.

__global__ void bits(const float *In, float *Out, int Log) {
  unsigned T = threadIdx.x, N = 1u << Log;
  unsigned Reversed = __brev(T) >> (32 - Log);
  if (Reversed < N)
    Out[Reversed] = In[T];
  Out[__popc(T) * 32 + __clz(T | 1)] = 1;
  Out[T ^ (T >> 1)] += In[(T << 3 | T >> 3) & 63];
  Out[__ffs(T + 1)] = In[T & -T];
}

__global__ void divisions(const float *In, float *Out, int Width, unsigned M) {
  int T = threadIdx.x;
  int X = T % Width, Y = T / Width;
  Out[X * 12 + Y] = In[(T - 20 + 1000) % 7 + (T - 20) / 3 + 40];
  Out[(T - 48) % 7 + 6] = In[(T - 48) / Width + (T - 50 >> 2) + 40];
  unsigned U = T - 3u;
  Out[U / M % 128] = In[U % M];
  Out[abs(T - 17)] = In[min(max(T - 5, 0), Width)];
}

__global__ void narrow(const float *In, float *Out) {
  unsigned char C = threadIdx.x * 9;
  signed char D = threadIdx.x * 5;
  short S = threadIdx.x * 1500;
  Out[C] = In[D + 128];
  Out[(S >> 4) + 2048] = In[C >> 2];
  long long Wide = (long long)threadIdx.x << 33;
  Out[Wide >> 31] = In[(unsigned long long)(Wide * 3) >> 34];
}

__global__ void real(const float *In, float *Out, float Scale) {
  int T = threadIdx.x;
  float Position = T * Scale + 0.25f;
  int Left = int(Position);
  Out[T] = In[Left] + In[Left + 1];
  Out[int(floorf(Position * 0.5f))] = In[__float2int_rn(T * 0.75f)];
  Out[int(sqrtf(float(T)))] = In[unsigned(fabsf(T - 8.5f))];
}

__global__ void linearised(const float *In, float *Out) {
  int T = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int Lane = T & 31, Warp = T >> 5;
  Out[Warp * 33 + Lane] = In[Lane * 3 + threadIdx.z];
  Out[threadIdx.y * 64 + threadIdx.x] = In[threadIdx.x * 8 + threadIdx.y];
}

__global__ void rounding(const float *In, float *Out) {
  int T = threadIdx.x;
  Out[T] = In[lroundf(T * 1.5f)] + In[__float2int_rn(T * 2.5f)] +
           In[int(rintf(T * 0.5f))] + In[llrint(T * 0.75)] +
           In[int(roundf(T * 0.5f))];
}

int main() {
  float *A, *B;
  cudaMalloc(&A, 1 << 20);
  cudaMalloc(&B, 1 << 20);
  bits<<<1, 64>>>(A, B, 6);
  divisions<<<1, 96>>>(A, B, 10, 13);
  narrow<<<1, 64>>>(A, B);
  real<<<1, 64>>>(A, B, 1.5f);
  linearised<<<1, dim3(6, 5, 3)>>>(A, B);
  float *Reals, *Sums;
  cudaMalloc(&Reals, 4096);
  cudaMalloc(&Sums, 4096);
  rounding<<<1, 64>>>(Reals, Sums);
}

// Elements of several members: interleaved complex numbers, arrays of structs,
// vectors, streams of bytes, copies of whole structs.

struct Particle {
  float X, Y, Z;
  float Mass;
  int Kind, Age;
};

struct __attribute__((packed)) Odd {
  unsigned char Tag;
  int Value;
};

struct Body {
  double Position[3];
  char Name[8];
};

__global__ void complexNumbers(const float *In, float *Out, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count) {
    float Real = In[2 * I], Imaginary = In[2 * I + 1];
    Out[2 * I] = Real * Real - Imaginary * Imaginary;
    Out[2 * I + 1] = 2 * Real * Imaginary;
  }
}

__global__ void move(Particle *P, int Count, float Step) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  P[I].X += Step * P[I].Mass;
  P[I].Y += Step;
  if (P[I].Kind == 3)
    P[I].Age = 0;
}

__global__ void copyStructs(const Body *From, Body *To, Particle *P) {
  int I = threadIdx.x;
  To[I] = From[I + 1];
  Particle Mine = P[I];
  Mine.Age += 1;
  P[2 * I] = Mine;
}

__global__ void packed(Odd *O, int *Out) {
  int I = threadIdx.x;
  Out[I] = O[I].Value + O[I].Tag;
}

__global__ void vectors(const float4 *In, float4 *Out, const float2 *Pairs,
                        double2 *Doubles) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float4 V = In[I];
  float2 P = Pairs[I * 2 + 1];
  V.x += P.y;
  V.w += P.x;
  Out[I] = V;
  Doubles[I ^ 1] = make_double2(V.x, V.y);
}

__global__ void bytes(const unsigned char *In, char *Out, short *Words,
                      int Count) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += blockDim.x * gridDim.x) {
    Out[I] = In[I + 3] ^ 0x20;
    Words[I] = In[Count - I];
  }
}

__global__ void sharedVectors(const float4 *In, float *Out) {
  __shared__ float4 Wide[64];
  __shared__ double Pairs[64][2];
  int T = threadIdx.x;
  Wide[T] = In[T];
  Pairs[T][0] = T;
  Pairs[T][1] = T * 0.5;
  __syncthreads();
  float4 V = Wide[T * 5 % 64];
  Out[T] = V.x + V.y + V.z + V.w + float(Pairs[T / 2][T & 1]);
}

// Pairs and quadruples whose neighbours share their data, or do not.
__global__ void neighbours(float *Out, const int *In) {
  __shared__ double Eight[128];
  __shared__ int4 Sixteen[64];
  __shared__ int Swaps[32];
  int T = threadIdx.x;
  Eight[T] = T;
  Eight[64 + T / 2] = T;
  Sixteen[T / 4 * 4] = make_int4(T, 0, 0, 0);
  Swaps[T % 32] = 0;
  __syncthreads();
  double Sum = Eight[T / 2] + Eight[T & ~2] + Eight[(T * 3) & 63];
  if (T % 2)
    Sum += Eight[T * 2 % 128];
  if (T < 20)
    Sum += Eight[T < 16 ? T / 2 : T * 5];
  Sum += Eight[(T & 1) + T / 4 * 2];
  int4 V = Sixteen[T / 2], W = Sixteen[T & 32 ? T : (T & 1) + T / 4 * 2];
  int Old = atomicCAS(&Swaps[T * 2 % 32], 0, T) +
            atomicOr(&Swaps[T / 8 % 32], In[T]) + atomicAdd(&Swaps[T & 7], 1);
  Out[T] = float(Sum) + V.x + V.y + V.z + V.w + W.x + W.y + W.z + W.w + Old;
}

int main() {
  float *A, *B;
  Particle *P;
  Body *C, *D;
  Odd *O;
  int *I;
  float4 *V, *W;
  float2 *F;
  double2 *G;
  unsigned char *S;
  char *R;
  short *H;
  cudaMalloc(&A, 1 << 16);
  cudaMalloc(&B, 1 << 16);
  cudaMalloc(&P, 1 << 16);
  cudaMalloc(&C, 1 << 16);
  cudaMalloc(&D, 1 << 16);
  cudaMalloc(&O, 1 << 16);
  cudaMalloc(&I, 1 << 16);
  cudaMalloc(&V, 1 << 16);
  cudaMalloc(&W, 1 << 16);
  cudaMalloc(&F, 1 << 16);
  cudaMalloc(&G, 1 << 16);
  cudaMalloc(&S, 1 << 16);
  cudaMalloc(&R, 1 << 16);
  cudaMalloc(&H, 1 << 16);
  complexNumbers<<<2, 64>>>(A, B, 100);
  move<<<2, 64>>>(P, 120, 0.5f);
  copyStructs<<<1, 64>>>(C, D, P);
  packed<<<1, 32>>>(O, I);
  vectors<<<2, 64>>>(V, W, F, G);
  bytes<<<2, 96>>>(S, R, H, 500);
  sharedVectors<<<1, 64>>>(V, A);
  neighbours<<<1, 64>>>(A, I);
}

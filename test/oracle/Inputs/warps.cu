// What lanes tell each other, and addresses that follow from it.

__global__ void votes(const int *In, int *Out) {
  unsigned T = threadIdx.x, Lane = T % 32;
  unsigned Even = __ballot_sync(0xffffffff, T % 3 == 0);
  unsigned Rank = __popc(Even & ((1u << Lane) - 1));
  if (T % 3 == 0)
    Out[Rank] = In[T];
  if (__any_sync(0xffffffff, T == 40))
    Out[64 + T] = 1;
  if (__all_sync(0xffffffff, T < 32))
    Out[128 + 2 * T] = 1;
}

__global__ void shuffles(const float *In, float *Out) {
  int T = threadIdx.x;
  int Next = __shfl_down_sync(0xffffffff, T * 2, 4);
  int Before = __shfl_up_sync(0xffffffff, T * 2, 3, 8);
  int Mirror = __shfl_xor_sync(0xffffffff, T, 15, 16);
  int First = __shfl_sync(0xffffffff, T, 0, 8);
  Out[Next] = In[Before];
  Out[Mirror] = In[First];
}

__global__ void compact(const int *In, int *Out, int *Next) {
  __shared__ int Base;
  int T = threadIdx.x, Lane = T % 32;
  int Keep = In[T] > 0;
  unsigned Kept = __ballot_sync(0xffffffff, Keep);
  if (T == 0)
    Base = atomicAdd(Next, 1);
  __syncthreads();
  if (Keep)
    Out[Base + __popc(Kept & ((1u << Lane) - 1))] = T;
}

__global__ void transposeInWarp(float *Data) {
  int Lane = threadIdx.x;
  float Values[4];
  for (int I = 0; I < 4; ++I)
    Values[I] = Data[I * 32 + Lane];
  for (int I = 0; I < 4; ++I)
    Values[I] = __shfl_xor_sync(0xffffffff, Values[I], I);
  for (int I = 0; I < 4; ++I)
    Data[Lane * 4 + (I ^ (Lane & 3))] = Values[I];
}

int main() {
  int *A, *B, *N;
  float *C, *D;
  cudaMalloc(&A, 4096);
  cudaMalloc(&B, 4096);
  cudaMalloc(&N, 4);
  cudaMalloc(&C, 4096);
  cudaMalloc(&D, 4096);
  votes<<<1, 64>>>(A, B);
  shuffles<<<1, 32>>>(C, D);
  compact<<<1, 64>>>(A, B, N);
  transposeInWarp<<<1, 32>>>(C);
}

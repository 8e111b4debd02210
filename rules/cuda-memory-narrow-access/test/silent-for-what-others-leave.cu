// The host code has a kernel with wider lanes and comes here with the rows that
// it cannot take, which begin anywhere; and one for another type, and does not
// come here with this one.
//
// RUN: %checkpriced %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: {{.*}}nothing is said of 'copy<short>': what would launch it is behind a condition that is false

template <typename Lanes>
__global__ void fours(Lanes *Out, const Lanes *In, int N) {
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    Out[size_t(blockIdx.x) * N + I] = In[size_t(blockIdx.x) * N + I];
}

__global__ void rest(char *Out, const char *In, int N) {
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    Out[size_t(blockIdx.x) * N + I] = In[size_t(blockIdx.x) * N + I];
}

// CHECK: :[[@LINE+3]]:37: warning: global store moves 1 byte per lane
__global__ void any(char *Out, const char *In, int N) {
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    Out[size_t(blockIdx.x) * N + I] = In[size_t(blockIdx.x) * N + I];
}

void rows(char *Out, const char *In, int Rows, int N) {
  if (N % 4 == 0)
    fours<<<Rows, 128>>>((float4 *)Out, (const float4 *)In, N / 16);
  else
    rest<<<Rows, 128>>>(Out, In, N);
  any<<<Rows, 128>>>(Out, In, N);
}

template <typename T>
__global__ void copy(T *Out, const T *In, int Columns, int Pitch) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Columns)
    Out[blockIdx.y * Pitch + I] = In[blockIdx.y * Pitch + I];
}

template <typename T>
void copyRows(T *Out, const T *In, int Rows, int Columns, int Pitch) {
  const dim3 Grid((Columns + 255) / 256, Rows);
  if (sizeof(T) == 2)
    fours<<<Grid, 256>>>((float4 *)Out, (const float4 *)In, Columns);
  else
    copy<<<Grid, 256>>>(Out, In, Columns, Pitch);
}

void all(short *S, int N) { copyRows(S, S + N, N, N, N); }

// What hangs on values that nobody knows: the number for usual ones, said to be
// likely, and what else is possible.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void culled(float *Out, const float *Depth, const float *In, int N) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  if (T >= N)
    return;
  if (Depth[T] < 0.2f)
    return;
  Out[T] = In[T * 48];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: up to 32 sectors per request (ideal 4)
  // CHECK: note: in the costliest request of 'In', neighbouring lanes are 192 bytes apart
  // CHECK: note: an estimate, not exact: which lanes take part depends on values loaded from memory; from 1 to 32 are possible
}
__global__ void column(float *Out, const float *In, int Stride) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  Out[T] = In[T * Stride + 2];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: 32 sectors per request where 'Stride' is large (ideal 4)
  // CHECK: note: in the costliest request of 'In', neighbouring lanes are an unknown distance apart
  // CHECK: note: an estimate, not exact: depends on a pitch or stride that is not known here; from 1 to 32 are possible
}
// A matrix that may lie by rows or by columns: neither is likely.
struct View {
  float *Data;
  int StrideI, StrideJ;
  __device__ float &operator()(int I, int J) const {
    return Data[I * StrideI + J * StrideJ];
  }
};
__global__ void either(View Out, View In) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  for (int J = 0; J < 64; ++J)
    Out(T, J) = In(T, J);
}
__global__ void firstRows(View Out, View In) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  Out(T, 2) = In(0, T) + In(1, T) + In(2, T) + In(3, T);
}
// A page of rows is not: lanes on different pages are far apart in any case.
__global__ void pages(float *Out, const float *In, int Rows, int Columns) {
  int T = threadIdx.x;
  Out[blockIdx.x * 256 + T] = In[T * Rows * Columns + blockIdx.x * Columns];
  // CHECK: [[@LINE-1]]:31: warning: global load is uncoalesced: 32 sectors per request where 'Columns' and 'Rows' are large (ideal 4)
}
void launch(float *Out, const float *Depth, const float *In, int N) {
  culled<<<(N + 255) / 256, 256>>>(Out, Depth, In, N);
  column<<<64, 256>>>(Out, In, N);
  either<<<N, 256>>>(View{Out, N, N * 2}, View{Out, N, N});
  firstRows<<<N, 256>>>(View{Out, N, N * 2}, View{Out, N, N});
  pages<<<64, 256>>>(Out, In, N, N);
}

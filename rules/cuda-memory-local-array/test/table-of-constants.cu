// A table that is declared in a kernel is one of each thread: nvcc 13 stores it
// anew whenever it is indexed by what is not a constant. One that is static is not
// stored, and what a thread changes is no table.
//
// RUN: %checkpriced --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h200 --no-nvcc %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 22;

__global__ void encode(const unsigned char *In, char *Out) {
  const char Digits[] =
      // CHECK: [[@LINE-1]]: warning: each thread stores the table 'Digits' in its local memory in Clang's view, because index '{{.*}}' is not a constant; about {{.*}} faster
      // CHECK: note: declare 'Digits' static: one table for all threads, which is not stored each time
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Digits[In[I] & 63];
}

__global__ void encodeStatic(const unsigned char *In, char *Out) {
  static const char Digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Digits[In[I] & 63];
}

__global__ void moveToFront(const unsigned char *In, unsigned char *Out) {
  unsigned char Last[68] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  // CHECK: [[@LINE-1]]: warning: private array 'Last' stays in local memory
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int J = In[I] & 63;
  Last[J + 1] = Last[J];
  Out[I] = Last[In[I + N] & 63];
}

void launch(const unsigned char *In, char *Out) {
  encode<<<N / 256, 256>>>(In, Out);
  encodeStatic<<<N / 256, 256>>>(In, Out);
  moveToFront<<<N / 256, 256>>>(In, (unsigned char *)Out);
}

// What CUB keeps in the shared memory that it is given lies as its collectives
// need it: nothing that their caller could lay out otherwise.
//
// RUN: rm -rf %t && mkdir -p %t/cub/block
// RUN: printf '%%s\n' 'template <class T> struct Exchange {' \
// RUN:   '  using Storage = T[1024];' \
// RUN:   '  __device__ static T blocked(Storage &S, T Value) {' \
// RUN:   '    S[threadIdx.x] = Value; __syncthreads();' \
// RUN:   '    return S[threadIdx.x * 4 %% 1024]; } };' > %t/cub/block/exchange.cuh
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h200 %s -- -isystem %t 2>&1 | FileCheck %s
// RUN: mv %t/cub %t/others
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h200 %s -- -isystem %t -DOTHERS 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHERS
#ifdef OTHERS
#include <others/block/exchange.cuh>
#else
#include <cub/block/exchange.cuh>
#endif

// OTHERS: warning: shared load is a 4-way bank conflict
// CHECK: note: 0 warnings in 1 kernel
__global__ void exchanged(const float *In, float *Out) {
  __shared__ Exchange<float>::Storage Between;
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Exchange<float>::blocked(Between, In[I]);
}

void launch(const float *In, float *Out) {
  exchanged<<<4096, 256>>>(In, Out);
}

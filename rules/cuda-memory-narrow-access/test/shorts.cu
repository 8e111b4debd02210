// A stream of shorts is as fast as one of short2 on the H200, but a kernel with
// one of them for each thread needs twice the blocks.
//
// RUN: %checkpriced --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 25;

// CHECK: [[@LINE+4]]{{.*}}: warning: global {{.*}} moves 2 bytes per lane: 2 requests where one of short2 would do; about 1.{{[4-9].*}}x faster
// CHECK: note: let each thread handle 2 neighbouring elements of 'Out' as one short2, and the rest one by one; the same at 14:12
__global__ void before(const short *In, short *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] / 2;
}

__global__ void after(const short2 *In, short2 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const short2 V = In[I];
  Out[I] = make_short2(V.x / 2, V.y / 2);
}

void launch(const short *In, short *Out) {
  before<<<N / 256, 256>>>(In, Out);
  after<<<N / 512, 256>>>((const short2 *)In, (short2 *)Out);
}
// CHECK: note: 1 warning in 2 kernels

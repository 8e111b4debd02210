// An array of halves that is filled byte by byte: four of these bytes are no half2.
//
// RUN: %checkpriced --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 | FileCheck %s

struct half {
  unsigned short Bits;
};

constexpr int N = 1 << 25;

__global__ void quantize(const char *In, half *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+2]]{{.*}}: warning: global {{.*}} moves 1 byte per lane: 4 requests where one of a vector of 4 would do
  // CHECK: note: let each thread handle 4 neighbouring elements of 'Out' as a vector of 4
  reinterpret_cast<char *>(Out)[I] = In[I] / 2;
}

void launch(const char *In, half *Out) { quantize<<<N / 256, 256>>>(In, Out); }

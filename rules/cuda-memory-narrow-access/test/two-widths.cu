// What is said of vectors of one width holds for accesses of that width alone.
//
// RUN: %checkpriced --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 25;

// CHECK-DAG: [[@LINE+7]]:{{.*}}: warning: global load moves 1 byte per lane: 4 requests where one of uchar4 would do
// CHECK-DAG: note: let each thread handle 4 neighbouring elements of 'Label' as one uchar4, and the rest one by one{{$}}
// CHECK-DAG: [[@LINE+6]]:{{.*}}: warning: global store moves 2 bytes per lane: 2 requests where one of ushort2 would do
// CHECK-DAG: note: let each thread handle 2 neighbouring elements of 'Out' as one ushort2, and the rest one by one; the same at [[@LINE+5]]:
__global__ void keep(const unsigned char *Label, const unsigned short *Depth,
                     unsigned short *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char Its = Label[I];
  Out[I] = Depth[I] * (Its == 3);
}

void launch(const unsigned char *Label, const unsigned short *Depth,
            unsigned short *Out) {
  keep<<<N / 256, 256>>>(Label, Depth, Out);
}
// CHECK: note: 2 warnings in 1 kernel

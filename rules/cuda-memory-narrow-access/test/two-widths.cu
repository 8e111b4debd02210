// Threads that handle more elements do so of all streams: one finding, which
// says that some are of other widths.
//
// RUN: %checkpriced --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 25;

// CHECK: [[@LINE+5]]:{{.*}}: warning: global load moves 1 byte per lane: 4 requests where one of uchar4 would do
// CHECK: note: let each thread handle 4 neighbouring elements of 'Label' as one uchar4 (and as many of other widths), and the rest one by one; the same at [[@LINE+5]]:10 and [[@LINE+5]]:12
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
// CHECK: note: 1 warning in 1 kernel

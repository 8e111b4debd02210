// Rows of a length that nobody knows, or of an odd one, begin where no vector
// may: the advice says for which it holds.
//
// RUN: %checkpriced --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 | FileCheck %s --implicit-check-not=warning:

__device__ short Whole[8192 * 4097], Halved[8192 * 4097];

// CHECK: [[@LINE+5]]:{{.*}}: warning: global store moves 2 bytes per lane
// CHECK: note: let each thread handle 2 neighbouring elements of 'Out' as one short2 where rows begin at multiples of its size, and the rest one by one
__global__ void ofAnyLength(const short *In, short *Out, int Width) {
  const int X = blockIdx.x * 256 + threadIdx.x, I = blockIdx.y * Width + X;
  if (X < Width)
    Out[I] = In[I] / 2;
}

// CHECK: [[@LINE+5]]:{{.*}}: warning: global store moves 2 bytes per lane
// CHECK: note: let each thread handle 2 neighbouring elements of 'Halved' as one short2 where rows begin at multiples of its size, and the rest one by one
__global__ void ofOddLength() {
  const int X = blockIdx.x * 256 + threadIdx.x, I = blockIdx.y * 4097 + X;
  if (X < 4097)
    Halved[I] = Whole[I] / 2;
}

// CHECK: [[@LINE+4]]:{{.*}}: warning: global store moves 2 bytes per lane
// CHECK: note: let each thread handle 2 neighbouring elements of 'Out' as one short2, and the rest one by one
__global__ void ofEvenLength(const short *In, short *Out) {
  const int X = blockIdx.x * 256 + threadIdx.x, I = blockIdx.y * 4096 + X;
  Out[I] = In[I] / 2;
}

void launch(const short *In, short *Out, int Width) {
  ofAnyLength<<<dim3((Width + 255) / 256, 8192), 256>>>(In, Out, Width);
  ofOddLength<<<dim3(17, 8192), 256>>>();
  ofEvenLength<<<dim3(16, 8192), 256>>>(In, Out);
}
// CHECK: note: 3 warnings in 3 kernels

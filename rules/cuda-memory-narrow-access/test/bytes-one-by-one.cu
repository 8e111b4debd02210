// An image of bytes, one byte per lane, then four.
//
// RUN: %warpwise check --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=tesla-k20c --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct alignas(4) Four {
  unsigned char X, Y, Z, W;
};

// Before: four requests for what one can move.
__global__ void store(unsigned char *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 255;
  // CHECK: bytes-one-by-one.cu:[[@LINE-1]]:{{[0-9]+}}: warning: global store moves 1 byte per lane: 4 requests where one of uchar4 would do, 2.36 times less bandwidth{{.*}} [cuda-memory-narrow-access]
  // CHECK: note: profile tesla-k20c: bandwidth.char is 63 GB/s
  // CHECK: note: profile tesla-k20c: bandwidth.char4 is 149 GB/s
  // CHECK: note: let each thread handle 4 neighbouring elements of 'Out'
}

// After.
__global__ void storeFour(Four *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Four{255, 255, 255, 255};
}

void launch(unsigned char *Out) {
  store<<<64, 256>>>(Out);
  storeFour<<<16, 256>>>(reinterpret_cast<Four *>(Out));
}

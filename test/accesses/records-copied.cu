// A record is copied from a list, eight bytes at a time. The pointer in it leads to
// the start of an allocation, two numbers side by side are two numbers, and rows
// are a whole number of sectors apart, as pitches mostly are.
//
// RUN: %warpwise accesses --cuda-path=none %s -- -arch=sm_90 2>/dev/null | FileCheck %s

struct Image {
  unsigned char *Pixels;
  int Pitch, Width, Height, Depth;
};

// CHECK: "name": "store(
__global__ void store(const Image *Images) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const Image Out = Images[blockIdx.z];
  if (X >= Out.Width || Y >= Out.Height)
    return;
  // CHECK: "line": [[@LINE+6]]
  // CHECK: "op": "store"
  // CHECK: "sectors": 4,
  // CHECK-NEXT: "ideal_sectors": 1,
  // CHECK: "low": 4,
  // CHECK-NEXT: "high": 6,
  Out.Pixels[Y * Out.Pitch + X * 3] = X;
}

void run(const Image *Images, int Width, int Height) {
  store<<<dim3(Width / 16, Height / 16, 10), dim3(16, 16)>>>(Images);
}

// What an asynchronous copy brings for a lane is 4, 8 or 16 bytes: a block that
// waits for tiles of bytes or of halves has none.
//
// RUN: %checkpriced --checks='-*,cuda-memory-synchronous-staging' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: \
// RUN:     --implicit-check-not='sums<unsigned'

constexpr int Blocks = 264, Tiles = 64, Tile = 1024, Uses = 8;

template <typename Sample>
__global__ void sums(const Sample *In, float *Out) {
  __shared__ Sample Row[Tile];
  float Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
    const Sample *From = In + (blockIdx.x * Tiles + T) * Tile;
    for (int I = threadIdx.x; I < Tile; I += blockDim.x)
      // CHECK: [[@LINE+1]]:16: warning: the block waits for each tile of 'In'
      Row[I] = From[I];
    __syncthreads();
    for (int K = 0; K < Uses; ++K)
      Sum += Row[(threadIdx.x * 5 + K * 129) % Tile];
    __syncthreads();
  }
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

void launch(const unsigned char *Bytes, const unsigned short *Halves,
            const unsigned *Words, float *Out) {
  sums<<<Blocks, 256>>>(Bytes, Out);
  sums<<<Blocks, 256>>>(Halves, Out);
  sums<<<Blocks, 256>>>(Words, Out);
}
// CHECK: {{^}}sums<unsigned int>
// CHECK: note: 1 warning in 3 kernels

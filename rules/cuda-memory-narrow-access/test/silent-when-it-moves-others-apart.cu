// Several elements a thread make one store of bytes, and move apart what the
// thread loads for each of them: eight words a lane at 32 bytes are at 128 then
// (2.5 times as long on an H200: test/gpu/pairs/bits-of-cells-in-use). And
// where a loop goes from row to row, two elements of each row are as many
// rounds in half as many blocks (1.03 times as fast: bias-columns-of-two-halves).
//
// RUN: %checkpriced --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void bits(const float *__restrict__ Cells,
                     unsigned char *__restrict__ Bits) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char Its = 0;
#pragma unroll
  for (unsigned J = 0; J < 8; ++J)
    Its |= Cells[I * 8 + J] > 0.5f ? 1u << J : 0;
  Bits[I] = Its;
}

constexpr int Rows = 8192, Columns = 3072, Warps = 32;

__global__ void sumsOfColumns(const short *In, float *Out) {
  __shared__ float Sums[Warps][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int Column = blockIdx.x * 32 + Lane;
  float Sum = 0;
  for (int Row = Warp; Row < Rows; Row += Warps)
    Sum += In[Row * Columns + Column];
  Sums[Warp][Lane] = Sum;
  __syncthreads();
  if (Warp == 0) {
    for (int W = 1; W < Warps; ++W)
      Sum += Sums[W][Lane];
    Out[Column] = Sum;
  }
}

// Here the threads walk along a row: half as many rounds, each of which takes
// long enough for ptxas to have only four of them under way.
__global__ void sumsOfRows(const short *In, float *Out) {
  const int Row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float Sum = 0;
  for (int I = threadIdx.x % 32; I < Columns; I += 32) {
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global load moves 2 bytes per lane
    const float X = In[Row * Columns + I];
    Sum += X * X * X * X - 3 * X + 1;
  }
  for (int Far = 16; Far > 0; Far /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Far);
  Out[Row] = Sum;
}

void launch(const float *Cells, unsigned char *Bits, const short *In,
            float *Out) {
  bits<<<1 << 14, 128>>>(Cells, Bits);
  sumsOfColumns<<<Columns / 32, Warps * 32>>>(In, Out);
  sumsOfRows<<<Rows / 8, 256>>>(In, Out);
}

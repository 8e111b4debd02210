// Indices times strides of their own, of which any may be 1: which of them runs
// along memory nobody says, whether they are written out or in a table.
//
// RUN: %warpwise check --min-gain=0 --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 4 kernels

struct View {
  long Total, Extents[3], To[3], From[3];
};

template <int Axes>
__global__ void byTable(View V, const float *In, float *Out) {
  for (unsigned long I = blockIdx.x * 256ul + threadIdx.x; I < V.Total;
       I += 256ul * gridDim.x) {
    long To = 0, From = 0;
    unsigned long Rest = I;
    for (int A = 0; A < Axes; ++A) {
      const unsigned long At = Rest % (unsigned long)V.Extents[A];
      Rest /= (unsigned long)V.Extents[A];
      To += long(At) * V.To[A];
      From += long(At) * V.From[A];
    }
    Out[To] = In[From];
  }
}

// Pairs of numbers: twice the index, and one more.
__global__ void ofPairs(const float *In, float *Out, int3 Extent, int3 From,
                        int3 To) {
  const int Y = blockIdx.y * 8 + threadIdx.y, Z = blockIdx.z;
  for (int X = blockIdx.x * 32 + threadIdx.x; X < Extent.x; X += 32 * gridDim.x) {
    const int I = X * From.x + Y * From.y + Z * From.z;
    const int O = X * To.x + Y * To.y + Z * To.z;
    Out[2 * O] = In[2 * I] - In[2 * I + 1];
    Out[2 * O + 1] = In[2 * I] + In[2 * I + 1];
  }
}

// Four numbers at a time.
__global__ void ofVectors(const float4 *In, float *Out, int2 From) {
  const int X = blockIdx.x * 256 + threadIdx.x, Y = blockIdx.y;
  const float4 V = In[(X * From.x + Y * From.y) / 4];
  Out[Y * 65536 + X] = V.x + V.y + V.z + V.w;
}

void launch(View V, const float *In, float *Out, int Blocks, int3 Extent,
            int3 Steps) {
  byTable<2><<<Blocks, 256>>>(V, In, Out);
  byTable<3><<<Blocks, 256>>>(V, In, Out);
  ofPairs<<<dim3(64, 64, 64), dim3(32, 8)>>>(In, Out, Extent, Steps, Steps);
  ofVectors<<<dim3(256, 256), 256>>>((const float4 *)In, Out,
                                     {Steps.x, Steps.y});
}

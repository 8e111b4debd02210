// A distance between lanes that is a multiple of a member of an argument, or of
// an element of an array in one, is named as the source has it.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Extent {
  int Width, Height;
};

struct Volume {
  Extent Slice;
  long Steps[2];
};

__constant__ Volume Whole;

__global__ void ofArgument(const float *In, float *Out, Volume Of) {
  const int X = blockIdx.y, Y = blockIdx.x * 256 + threadIdx.x;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global load is uncoalesced: 32 sectors per request where 'Of.Slice.Width' is large
  Out[X * 4096 + Y] = In[Y * Of.Slice.Width + X];
}

__global__ void ofArray(const float *In, float *Out, Volume Of) {
  const int X = blockIdx.y, Y = blockIdx.x * 256 + threadIdx.x;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global load is uncoalesced: 32 sectors per request where 'Of.Steps[1]' is large
  Out[X * 4096 + Y] = In[Y * Of.Steps[1] + X];
}

__global__ void ofVariable(const float *In, float *Out) {
  const int X = blockIdx.y, Y = blockIdx.x * 256 + threadIdx.x;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global load is uncoalesced: 32 sectors per request where 'Whole.Slice.Height' is large
  Out[X * 4096 + Y] = In[Y * Whole.Slice.Height + X];
}

void launch(const float *In, float *Out, Volume Of) {
  ofArgument<<<dim3(16, 4096), 256>>>(In, Out, Of);
  ofArray<<<dim3(16, 4096), 256>>>(In, Out, Of);
  ofVariable<<<dim3(16, 4096), 256>>>(In, Out);
}

// One flag for all lanes, and stencils: no vector of neighbours to make.
//
// RUN: %warpwise check --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=tesla-k20c %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 4 kernels, 10 of 10 accesses judged

__global__ void flag(float *Out, const bool *Enabled) {
  if (*Enabled)
    Out[threadIdx.x] = 1;
}

__global__ void smooth(float *Out, const unsigned char *In) {
  int I = threadIdx.x + 1;
  Out[I] = In[I - 1] + In[I] + In[I + 1];
}

__global__ void smoothSquare(float *Out, const unsigned char *In, int Pitch) {
  int I = threadIdx.x;
  float Sum = 0;
  for (int Y = 0; Y < 5; ++Y)
    for (int X = 0; X < 5; ++X)
      Sum += In[Y * Pitch + I + X];
  Out[I] = Sum;
}

__global__ void smoothFar(float *Out, const unsigned char *In, int Radius) {
  int I = threadIdx.x + Radius;
  float Sum = 0;
  for (int X = -Radius; X <= Radius; ++X)
    Sum += In[I + X];
  Out[I] = Sum;
}

void launch(float *Out, const bool *Enabled, const unsigned char *In, int N) {
  flag<<<1, 256>>>(Out, Enabled);
  smooth<<<1, 256>>>(Out, In);
  smoothSquare<<<1, 256>>>(Out, In, N);
  smoothFar<<<1, 256>>>(Out, In, N);
}

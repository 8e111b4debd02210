// One flag for all lanes, and a stencil: no vector of neighbours to make.
//
// RUN: %warpwise check --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=tesla-k20c --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --allow-empty --implicit-check-not=warning:

__global__ void flag(float *Out, const bool *Enabled) {
  if (*Enabled)
    Out[threadIdx.x] = 1;
}

__global__ void smooth(float *Out, const unsigned char *In) {
  int I = threadIdx.x + 1;
  Out[I] = In[I - 1] + In[I] + In[I + 1];
}

void launch(float *Out, const bool *Enabled, const unsigned char *In) {
  flag<<<1, 256>>>(Out, Enabled);
  smooth<<<1, 256>>>(Out, In);
}

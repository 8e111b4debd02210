// A gather costs what its indices make of it: nothing is certain.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --allow-empty --implicit-check-not=warning:

__global__ void gather(float *Out, const float *In, const int *Index) {
  Out[threadIdx.x] = In[Index[threadIdx.x]];
}

void launch(float *Out, const float *In, const int *Index) {
  gather<<<1, 256>>>(Out, In, Index);
}

// Texture fetches are not part of the access model yet: how a texture lies in
// memory is not known here, but a 1-D fetch is as linear as a load.
//
// XFAIL: *
// RUN: %warpwise accesses --gpu=nvidia-h100-pcie %s -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void fetch(float *Out, cudaTextureObject_t In) {
  Out[threadIdx.x] = tex1Dfetch<float>(In, threadIdx.x * 64);
  // CHECK: "space": "texture"
}

void launch(float *Out, cudaTextureObject_t In) {
  fetch<<<1, 256>>>(Out, In);
}

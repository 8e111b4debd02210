// The only implementation of a virtual function could be assumed to be called.
//
// XFAIL: *
// RUN: %warpwise check --gpu=nvidia-h100-pcie %s -- | FileCheck %s

struct Source {
  __device__ virtual float get(const float *In) = 0;
};

struct Strided final : Source {
  __device__ float get(const float *In) override {
    return In[threadIdx.x * 64];
    // CHECK: [[@LINE-1]]:{{.*}} warning: {{.*}} [cuda-memory-uncoalesced-access]
  }
};

__global__ void fill(float *Out, const float *In, Source *From) {
  Out[threadIdx.x] = From->get(In);
}

void launch(float *Out, const float *In, Source *From) {
  fill<<<1, 256>>>(Out, In, From);
}

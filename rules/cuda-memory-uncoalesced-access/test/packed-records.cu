// Records that are used up can pass through shared memory as they are, and
// others may want them packed. Of one with a member that is used alone a vector
// moves the same sectors.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void pixels(float3 *Image, const float *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float V = In[I];
  // CHECK: [[@LINE+2]]{{.*}}: warning: global store is uncoalesced: {{.*}}12 sectors per request (ideal 4)
  // CHECK: note: pass the records of 'Image' through shared memory, so that the warp moves them side by side, or store their fields separately (structure of arrays)
  Image[I] = make_float3(V, V * 2, V * 3);
}

__global__ void densities(float *Out, const float4 *Particles) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+3]]{{.*}}: warning: global load is uncoalesced: {{.*}}16 sectors per request (ideal 4)
  // CHECK-NOT: as one vector
  // CHECK: note: little else of these 16 bytes is loaded nearby: let a thread load and use all of them, or store what is used of 'Particles' apart from the rest
  Out[I] = Particles[I].w;
}

__global__ void pairs(float *Out, const float4 *Particles) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Density = Particles[I].w;
  // CHECK: [[@LINE-1]]{{.*}}: warning: global load is uncoalesced: {{.*}}16 sectors per request (ideal 4)
  // CHECK-NOT: as one vector
  // CHECK: note: store the fields of 'Particles' separately (structure of arrays); the same at [[@LINE+7]]:37
  float Sum = 0;
  for (int K = 0; K < 4; ++K) {
    __syncthreads();
    Sum += Out[I ^ K];
  }
  if (Sum > 1 && Sum < 2)
    Out[I] = Density + Particles[I].x;
  else
    Out[I] = Density;
}

void launch(float3 *Image, float *Out, const float *In, const float4 *P) {
  pixels<<<4096, 256>>>(Image, In);
  densities<<<4096, 256>>>(Out, P);
  pairs<<<4096, 256>>>(Out, P);
}

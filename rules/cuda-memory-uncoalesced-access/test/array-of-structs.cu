// One field of a record, then the field as an array of its own.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Particle {
  float X, Y, Z, Mass, Charge;
};

__global__ void records(float *Out, const Particle *In) {
  Out[threadIdx.x] = In[threadIdx.x].Mass;
  // CHECK: array-of-structs.cu:[[@LINE-1]]:{{[0-9]+}}: warning: global load is uncoalesced: at least 20 sectors per request (ideal 4)
  // CHECK: note: in the costliest request of 'In', neighbouring lanes are 20 bytes apart
  // CHECK: note: little else of these 20 bytes is loaded nearby: let a thread load and use all of them, or store what is used of 'In' apart from the rest
}

__global__ void arrays(float *Out, const float *Mass) {
  Out[threadIdx.x] = Mass[threadIdx.x];
}

void launch(float *Out, const Particle *In, const float *Mass) {
  records<<<1, 128>>>(Out, In);
  arrays<<<1, 128>>>(Out, Mass);
}

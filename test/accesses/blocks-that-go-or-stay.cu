// Whether a block takes part hangs on a number that nobody knows, and is the
// same for all of its warps: three warps of 32 lanes and one of four make each
// request together, or not at all. A guard that warps pass by themselves, and
// rounds of which nobody knows how many there are, prove no such thing.
//
// RUN: %warpwise accesses --quiet --profile=nvidia-h200 %s -- | FileCheck %s

struct Record {
  double A, B, C, D;
};

__global__ void wholeBlocks(int Boxes, const int *First, const Record *In,
                            double *Out) {
  if (blockIdx.x < Boxes && threadIdx.x < 100)
    // CHECK-LABEL: "name": "wholeBlocks
    // CHECK: "object": "In"
    // CHECK: "proof": "exact",
    // CHECK: "active_lanes": 25,
    // CHECK-NEXT: "sectors": 25,
    Out[blockIdx.x * 100 + threadIdx.x] = In[First[blockIdx.x] + threadIdx.x].A;
}

__global__ void singleWarps(int Warps, const int *First, const Record *In,
                            double *Out) {
  if (threadIdx.x / 32 < Warps && threadIdx.x < 100)
    // CHECK-LABEL: "name": "singleWarps
    // CHECK: "object": "In"
    // CHECK: "proof": "{{bounded|estimated}}",
    Out[blockIdx.x * 100 + threadIdx.x] = In[First[blockIdx.x] + threadIdx.x].A;
}

__global__ void rounds(int Rounds, const int *First, const Record *In,
                       double *Out) {
  double Sum = 0;
  for (int R = 0; R < First[blockIdx.x]; ++R)
    if (threadIdx.x < 100)
      // CHECK-LABEL: "name": "rounds
      // CHECK: "object": "In"
      // CHECK: "proof": "estimated",
      // CHECK: "active_lanes": 25,
      // CHECK-NEXT: "sectors": 25,
      Sum += In[First[R] + threadIdx.x].A;
  Out[blockIdx.x * 128 + threadIdx.x] = Sum;
}

void launch(int Boxes, const int *First, const Record *In, double *Out) {
  wholeBlocks<<<Boxes, 128>>>(Boxes, First, In, Out);
  singleWarps<<<Boxes, 128>>>(Boxes, First, In, Out);
  rounds<<<Boxes, 128>>>(Boxes, First, In, Out);
}

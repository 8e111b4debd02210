// Each thread walks along its own row, then the threads walk along one row.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

// Before: a sector for each lane.
__global__ void rows(float *Sum, const float *In) {
  float S = 0;
  for (int Column = 0; Column < 1024; ++Column)
    S += In[threadIdx.x * 1024 + Column];
  // CHECK: row-per-thread.cu:[[@LINE-1]]:10: warning: global load is uncoalesced: 32 sectors per request (ideal 4), 896 of their bytes unused by it{{.*}} [cuda-memory-uncoalesced-access]
  // CHECK: note: in the costliest request of 'In', neighbouring lanes are 4096 bytes apart
  // CHECK: note: block is 256, from this launch
  // CHECK: note: profile nvidia-h100-pcie: warp.global.cycles_per_sector is
  // CHECK: note: each lane walks along 'In' by itself: let the lanes of a warp walk side by side
  Sum[threadIdx.x] = S;
}

// After: four sectors for the warp.
__global__ void columns(float *Sum, const float *In) {
  float S = 0;
  for (int Row = 0; Row < 1024; ++Row)
    S += In[Row * 1024 + threadIdx.x];
  Sum[threadIdx.x] = S;
}

void launch(float *Sum, const float *In) {
  rows<<<1, 256>>>(Sum, In);
  columns<<<1, 256>>>(Sum, In);
}

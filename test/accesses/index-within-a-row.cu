// Data choose a column, each lane has a row of its own: the lanes lie as far apart
// as their rows, whatever the data are, as long as no index leads out of its row.
// Rows of 40 bytes meet at their ends. Rows shorter than a sector, an index that
// moves whole rows and a choice between two addresses say nothing of the kind.
//
// RUN: %warpwise accesses --cuda-path=none --profile=nvidia-h200 %s -- | FileCheck %s
// RUN: %warpwise check --cuda-path=none --profile=nvidia-h200 --remarks %s -- 2>&1 | FileCheck --check-prefix=SILENT %s

__global__ void losses(float *Out, const float *In, const int *Label, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Column = Label[I];
  // CHECK: "line": [[#@LINE+9]],
  // CHECK: "object": "In"
  // CHECK: "proof": "estimated",
  // CHECK-NEXT: "reason": "data choose an element in a row of each lane's own, and are taken not to lead out of it",
  // CHECK: "sectors": 32,
  // CHECK: "low": 32,
  // CHECK-NEXT: "high": 32,
  // CHECK-NEXT: "possible"
  // SILENT-NOT: [[#@LINE+1]]:{{.*}}uncoalesced
  Out[I] = In[I * 1000 + Column];
  // CHECK: "line": [[#@LINE+7]],
  // CHECK: "object": "In"
  // CHECK: "proof": "estimated",
  // CHECK: "sectors": 28.8{{0*[1-9]?}},
  // CHECK: "low": 16,
  // CHECK-NEXT: "high": 32,
  // CHECK-NEXT: "possible"
  Out[N + I] = In[I * 10 + Column];
  // CHECK: "line": [[#@LINE+3]],
  // CHECK: "object": "In"
  // CHECK: "proof": "data-dependent",
  Out[2 * N + I] = In[I * 7 + Column];
  // CHECK: "line": [[#@LINE+3]],
  // CHECK: "object": "In"
  // CHECK: "proof": "data-dependent",
  Out[3 * N + I] = In[Column * 1000 + I % 32];
  // CHECK: "line": [[#@LINE+3]],
  // CHECK: "object": "In"
  // CHECK: "proof": "data-dependent",
  Out[4 * N + I] = In[Column > 5 ? I * 1000 + Column : Column];
}

void launch(float *Out, const float *In, const int *Label) {
  losses<<<4096, 256>>>(Out, In, Label, 1 << 20);
}
// SILENT: note: 0 warnings and 1 remark in 1 kernel

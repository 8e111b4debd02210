// A kernel that does not compile is named; the others are analysed all the same
// and the exit status says that something is missing.
//
// RUN: not %warpwise check --gpu=nvidia-h100-pcie %s -- >%t.out 2>%t.err
// RUN: FileCheck %s <%t.out --implicit-check-not=warning:
// RUN: FileCheck %s --check-prefix=ERR <%t.err --implicit-check-not=error:
//
// The document of accesses lists it as skipped, which is no failure.
// RUN: %warpwise accesses --gpu=nvidia-h100-pcie %s -- 2>%t.err \
// RUN:   | FileCheck %s --check-prefix=JSON

__global__ void broken(float *Out) {
  Out[threadIdx.x] = undeclared;
  // ERR: broken-kernel.cu:[[@LINE-1]]:22: error: kernel 'broken' was not analysed: use of undeclared identifier 'undeclared'
}

__global__ void rows(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x * 1024];
  // CHECK: broken-kernel.cu:[[@LINE-1]]:{{.*}} warning:
}

void launch(float *Out, const float *In) { rows<<<1, 256>>>(Out, In); }

// ERR: note: 1 warning in 1 kernel, {{[0-9]+ of [0-9]+}} accesses judged (1 kernel not analysed)
// JSON-DAG: "status": "skipped"
// JSON-DAG: "name": "rows(float*, float const*)"

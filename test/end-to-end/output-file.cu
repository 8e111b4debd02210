// Findings in a file: complete or not there at all, and nothing on stdout.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %warpwise check --gpu=nvidia-h100-pcie --output=%t/text %s -- | count 0
// RUN: FileCheck %s <%t/text
// RUN: %warpwise check --gpu=nvidia-h100-pcie --output=%t/json --format=json %s -- \
// RUN:   | count 0
// RUN: FileCheck %s --check-prefix=JSON <%t/json
// RUN: %python -m json.tool %t/json >%t/pretty
// RUN: %warpwise accesses --gpu=nvidia-h100-pcie --output=%t/accesses %s -- \
// RUN:   | count 0
// RUN: FileCheck %s --check-prefix=ACCESSES <%t/accesses
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: not %warpwise check --output=%t/absent/text %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERR
// RUN: not %warpwise check --gpu=nvidia-h100-pcie %s -- 2>&1 >/dev/full \
// RUN:   | FileCheck %s --check-prefix=FULL

__global__ void rows(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x * 1024];
  // CHECK: output-file.cu:[[@LINE-1]]:{{.*}} warning:
}

void launch(float *Out, const float *In) { rows<<<1, 256>>>(Out, In); }

// JSON: "schema": "warpwise-findings/1"
// JSON: "cuda-memory-uncoalesced-access"
// ACCESSES: "schema": "warpwise-accesses/1"
// FILES: accesses
// FILES-NEXT: json
// FILES-NEXT: pretty
// FILES-NEXT: text
// FILES-NOT: {{.}}
// ERR: error: cannot write '{{.*}}absent/text': {{.*}}
// FULL: error: cannot write to standard output: No space left on device

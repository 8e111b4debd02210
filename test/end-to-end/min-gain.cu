// What a repair would gain decides what is said: the columns of the large
// matrix pay, the same access in a kernel of one block is lost in its launch.
// RUN: %checkpriced %s -- -nocudainc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %checkpriced --min-gain=0 --sort=gain %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck --check-prefix=ALL %s --implicit-check-not=warning:
// RUN: %checkpriced --explain-silence %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck --check-prefix=SILENCE %s
// RUN: %checkpriced --min-gain=0 --sort=gain --top=1 --format=json %s -- -nocudainc \
// RUN:   | FileCheck --check-prefix=JSON %s

__global__ void columns(const float *a, float *b, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += a[row * pitch + i * 32];
  b[row] = sum;
}

__global__ void once(const float *a, float *b, int pitch) {
  b[threadIdx.x] = a[threadIdx.x * pitch];
}

void launch(float *a, float *b) {
  once<<<1, 32>>>(a, b, 2048);
  columns<<<4096, 256>>>(a, b, 2048);
}

// CHECK: min-gain.cu:{{[0-9:]+}}: warning: global load is uncoalesced{{.*}}; about {{[2-9]\.[0-9]+}}x faster [{{.*}}] when repaired [cuda-memory-uncoalesced-access]
// CHECK: note: 1 finding is left out: with the advice followed the kernel would gain too little (--min-gain; --explain-silence lists it)
// CHECK: kernel {{.*}} wasted
// CHECK-NEXT: columns {{.*}} us {{.*}} % {{ *}}1
// CHECK: note: the block shape of 2 kernels is known
// CHECK: note: 1 warning in 2 kernels

// ALL: warning: global load is uncoalesced{{.*}}; about
// ALL: warning: global load is uncoalesced{{.*}}; hardly faster [1.0

// SILENCE: min-gain.cu:{{[0-9:]+}}: note: left out: global load is uncoalesced: {{.*}}; hardly faster [1.0{{.*}}bound by the launch [cuda-memory-uncoalesced-access]

// JSON: "gain": {
// JSON-NEXT: "bound_by":
// JSON-NEXT: "factor": {{[2-9]\.}}
// JSON-NOT: "gain"

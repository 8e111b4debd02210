// What the cache model cannot know or cannot do is one sentence that names the
// kernel and what is needed; the launch is there as not modelled, and the exit
// status is 1. The other kernels of the file are modelled.
// RUN: not %warpwise reuse --quiet --cuda-path=none %s >%t.out 2>%t.err
// RUN: FileCheck --check-prefix=ERRORS --implicit-check-not=error: %s <%t.err
// RUN: FileCheck --check-prefix=OUTPUT %s <%t.out
// RUN: not %warpwise reuse --quiet --cuda-path=none --format=json %s 2>%t.err \
// RUN:   | FileCheck --check-prefix=JSON %s
// RUN: not %warpwise reuse --quiet --cuda-path=none --format=html %s 2>%t.err \
// RUN:   | FileCheck --check-prefix=HTML %s
// What was asked for is then enough.
// RUN: %warpwise reuse --quiet --cuda-path=none --kernel=value --arg Pitch=8 %s \
// RUN:   | FileCheck --check-prefix=GIVEN %s
// RUN: %warpwise reuse --quiet --cuda-path=none --kernel=contents \
// RUN:   --buffer Order=iota %s | FileCheck --check-prefix=GIVEN %s
// RUN: %warpwise reuse --quiet --cuda-path=none --kernel=nowhere \
// RUN:   --launch grid=1,block=32 %s | FileCheck --check-prefix=GIVEN %s
// GIVEN-NOT: not modelled
// GIVEN: L1 stores

// OUTPUT-LABEL: fine(int*)
// OUTPUT-NOT: not modelled
// OUTPUT: L1 stores
__global__ void fine(int *Out) { Out[threadIdx.x] = 1; }

// ERRORS: error: kernel 'value': the value of argument 'Pitch' is not known; give it with --arg Pitch=
// OUTPUT: not modelled: kernel 'value'
__global__ void value(int *Out, int Pitch) { Out[threadIdx.x * Pitch] = 1; }

// ERRORS: error: kernel 'contents': addresses depend on the contents of 'Order' ({{.*}}:[[#@LINE+2]]); give them with --buffer Order=
__global__ void contents(int *Out, const int *Order) {
  Out[Order[threadIdx.x]] = 1;
}

// ERRORS: error: kernel 'endless': a thread makes more accesses than can be traced, or a loop has no end
__global__ void endless(int *Out) {
  for (unsigned I = 0;; I += 2)
    Out[(threadIdx.x + I) & 1023] = 1;
}

// ERRORS: error: kernel 'recursive': addresses depend on a call of 'depth(int)', which is not modelled because it calls itself
__device__ int depth(int N) { return N < 2 ? 1 : depth(N / 2) + depth(N / 3); }
__global__ void recursive(int *Out, int N) { Out[depth(N)] = 1; }

// ERRORS: error: kernel 'huge': a thread makes more accesses than can be traced
__global__ void huge(int *Out) {
  for (long I = 0; I < 1L << 45; ++I)
    Out[(threadIdx.x + I) & 1023] = 1;
}

// ERRORS: error: kernel 'nowhere': the grid and block of its launch are not known; say for example --launch grid=32x32,block=16x16
__global__ void nowhere(int *Out) { Out[threadIdx.x] = 1; }

// JSON-COUNT-1: "status": "modelled"
// JSON-COUNT-6: "status": "not-modelled"
// HTML: badge good">modelled
// HTML-COUNT-6: badge bad">not modelled

int pitch();
int main() {
  int *Out, *Order;
  cudaMalloc(&Out, 4096);
  cudaMalloc(&Order, 4096);
  fine<<<1, 32>>>(Out);
  value<<<1, 32>>>(Out, pitch());
  contents<<<1, 32>>>(Out, Order);
  endless<<<1, 32>>>(Out);
  recursive<<<1, 32>>>(Out, 10);
  huge<<<1, 32>>>(Out);
}

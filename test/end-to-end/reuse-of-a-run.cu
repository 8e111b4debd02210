// What the run before a launch tells: memory that cudaMemset made zero has known
// contents until a kernel may write it, and launches of one kernel get numbers
// where only those tell them apart.
// RUN: not %warpwise reuse --cuda-path=none --gpu=nvidia-h200 --format=json %s >%t.json 2>%t.errors
// RUN: FileCheck --check-prefix=ERRORS --input-file %t.errors %s
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 --kernel=gather --kernel=scale --format=json %s \
// RUN:   | FileCheck %s

__global__ void gather(float *Out, const float *In, const int *Where) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[Where[I]];
}
__global__ void count(int *Where) { Where[threadIdx.x] += threadIdx.x; }
__global__ void spread(float *Out, const float *In, const int *Where) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[Where[I]];
}
__global__ void scale(float *Out, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] *= 2;
}

// ERRORS: error: kernel 'spread': addresses depend on the contents of 'Where'
// ERRORS-NOT: gather

// CHECK: "invocation": null
// CHECK: "kernel": "gather
// CHECK: "status": "modelled"
// CHECK: "grid": [
// CHECK-NEXT: 8,
// CHECK: "invocation": 1
// CHECK: "grid": [
// CHECK-NEXT: 8,
// CHECK: "invocation": 2
// CHECK: "grid": [
// CHECK-NEXT: 16,
// CHECK: "invocation": null

int main() {
  float *In, *Out;
  int *Where;
  cudaMalloc(&In, 1 << 14);
  cudaMalloc(&Out, 1 << 14);
  cudaMalloc(&Where, 1 << 14);
  cudaMemset(Where, 0, 1 << 14);
  gather<<<16, 256>>>(Out, In, Where);
  cudaMemset(Where, 0, 1 << 14);
  count<<<1, 256>>>(Where);
  spread<<<16, 256>>>(Out, In, Where);
  scale<<<8, 256>>>(Out, 1000);
  scale<<<8, 256>>>(Out, 2000);
  scale<<<16, 256>>>(Out, 4000);
}

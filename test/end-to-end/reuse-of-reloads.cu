// What a store may have changed is loaded again, as nvcc does: even where the
// store writes what was loaded from the same place, and where types differ.
//
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s | FileCheck %s

// Each thread loads twice; the second load finds the first one's sector.
// CHECK-LABEL: again(
// CHECK: L1 loads 50.00 % 1 048 576
__global__ void again(const float *In, float *Out, float *Squares) {
  int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = In[I];
  Squares[I] = In[I] * In[I];
}

// CHECK-LABEL: onceForAll(
// CHECK: L1 loads 0.00 % 524 288
__global__ void onceForAll(const float *__restrict__ In,
                           float *__restrict__ Out,
                           float *__restrict__ Squares) {
  int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = In[I];
  Squares[I] = In[I] * In[I];
}

// CHECK-LABEL: otherType(
// CHECK: L1 loads 50.00 % 1 048 576
__global__ void otherType(const float *In, int *Out, float *Squares) {
  int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = int(In[I]);
  Squares[I] = In[I];
}

// What is stored where it came from changes nothing.
// CHECK-LABEL: inPlace(
// CHECK: L1 loads 0.00 % 524 288
// CHECK: L1 stores 0.00 % 524 288
__global__ void inPlace(float *InOut, float *Squares) {
  int I = blockIdx.x * 256 + threadIdx.x;
  InOut[I] = InOut[I];
  Squares[I] = InOut[I];
}

int main() {
  float *A, *B, *C;
  cudaMalloc(&A, 1 << 24);
  cudaMalloc(&B, 1 << 24);
  cudaMalloc(&C, 1 << 24);
  again<<<16384, 256>>>(A, B, C);
  onceForAll<<<16384, 256>>>(A, B, C);
  otherType<<<16384, 256>>>(A, reinterpret_cast<int *>(B), C);
  inPlace<<<16384, 256>>>(A, B);
}

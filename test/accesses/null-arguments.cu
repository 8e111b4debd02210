// Whether a pointer is null decides branches, as far as the host code tells.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

template <int Number>
__device__ void pick(float *Out, const float *Given, const float *In) {
  if (Given)
    Out[threadIdx.x] = Given[threadIdx.x];
  else
    Out[threadIdx.x] = In[threadIdx.x * 32];
}

// CHECK-LABEL: "name": "null(float*, float const*, float const*)"
// CHECK: "object": "In"
// CHECK: "proof": "exact"
// CHECK: "sectors": 32,
// CHECK: "object": "Given"
// CHECK: "reason": "no thread reaches it under the known launches"
__global__ void null(float *Out, const float *Given, const float *In) {
  pick<0>(Out, Given, In);
}

// Somewhere in an array, and not null for certain.
// CHECK-LABEL: "name": "somewhere(float*, float const*, float const*)"
// CHECK: "object": "In"
// CHECK: "reason": "no thread reaches it under the known launches"
// CHECK: "object": "Given"
// CHECK: "proof": "bounded"
__global__ void somewhere(float *Out, const float *Given, const float *In) {
  pick<1>(Out, Given, In);
}

// Either, for all that is known here.
// CHECK-LABEL: "name": "either(float*, float const*, float const*)"
// CHECK: "object": "In"
// CHECK: "proof": "exact"
// CHECK: "sectors": 32,
// CHECK: "object": "Given"
// CHECK: "proof": "bounded"
__global__ void either(float *Out, const float *Given, const float *In) {
  pick<2>(Out, Given, In);
}

// Not null does not mean another one.
// CHECK-LABEL: "name": "same(float const*, float const*, float*)"
// CHECK: "object": "A"
// CHECK: "proof": "exact"
// CHECK: "sectors": 32,
__global__ void same(const float *A, const float *B, float *Out) {
  Out[threadIdx.x] = A == B ? A[threadIdx.x * 32] : 0;
}

void launch(const float *Unknown, int Start) {
  float *In, *Out, Array[64];
  cudaMalloc(&In, 1 << 20);
  cudaMalloc(&Out, 1 << 20);
  null<<<1, 256>>>(Out, nullptr, In);
  somewhere<<<1, 256>>>(Out, &Array[Start], In);
  either<<<1, 256>>>(Out, Unknown, In);
  same<<<1, 256>>>(&Array[Start], &Array[Start], Out);
}

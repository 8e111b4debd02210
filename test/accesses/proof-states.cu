// One kernel for each proof state.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

// Everything is known from the launch.
// CHECK-LABEL: "name": "exactStride(float*, int)"
// CHECK: "proof": "exact"
// CHECK: "sectors": 16,
// CHECK-NEXT: "ideal_sectors": 4,
__global__ void exactStride(float *Out, int Stride) {
  Out[threadIdx.x * Stride] = 0;
}

// The pitch is not known: aligned rows or not, 4 sectors or 5.
// CHECK-LABEL: "name": "unknownPitch(float*, int)"
// CHECK: "proof": "bounded"
// CHECK: "low": 4,
// CHECK-NEXT: "high": 5
__global__ void unknownPitch(float *Out, int Pitch) {
  Out[blockIdx.x * Pitch + threadIdx.x] = 0;
}

// A gather: said, not guessed.
// CHECK-LABEL: "name": "gather(float*, float const*, int const*)"
// CHECK: "object": "In"
// CHECK: "proof": "data-dependent"
// CHECK: "sectors": null
__global__ void gather(float *Out, const float *In, const int *Index) {
  Out[threadIdx.x] = In[Index[threadIdx.x]];
}

// No thread gets there under this launch.
// CHECK-LABEL: "name": "unreached(float*, int)"
// CHECK: "proof": "unknown"
// CHECK: "reason": "no thread reaches it under the known launches"
__global__ void unreached(float *Out, int N) {
  if (threadIdx.x >= N)
    Out[threadIdx.x] = 0;
}

void launch(float *Out, const float *In, const int *Index, int Pitch) {
  exactStride<<<1, 64>>>(Out, 4);
  unknownPitch<<<64, 64>>>(Out, Pitch);
  gather<<<1, 64>>>(Out, In, Index);
  unreached<<<1, 64>>>(Out, 64);
}

// One kernel for each proof state: see docs/access-model.md.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

// Everything is known from the launch.
// CHECK-LABEL: "name": "exactStride(float*, int)"
// CHECK: "proof": "exact"
// CHECK: "sectors": 16,
// CHECK-NEXT: "ideal_sectors": 4,
__global__ void exactStride(float *Out, int Stride) {
  Out[threadIdx.x * Stride + blockIdx.x] = 0;
}

// Not everything is, but no offset that is a multiple of 32 floats matters.
// CHECK-LABEL: "name": "exactRow(float*, int)"
// CHECK: "proof": "exact"
// CHECK: "sectors": 4,
__global__ void exactRow(float *Out, int Row) {
  Out[Row * 32 + threadIdx.x] = 0;
}

// The pitch is not known: aligned rows or not, 4 sectors or 5.
// CHECK-LABEL: "name": "unknownPitch(float*, int)"
// CHECK: "proof": "bounded"
// CHECK: "low": 4,
// CHECK-NEXT: "high": {{4.98.*|5}}
__global__ void unknownPitch(float *Out, int Pitch) {
  Out[blockIdx.x * Pitch + threadIdx.x] = 0;
}

// Nor is where the pointer starts.
// CHECK-LABEL: "name": "unknownStart(float*)"
// CHECK: "proof": "bounded"
// CHECK: "reason": "depends on where in its allocation the pointer argument starts"
// CHECK: "low": 4,
// CHECK-NEXT: "high": {{4.98.*|5}}
__global__ void unknownStart(float *Out) { Out[threadIdx.x] = 0; }

// A column: 32 sectors, unless the stride is small.
// CHECK-LABEL: "name": "unknownStride(float*, int)"
// CHECK: "proof": "estimated"
// CHECK: "reason": "depends on a pitch or stride that is not known here"
// CHECK: "sectors": 32,
// CHECK: "low": 4,
// CHECK-NEXT: "high": 32,
// CHECK-NEXT: "possible": [
// CHECK-NEXT: 1,
// CHECK-NEXT: 32
__global__ void unknownStride(float *Out, int Stride) {
  Out[threadIdx.x * Stride + blockIdx.x] = 0;
}

// Which lanes are left is not known.
// CHECK-LABEL: "name": "guarded(float*, int)"
// CHECK: "proof": "estimated"
// CHECK: "reason": "which lanes take part depends on values that are not known here"
// CHECK: "sectors": 4,
__global__ void guarded(float *Out, int N) {
  if (threadIdx.x < N)
    Out[threadIdx.x] = 0;
}

// Data choose the lanes: half of them may stay away.
// CHECK-LABEL: "name": "chosen(float*, int const*)"
// CHECK: "object": "Out"
// CHECK: "proof": "estimated"
// CHECK: "reason": "which lanes take part depends on values loaded from memory"
// CHECK: "sectors": 4,
// CHECK: "low": 2,
// CHECK-NEXT: "high": 4,
// CHECK-NEXT: "possible": [
// CHECK-NEXT: 1,
// CHECK-NEXT: 4
__global__ void chosen(float *Out, const int *Index) {
  if (Index[threadIdx.x] > 0)
    Out[threadIdx.x] = 0;
}

// Two half rows: a sum that wraps around could part lanes, but does not, as a
// rule.
// CHECK-LABEL: "name": "halfRows(float*, long, int, int)"
// CHECK: "proof": "estimated"
// CHECK: "sectors": 4,
// CHECK: "low": 4,
// CHECK-NEXT: "high": 6,
// CHECK-NEXT: "possible": [
// CHECK-NEXT: 2,
// CHECK-NEXT: 12
__global__ void halfRows(float *Out, long Pitch, int Row, int Column) {
  int X = int(blockIdx.x * 16) + threadIdx.x % 16;
  int Y = int(blockIdx.y * 2) + threadIdx.x / 16;
  Out[blockIdx.z * Pitch + Y * Row + (X + Column)] = 0;
}

// A gather: what random indices cost on average, and the limits.
// CHECK-LABEL: "name": "gather(float*, float const*, int const*)"
// CHECK: "object": "In"
// CHECK: "proof": "data-dependent"
// CHECK: "sectors": 32,
// CHECK: "low": 1,
// CHECK-NEXT: "high": 32
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

void launch(float *Given, const int *Index, int Pitch) {
  float *Out, *In;
  cudaMalloc(&Out, 1 << 20);
  cudaMalloc(&In, 1 << 20);
  exactStride<<<1, 64>>>(Out, 4);
  exactRow<<<1, 64>>>(Out, Pitch);
  unknownPitch<<<64, 64>>>(Out, Pitch);
  unknownStart<<<1, 64>>>(Given);
  unknownStride<<<1, 64>>>(Out, Pitch);
  guarded<<<1, 64>>>(Out, Pitch);
  halfRows<<<dim3(Pitch, Pitch, 3), 32>>>(Out, Pitch, Pitch + 1, Pitch + 2);
  chosen<<<1, 64>>>(Out, Index);
  gather<<<1, 64>>>(Out, In, Index);
  unreached<<<1, 64>>>(Out, 64);
}

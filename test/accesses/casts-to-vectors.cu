// What a cast to a vector leads to is one access, as in nvcc's code, also where
// the array that it stands in is declared with smaller elements.
//
// RUN: %warpwise accesses --quiet --output=%t.json %s
// RUN: FileCheck %s --input-file=%t.json

struct Point {
  float Place[16];
  float Data[128];
};
struct alignas(16) Four {
  float X, Y, Z, W;
};

// CHECK: "name": "members(
// CHECK: "op": "load"
// CHECK-NEXT: "bytes": 16,
// CHECK: "op": "store"
// CHECK-NEXT: "bytes": 16,
// CHECK-NOT: "op": "load"
__global__ void members(const Point *In, float4 *Out) {
  Out[threadIdx.x] = ((const float4 *)&In[blockIdx.x].Data)[threadIdx.x];
}

// CHECK: "name": "elements(
// CHECK: "op": "load"
// CHECK-NEXT: "bytes": 16,
// CHECK: "op": "store"
// CHECK-NEXT: "bytes": 16,
// CHECK-NOT: "op": "load"
__global__ void elements(const Point *In, Four *Out) {
  *Out = *reinterpret_cast<const Four *>(&In->Data[threadIdx.x * 4]);
}

// CHECK: "name": "references(
// CHECK: "op": "load"
// CHECK-NEXT: "bytes": 8,
// CHECK: "op": "store"
// CHECK-NEXT: "bytes": 8,
// CHECK-NOT: "op": "load"
__global__ void references(Point *In, float2 *Out) {
  Out[threadIdx.x] = reinterpret_cast<float2 &>(In->Data[threadIdx.x * 2]);
}

template <class Vector> __device__ Vector first(const Point &P) {
  const auto load = [&] { return *(const Vector *)P.Data; };
  return load();
}

// CHECK: "name": "inTemplates(
// CHECK: "op": "load"
// CHECK-NEXT: "bytes": 16,
// CHECK: "op": "store"
// CHECK-NEXT: "bytes": 16,
// CHECK-NOT: "op": "load"
__global__ void inTemplates(const Point *In, float4 *Out) {
  Out[threadIdx.x] = first<float4>(In[threadIdx.x]);
}

// A thread's own array is where it is.
// CHECK: "name": "ofThread(
// CHECK: "op": "load"
// CHECK-NEXT: "bytes": 4,
// CHECK: "op": "store"
// CHECK-NEXT: "bytes": 4,
// CHECK-NOT: "op": "load"
__global__ void ofThread(const float *In, float *Out) {
  float Own[8];
  for (int I = 0; I < 8; ++I)
    Own[I] = In[I * blockDim.x + threadIdx.x];
  const float4 V = *(const float4 *)&Own[4];
  Out[threadIdx.x] = V.x + V.y + V.z + V.w;
}

// What one request moves: a float4 stays whole though a member is not used, a
// packed struct is split as its alignment demands, neighbours become a vector.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s
// RUN: %warpwise accesses --cuda-path=none %s -- -rdc=true 2>/dev/null \
// RUN:   | FileCheck --check-prefix=RELOCATABLE %s

struct Packed {
  unsigned char R, G, B, A;
};

// CHECK-LABEL: "name": "whole(float*, float4 const*)"
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 16,
__global__ void whole(float *Out, const float4 *In) {
  float4 V = In[threadIdx.x];
  Out[threadIdx.x] = V.x + V.y + V.z;
}

// CHECK-LABEL: "name": "split(Packed*, Packed const*)"
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 1,
// CHECK: "sectors": 4,
__global__ void split(Packed *Out, const Packed *In) {
  Out[threadIdx.x] = In[threadIdx.x];
}

// CHECK-LABEL: "name": "dynamicShared(float*)"
// CHECK: "space": "shared",
// CHECK: "bytes": 8,
// CHECK: "wavefronts": 2,
// CHECK-NEXT: "ideal_wavefronts": 2,
__global__ void dynamicShared(float *Out) {
  extern __shared__ float Data[];
  Out[threadIdx.x] = Data[2 * threadIdx.x] + Data[2 * threadIdx.x + 1];
}

// A byte of a word is loaded alone, but not through the read-only cache, unless
// it is a member.
// CHECK-LABEL: "name": "lowBytes(unsigned int*, unsigned int const*, unsigned int const*, uchar4 const*)"
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 1,
// CHECK-NEXT: "object": "Changing",
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 4,
// CHECK-NEXT: "object": "Words",
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 1,
// CHECK-NEXT: "object": "Members",
__global__ void lowBytes(unsigned *Out, const unsigned *Changing,
                         const unsigned *__restrict__ Words,
                         const uchar4 *__restrict__ Members) {
  unsigned Byte = Changing[threadIdx.x] & 255;
  Byte += Words[threadIdx.x] & 255;
  uchar4 Member = Members[threadIdx.x];
  Out[threadIdx.x] = Byte + Member.x;
}

// Nor where it is stored to, by a choice of pointers or an address in assembly.
// CHECK-LABEL: "name": "lowBytesOfOne(unsigned int*, unsigned int*, int)"
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 1,
// CHECK-NEXT: "object": "A",
__global__ void lowBytesOfOne(unsigned *__restrict__ A,
                              unsigned *__restrict__ B, int First) {
  unsigned Byte = A[threadIdx.x] & 255;
  (First ? A : B)[threadIdx.x + 32] = Byte;
}

__device__ float power(float X) {
  float Y;
  asm("ex2.approx.f32 %0, %1;" : "=f"(Y) : "f"(X));
  return Y;
}

// Assembly between them keeps neighbours in global memory apart.
// CHECK-LABEL: "name": "aroundAssembly(float2*, float2 const*)"
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 4,
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 4,
// CHECK: "op": "store",
// CHECK-NEXT: "bytes": 8,
__global__ void aroundAssembly(float2 *Out, const float2 *In) {
  float X = power(In[threadIdx.x].x);
  float Y = power(In[threadIdx.x].y);
  Out[threadIdx.x].x = X;
  Out[threadIdx.x].y = Y;
}

void launch(float *Out, const float4 *In, Packed *P, const Packed *Q,
            float2 *Pairs, const float2 *From, unsigned *Words,
            const uchar4 *Bytes) {
  whole<<<1, 32>>>(Out, In);
  split<<<1, 32>>>(P, Q);
  dynamicShared<<<1, 32, 256>>>(Out);
  aroundAssembly<<<1, 32>>>(Pairs, From);
  lowBytes<<<1, 32>>>(Words, Words, Words, Bytes);
}

__device__ bool differ(const uchar4 &A, const uchar4 &B) {
  const int X = B.x - A.x, Y = B.y - A.y, Z = B.z - A.z;
  return X > 3 || X < -3 || Y > 3 || Y < -3 || Z > 3 || Z < -3;
}

// Members are loaded as one before what asks for them moves behind a branch (one
// ld.global.v4.u8 for each pixel in the PTX of nvcc 13).
// CHECK-LABEL: "name": "membersBehindBranches(int*, uchar4 const*)"
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 4,
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 4,
// CHECK: "op": "store",
__global__ void membersBehindBranches(int *Out, const uchar4 *In) {
  const uchar4 Pixel = In[threadIdx.x + 1];
  if (differ(Pixel, In[threadIdx.x]))
    Out[threadIdx.x] = 1;
}

// Where static variables lie in shared memory the linker of relocatable device
// code knows alone: what is declared for floats stays two accesses there. (Read
// off cubins of nvcc 13 for sm_90.)
// CHECK-LABEL: "name": "staticShared(float*)"
// CHECK: "op": "store",
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 8,
// RELOCATABLE-LABEL: "name": "dynamicShared(float*)"
// RELOCATABLE: "space": "shared",
// RELOCATABLE: "bytes": 8,
// RELOCATABLE-LABEL: "name": "staticShared(float*)"
// RELOCATABLE: "op": "store",
// RELOCATABLE: "op": "load",
// RELOCATABLE-NEXT: "bytes": 4,
// RELOCATABLE: "op": "load",
// RELOCATABLE-NEXT: "bytes": 4,
__global__ void staticShared(float *Out) {
  __shared__ float Data[64];
  Data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  Out[threadIdx.x] = Data[2 * threadIdx.x] + Data[2 * threadIdx.x + 1];
}

// Accesses that are no loads: matrix fragments, ldmatrix and cp.async in inline
// assembly. Rows of 64 halves put all lines of a fragment on the same banks,
// rows of 72 on different ones.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

#include <mma.h>

// CHECK-LABEL: "name": "fragment64(float*)"
// CHECK: "space": "shared",
// CHECK: "bytes": 16,
// CHECK: "wavefronts": 32,
// CHECK-NEXT: "ideal_wavefronts": 4,
template <int Pitch> __device__ void multiply(float *Out, __half *Tile) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> A;
  fragment<matrix_b, 16, 16, 16, __half, col_major> B;
  fragment<accumulator, 16, 16, 16, float> C;
  fill_fragment(C, 0.0f);
  fill_fragment(B, __float2half(1.0f));
  load_matrix_sync(A, Tile, Pitch);
  mma_sync(C, A, B, C);
  store_matrix_sync(Out, C, 16, mem_row_major);
}

__global__ void fragment64(float *Out) {
  __shared__ __half Tile[16 * 64];
  multiply<64>(Out, Tile);
}

// CHECK-LABEL: "name": "fragment72(float*)"
// CHECK: "wavefronts": 4,
// CHECK-NEXT: "ideal_wavefronts": 4,
__global__ void fragment72(float *Out) {
  __shared__ __half Tile[16 * 72];
  multiply<72>(Out, Tile);
}

// CHECK-LABEL: "name": "copyAsync(float4 const*)"
// CHECK: "space": "global",
// CHECK: "op": "load",
// CHECK-NEXT: "bytes": 16,
// CHECK: "sectors": 16,
// CHECK: "space": "shared",
// CHECK: "op": "store",
// CHECK: "wavefronts": 4,
__global__ void copyAsync(const float4 *In) {
  __shared__ float4 Tile[32];
  const unsigned To =
      (unsigned)__cvta_generic_to_shared(&Tile[threadIdx.x]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
               "l"(In + threadIdx.x));
}

void launch(float *Out, const float4 *In) {
  fragment64<<<1, 32>>>(Out);
  fragment72<<<1, 32>>>(Out);
  copyAsync<<<1, 32>>>(In);
}

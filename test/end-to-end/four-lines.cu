// A finding is the fact and the gain, the source, the reason and the remedy;
// the evidence is there for those who ask.
//
// RUN: %checkpriced --gpu=h200 --quiet %s -- -nocudainc 2>&1 | FileCheck %s
// RUN: %checkpriced --gpu=h200 --quiet --explain %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXPLAIN
// RUN: %checkpriced --gpu=h200 --format=json %s -- -nocudainc 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=JSON

__global__ void transpose(float *Out, const float *In) {
  __shared__ float Tile[32][32];
  const int X = blockIdx.x * 32 + threadIdx.x;
  Tile[threadIdx.y][threadIdx.x] =
      In[(blockIdx.y * 32 + threadIdx.y) * 4096 + X];
  __syncthreads();
  Out[(blockIdx.x * 32 + threadIdx.y) * 4096 + blockIdx.y * 32 + threadIdx.x] =
      Tile[threadIdx.x][threadIdx.y];
}

void launch(float *Out, const float *In) {
  transpose<<<dim3(128, 128), dim3(32, 32)>>>(Out, In);
}

// CHECK: four-lines.cu:17:7: warning: shared load is a 32-way bank conflict: 32 wavefronts per request (ideal 1); about {{[0-9.]+}}x faster [{{[0-9.]+}}, {{[0-9.]+}}] when repaired [cuda-memory-bank-conflict]
// CHECK-NEXT: 17 |       Tile[threadIdx.x][threadIdx.y];
// CHECK-NEXT: ^
// CHECK-NEXT: 17:7: note: in the costliest request of 'Tile', neighbouring lanes are 128 bytes apart
// CHECK-NEXT: 17:7: note: pad each row of 'Tile' by one element{{.*$}}
// CHECK-NOT: {{.}}

// EXPLAIN: note: in the costliest request
// EXPLAIN: note: the kernel takes about {{.*}} us, bound by
// EXPLAIN: note: about {{[0-9.]+}} cycles more per request of a warp on NVIDIA H200
// EXPLAIN: note: block is 32x32, from this launch
// EXPLAIN: note: profile nvidia-h200: warp.shared.cycles_per_wavefront
// EXPLAIN: note: pad each row

// JSON: "errors": []
// JSON: "kernels": [
// JSON: "bound_by": "
// JSON: "launches": 1
// JSON: "name": "transpose(float*, float const*)"
// JSON: "wasted": 0.

// A row can only be made longer by what its widest access needs, and a tile that a
// tensor copy fills by nothing: there the map of the tensor swizzles, or nobody.
//
// RUN: %checkpriced --min-gain=0 --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h200 %s -- -arch=sm_90 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void byVectors(float *Out, const float4 *In) {
  __shared__ float Tile[32][32];
  for (int Row = threadIdx.y; Row < 32; Row += 8)
    reinterpret_cast<float4 *>(Tile[Row])[threadIdx.x % 8] =
        In[(blockIdx.x * 32 + Row) * 8 + threadIdx.x % 8];
  __syncthreads();
  for (int Row = threadIdx.y; Row < 32; Row += 8)
    // CHECK: [[@LINE+2]]:9: warning: shared load is a 32-way bank conflict: 32 wavefronts per request
    Out[(blockIdx.x * 32 + Row) * 32 + threadIdx.x] =
        Tile[threadIdx.x][Row];
  // CHECK: note: pad each row of 'Tile' by 16 bytes, so that lanes 128 bytes apart fall on different banks
}

struct Map {
  alignas(64) char Opaque[128];
};

__device__ unsigned inShared(const void *P) {
  return static_cast<unsigned>(__cvta_generic_to_shared(P));
}

__global__ void byTensor(float *Out, const __grid_constant__ Map In) {
  __shared__ alignas(128) float Tile[32][32];
  __shared__ alignas(8) unsigned long long Arrived;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(inShared(&Arrived)));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
                 "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                     "r"(inShared(Tile)),
                 "l"(&In), "r"(0), "r"(int(blockIdx.x) * 32),
                 "r"(inShared(&Arrived))
                 : "memory");
  }
  __syncthreads();
  for (int Row = threadIdx.y; Row < 32; Row += 8)
    // CHECK: [[@LINE+2]]:9: warning: shared load is a 32-way bank conflict: 32 wavefronts per request
    Out[(blockIdx.x * 32 + Row) * 32 + threadIdx.x] =
        Tile[threadIdx.x][Row];
  // CHECK: note: 'Tile' lies as the map of the tensor says: let that swizzle rows of 128 bytes (CU_TENSOR_MAP_SWIZZLE_128B) and find the elements of 'Tile' accordingly

  // Four elements of one sixteenth take turns, swizzled or not.
  Out[threadIdx.x] += Tile[threadIdx.y][threadIdx.x * 4 % 32];
}

void launch(float *Out, const float4 *In, const Map &M) {
  byVectors<<<4096, dim3(32, 8)>>>(Out, In);
  byTensor<<<4096, dim3(32, 8)>>>(Out, M);
}

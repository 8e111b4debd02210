// Rule: cuda-memory-bank-conflict
// A tile that a tensor copy brings is read down its columns: 32 passes as it lies,
// four as the map of the tensor can swizzle it.
#include "Pair.cuh"

#include <cuda.h>

constexpr int Tiles = 16384;

__device__ unsigned inShared(const void *P) {
  return static_cast<unsigned>(__cvta_generic_to_shared(P));
}

/// A tile of 32 rows of 32 floats, which begin at \p Row of the tensor.
__device__ void bring(float *Tile, unsigned long long *Arrived,
                      const CUtensorMap &In, int Row) {
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(inShared(Arrived)));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
                 "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                     "r"(inShared(Tile)),
                 "l"(&In), "r"(0), "r"(Row), "r"(inShared(Arrived))
                 : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(
                     inShared(Arrived))
                 : "memory");
  }
  __syncthreads();
  int Done = 0;
  while (!Done)
    asm volatile("{ .reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                 "selp.b32 %0, 1, 0, p; }"
                 : "=r"(Done)
                 : "r"(inShared(Arrived))
                 : "memory");
}

/// \p Exchange: of the eight 16 bytes of row X, one is where 4 * (X % 8) says.
__device__ void readColumns(const CUtensorMap &In, float *Out, int Exchange) {
  __shared__ alignas(1024) float Tile[32][32];
  __shared__ alignas(8) unsigned long long Arrived;
  bring(&Tile[0][0], &Arrived, In, blockIdx.x * 32);
  const int X = threadIdx.x;
  for (int Row = threadIdx.y; Row < 32; Row += 8)
    Out[(blockIdx.x * 32 + Row) * 32 + X] = Tile[X][Row ^ Exchange];
}

__global__ void before(const __grid_constant__ CUtensorMap In, float *Out) {
  readColumns(In, Out, 0);
}

__global__ void after(const __grid_constant__ CUtensorMap In, float *Out) {
  readColumns(In, Out, threadIdx.x % 8 * 4);
}

static CUtensorMap mapOf(const float *In, CUtensorMapSwizzle Swizzle) {
  void *Encode = nullptr;
  cudaDriverEntryPointQueryResult Found;
  must(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &Encode,
                                        12000, cudaEnableDefault, &Found));
  CUtensorMap Map;
  const cuuint64_t Size[] = {32, cuuint64_t(Tiles) * 32},
                   Pitch[] = {32 * sizeof(float)};
  const cuuint32_t Box[] = {32, 32}, Step[] = {1, 1};
  reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(Encode)(
      &Map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float *>(In), Size,
      Pitch, Box, Step, CU_TENSOR_MAP_INTERLEAVE_NONE, Swizzle,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return Map;
}

int main() {
  const float *In = input<float>(Tiles * 1024);
  float *Expected = output<float>(Tiles * 1024),
        *Out = output<float>(Tiles * 1024);
  const CUtensorMap Dense = mapOf(In, CU_TENSOR_MAP_SWIZZLE_NONE),
                    Swizzled = mapOf(In, CU_TENSOR_MAP_SWIZZLE_128B);
  Pair P("tensor-tile-swizzled");
  P.same(Expected, Out, Tiles * 1024);
  while (P.next())
    if (P.beforesTurn())
      before<<<Tiles, dim3(32, 8)>>>(Dense, Expected);
    else
      after<<<Tiles, dim3(32, 8)>>>(Swizzled, Out);
}

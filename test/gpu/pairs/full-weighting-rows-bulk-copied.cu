// Rule: cuda-memory-synchronous-staging
// Restriction of a residual to the next coarser grid by full weighting, four
// coarse points of a column a thread: the nine rows of a block are read as they
// are, each word of them about three times, or one thread has them copied in
// bulk to shared memory.
#include "Pair.cuh"

constexpr int Coarse = 2048, Pitch = 2 * Coarse + 4, Fine = 2 * Coarse + 1;
constexpr int Block = 256, Down = 4;
constexpr int Rows = 2 * Down + 1, Columns = 2 * Block + 4;

__device__ float across(const float *Row) {
  return 0.25f * (Row[0] + 2.0f * Row[1] + Row[2]);
}

__global__ void before(const float *__restrict__ Residual, float Scale,
                       float *__restrict__ Right) {
  const int X = blockIdx.x * Block + threadIdx.x, Y = blockIdx.y * Down;
  const float *Row = Residual + size_t(2 * Y) * Pitch + 2 * X;
  float Above = across(Row);
#pragma unroll
  for (int K = 0; K < Down; ++K) {
    const float Middle = across(Row + (2 * K + 1) * Pitch);
    const float Below = across(Row + (2 * K + 2) * Pitch);
    Right[(Y + K) * Coarse + X] = Scale * (Above + 2.0f * Middle + Below);
    Above = Below;
  }
}

__global__ void after(const float *__restrict__ Residual, float Scale,
                      float *__restrict__ Right) {
  __shared__ __align__(128) float Tile[Rows][Columns];
  __shared__ __align__(8) uint64_t Arrived;
  const int X = blockIdx.x * Block + threadIdx.x, Y = blockIdx.y * Down;
  const uint32_t Barrier = uint32_t(__cvta_generic_to_shared(&Arrived));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(Barrier)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     Barrier),
                 "r"(uint32_t(sizeof(Tile)))
                 : "memory");
    for (int R = 0; R < Rows; ++R)
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::"
                   "complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       uint32_t(__cvta_generic_to_shared(Tile[R]))),
                   "l"(Residual + size_t(2 * Y + R) * Pitch +
                       2 * Block * blockIdx.x),
                   "r"(uint32_t(sizeof(Tile[R]))), "r"(Barrier)
                   : "memory");
  }
  __syncthreads();
  uint32_t Done = 0;
  while (!Done)
    asm volatile("{ .reg .pred P;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, P; }"
                 : "=r"(Done)
                 : "r"(Barrier)
                 : "memory");
  const int At = 2 * threadIdx.x;
  float Above = across(&Tile[0][At]);
#pragma unroll
  for (int K = 0; K < Down; ++K) {
    const float Middle = across(&Tile[2 * K + 1][At]);
    const float Below = across(&Tile[2 * K + 2][At]);
    Right[(Y + K) * Coarse + X] = Scale * (Above + 2.0f * Middle + Below);
    Above = Below;
  }
}

int main() {
  const float *Residual = input<float>(size_t(Pitch) * Fine);
  const int Count = Coarse * Coarse;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("full-weighting-rows-bulk-copied");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Coarse / Block, Coarse / Down), Block>>>(Residual, 0.25f,
                                                             Expected);
    else
      after<<<dim3(Coarse / Block, Coarse / Down), Block>>>(Residual, 0.25f,
                                                            Out);
}

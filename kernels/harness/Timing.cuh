//===- Timing.cuh - Clock brackets that wait --------------------*- C++ -*-===//
//
// Reading the clock does not wait for a load that is on its way: on sm_90 the
// instruction after "ld; clock" runs as soon as the load was issued, and a
// latency comes out as 2 or 5 cycles or as that of the iteration before. Nor
// does it help to put an instruction that needs the value in between: ptxas
// moves clock reads across a shuffle (seen on sm_90 with nvcc 13.0). It does
// not move them across a branch, so a bracket has to branch on the value.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_TIMING_CUH
#define WARPWISE_KERNELS_HARNESS_TIMING_CUH

#include <cstdint>

namespace warpwise::harness {

/// The SM's cycle counter, low half; differences are right below 2^32 cycles.
__device__ __forceinline__ uint32_t clockNow() {
  uint32_t Now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(Now)::"memory");
  return Now;
}

__device__ __forceinline__ uint64_t clock64Now() {
  uint64_t Now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(Now)::"memory");
  return Now;
}

/// Nanoseconds of the whole GPU; ticks coarsely.
__device__ __forceinline__ uint64_t globalNanoseconds() {
  uint64_t Now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Now)::"memory");
  return Now;
}

__device__ __forceinline__ uint32_t smId() {
  uint32_t Id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(Id));
  return Id;
}

/// Waits until \p Value has arrived; what follows cannot run before. Costs a
/// constant of about 18 cycles, a compare and a branch that is never taken.
__device__ __forceinline__ uint32_t consume(uint32_t Value) {
  asm volatile("{ .reg .pred Never;\n"
               "  setp.eq.u32 Never, %0, 0x9e3779b9;\n"
               "  @Never trap; }"
               : "+r"(Value)
               :
               : "memory");
  return Value;
}

/// Which caches a load may use.
enum class Path {
  L1,      ///< ld.global.ca
  L2,      ///< ld.global.cg
  ReadOnly ///< ld.global.nc, cached in L1's read-only view
};

template <Path Through>
__device__ __forceinline__ uint32_t load(const uint32_t *At) {
  uint32_t Value;
  if constexpr (Through == Path::L1)
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(Value) : "l"(At));
  else if constexpr (Through == Path::L2)
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(Value) : "l"(At));
  else
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(Value) : "l"(At));
  return Value;
}

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_TIMING_CUH

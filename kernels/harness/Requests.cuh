//===- Requests.cuh - One load of a warp in each memory ---------*- C++ -*-===//
//
// Every memory is filled as a ring that serves all patterns: the element at
// offset O holds the address of the one Step bytes on, so a lane that starts
// anywhere and follows what it loads walks round, and the lanes keep their
// distances. A load's value is the next load's address without arithmetic in
// between: 32 bits in shared, constant and texture memory and for 4-byte loads
// of global memory (whose upper half stays), 64 bits for wider ones of global
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_REQUESTS_CUH
#define WARPWISE_KERNELS_HARNESS_REQUESTS_CUH

#include <cstdint>
#include <type_traits>

namespace warpwise::harness {
// Each file has constant memory of its own, and so kernels and classes of its
// own that read it: hence the nameless namespace, here and in what builds on
// it.
namespace {

enum class Space {
  Shared,
  L1,       ///< ld.global.ca on data that L1 holds
  L2,       ///< ld.global.cg on data that L2 holds
  Constant, ///< ld.const with an address that the lanes choose
  Texture   ///< tex1Dfetch on 32-bit texels
};

struct Ring {
  uint32_t Bytes; ///< a power of two
  uint32_t Step;  ///< a divisor of Bytes
  __host__ __device__ constexpr unsigned places() const { return Bytes / Step; }
};

/// Rings stay in the level that they are for; steps keep banks and the place in
/// a line. L2's is long to pass through many of its slices, whose distances
/// from the SM differ. The constant ring fits the 2 KiB of the smallest
/// constant L1.
__host__ __device__ constexpr Ring ringOf(Space At) {
  switch (At) {
  case Space::Shared:
    return {32 << 10, 128};
  case Space::L2:
    return {1 << 20, 4096};
  case Space::Constant:
    return {1 << 10, 64};
  default:
    return {8 << 10, 128};
  }
}

__host__ __device__ constexpr bool isGlobal(Space At) {
  return At == Space::L1 || At == Space::L2;
}

/// The ring in constant memory, and behind it as many words that are all 1.
alignas(16)
    __constant__ uint32_t ConstantWords[2 * ringOf(Space::Constant).Bytes / 4];

/// Where a lane loads next. Global memory: its address. Others: the address in
/// shared memory, the offset in constant memory, the texel.
template <Space At>
using Spot = std::conditional_t<isGlobal(At), uint64_t, uint32_t>;

template <Space At>
__device__ __forceinline__ Spot<At> spotOf(uint64_t Base, uint32_t Offset) {
  if constexpr (At == Space::Texture)
    return Offset / 4;
  else
    return Base + Offset;
}

/// For 4 bytes what is loaded is the address's lower half; the upper one stays.
#define WARPWISE_FOLLOW(CACHE)                                                 \
  if constexpr (Bytes == 4)                                                    \
    asm volatile("{ .reg .b32 Low, High;\n"                                    \
                 "  mov.b64 {Low, High}, %0;\n"                                \
                 "  ld.global." CACHE ".u32 Low, [%0];\n"                      \
                 "  mov.b64 %0, {Low, High}; }"                                \
                 : "+l"(Now));                                                 \
  else if constexpr (Bytes == 8)                                               \
    asm volatile("ld.global." CACHE ".u64 %0, [%0];" : "+l"(Now));             \
  else                                                                         \
    asm volatile("ld.global." CACHE ".v2.u64 {%0, %1}, [%0];"                  \
                 : "+l"(Now), "=l"(Second));

template <unsigned Bytes, bool InL1>
__device__ __forceinline__ void followGlobal(uint64_t &Now, uint32_t &Rest) {
  uint64_t Second = 0;
  if constexpr (InL1) {
    WARPWISE_FOLLOW("ca")
  } else {
    WARPWISE_FOLLOW("cg")
  }
  if constexpr (Bytes == 16)
    Rest ^= uint32_t(Second) ^ uint32_t(Second >> 32);
}
#undef WARPWISE_FOLLOW

template <unsigned Bytes>
__device__ __forceinline__ void followShared(uint32_t &Now, uint32_t &Rest) {
  uint32_t Y = 0, Z = 0, W = 0;
  if constexpr (Bytes == 4)
    asm volatile("ld.shared.u32 %0, [%0];" : "+r"(Now));
  else if constexpr (Bytes == 8)
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%0];" : "+r"(Now), "=r"(Y));
  else
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%0];"
                 : "+r"(Now), "=r"(Y), "=r"(Z), "=r"(W));
  if constexpr (Bytes > 4)
    Rest ^= Y ^ Z ^ W;
}

/// The word or two words at \p Offset of constant memory. Plain C++: only the
/// compiler knows where constant memory's symbols lie. It reads vectors word by
/// word, so 8 bytes are one integer, and there is no load of 16.
template <unsigned Bytes>
__device__ __forceinline__ uint64_t loadConstant(uint32_t Offset) {
  static_assert(Bytes <= 8, "constant memory has no 16-byte load");
  using Word = std::conditional_t<Bytes == 4, uint32_t, uint64_t>;
  return *reinterpret_cast<const Word *>(
      reinterpret_cast<const char *>(ConstantWords) + Offset);
}

template <unsigned Bytes>
__device__ __forceinline__ void followConstant(uint32_t &Now, uint32_t &Rest) {
  const uint64_t Value = loadConstant<Bytes>(Now);
  Now = uint32_t(Value);
  if constexpr (Bytes == 8)
    Rest ^= uint32_t(Value >> 32);
}

/// Loads \p Bytes at the spot \p Now, which becomes what was loaded. The words
/// that are no address are combined into \p Rest: a load whose words are not
/// all used might be narrowed.
template <Space At, unsigned Bytes>
__device__ __forceinline__ void follow(Spot<At> &Now, uint64_t Texture,
                                       uint32_t &Rest) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
  if constexpr (At == Space::L1)
    followGlobal<Bytes, true>(Now, Rest);
  else if constexpr (At == Space::L2)
    followGlobal<Bytes, false>(Now, Rest);
  else if constexpr (At == Space::Shared)
    followShared<Bytes>(Now, Rest);
  else if constexpr (At == Space::Constant)
    followConstant<Bytes>(Now, Rest);
  else
    Now = tex1Dfetch<uint32_t>(Texture, int(Now));
}

extern __shared__ uint32_t SharedWords[];

/// Fills shared memory with a ring of its own addresses; returns its base.
template <Space At> __device__ uint64_t ringBase(uint64_t Base) {
  if constexpr (At == Space::Constant)
    return 0;
  if constexpr (At != Space::Shared)
    return Base;
  constexpr Ring R = ringOf(Space::Shared);
  const uint32_t First = __cvta_generic_to_shared(SharedWords);
  for (unsigned I = threadIdx.x; I < R.Bytes / 4; I += blockDim.x)
    SharedWords[I] = First + (I * 4 + R.Step) % R.Bytes;
  __syncthreads();
  return First;
}

} // namespace
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_REQUESTS_CUH

/* Names on top of what Clang's __clang_cuda_intrinsics.h has just defined. */
#ifndef WARPWISE_SM_70_RT_HPP
#define WARPWISE_SM_70_RT_HPP

#define WARPWISE_MATCH(TYPE, BITS)                                             \
  static __inline__ __device__ unsigned __match_any_sync(unsigned Mask,        \
                                                         TYPE v) {             \
    return __match##BITS##_any_sync(Mask, v);                                  \
  }                                                                            \
  static __inline__ __device__ unsigned __match_all_sync(unsigned Mask,        \
                                                         TYPE v, int *All) {   \
    return __match##BITS##_all_sync(Mask, v, All);                             \
  }
WARPWISE_MATCH(int, 32)
WARPWISE_MATCH(unsigned, 32)
WARPWISE_MATCH(long, 64)
WARPWISE_MATCH(unsigned long, 64)
WARPWISE_MATCH(long long, 64)
WARPWISE_MATCH(unsigned long long, 64)
#undef WARPWISE_MATCH
static __inline__ __device__ unsigned __match_any_sync(unsigned Mask, float v) {
  return __match32_any_sync(Mask, __builtin_bit_cast(unsigned, v));
}
static __inline__ __device__ unsigned __match_any_sync(unsigned Mask,
                                                       double v) {
  return __match64_any_sync(Mask, __builtin_bit_cast(unsigned long long, v));
}

#endif

/* bfloat16: the upper half of a float; arithmetic in float. */
#ifndef WARPWISE_CUDA_BF16_H
#define WARPWISE_CUDA_BF16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#define WARPWISE_HD                                                            \
  static __inline__ __host__ __device__ __attribute__((unused))

struct __nv_bfloat16_raw {
  unsigned short x;
};

struct __align__(2) __nv_bfloat16 {
  unsigned short Bits;

  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float v)
      : Bits((unsigned short)((__builtin_bit_cast(unsigned, v) + 0x8000) >>
                              16)) {}
  __host__ __device__ __nv_bfloat16(double v) : __nv_bfloat16((float)v) {}
  __host__ __device__ __nv_bfloat16(int v) : __nv_bfloat16((float)v) {}
  __host__ __device__ __nv_bfloat16(unsigned v) : __nv_bfloat16((float)v) {}
  __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw v) : Bits(v.x) {}
  __host__ __device__ operator float() const {
    return __builtin_bit_cast(float, (unsigned)Bits << 16);
  }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 X, __nv_bfloat16 Y)
      : x(X), y(Y) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define WARPWISE_BF16_OPERATOR(OPERATOR, NAME)                                 \
  WARPWISE_HD __nv_bfloat16 operator OPERATOR(__nv_bfloat16 a,                 \
                                              __nv_bfloat16 b) {               \
    return __nv_bfloat16((float)a OPERATOR(float) b);                          \
  }                                                                            \
  WARPWISE_HD __nv_bfloat16 &operator OPERATOR##=(__nv_bfloat16 & a,           \
                                                  __nv_bfloat16 b) {           \
    return a = a OPERATOR b;                                                   \
  }                                                                            \
  WARPWISE_HD __nv_bfloat16 NAME(__nv_bfloat16 a, __nv_bfloat16 b) {           \
    return a OPERATOR b;                                                       \
  }                                                                            \
  WARPWISE_HD __nv_bfloat162 operator OPERATOR(__nv_bfloat162 a,               \
                                               __nv_bfloat162 b) {             \
    return __nv_bfloat162(a.x OPERATOR b.x, a.y OPERATOR b.y);                 \
  }                                                                            \
  WARPWISE_HD __nv_bfloat162 NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) {     \
    return a OPERATOR b;                                                       \
  }
WARPWISE_BF16_OPERATOR(+, __hadd)
WARPWISE_BF16_OPERATOR(-, __hsub)
WARPWISE_BF16_OPERATOR(*, __hmul)
WARPWISE_BF16_OPERATOR(/, __hdiv)
#undef WARPWISE_BF16_OPERATOR
WARPWISE_HD __nv_bfloat16 operator-(__nv_bfloat16 a) {
  return __nv_bfloat16(-(float)a);
}
WARPWISE_HD __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
WARPWISE_HD __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b,
                                 __nv_bfloat16 c) {
  return __nv_bfloat16((float)a * (float)b + (float)c);
}
WARPWISE_HD __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b,
                                   __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

#define WARPWISE_BF16_COMPARE(OPERATOR, NAME)                                  \
  WARPWISE_HD bool operator OPERATOR(__nv_bfloat16 a, __nv_bfloat16 b) {       \
    return (float)a OPERATOR(float) b;                                         \
  }                                                                            \
  WARPWISE_HD bool NAME(__nv_bfloat16 a, __nv_bfloat16 b) {                    \
    return a OPERATOR b;                                                       \
  }
WARPWISE_BF16_COMPARE(==, __heq)
WARPWISE_BF16_COMPARE(!=, __hne)
WARPWISE_BF16_COMPARE(<, __hlt)
WARPWISE_BF16_COMPARE(<=, __hle)
WARPWISE_BF16_COMPARE(>, __hgt)
WARPWISE_BF16_COMPARE(>=, __hge)
#undef WARPWISE_BF16_COMPARE
WARPWISE_HD __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return a < b ? b : a;
}
WARPWISE_HD __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return b < a ? b : a;
}

WARPWISE_HD __nv_bfloat16 __float2bfloat16(float v) { return v; }
WARPWISE_HD __nv_bfloat16 __float2bfloat16_rn(float v) { return v; }
WARPWISE_HD __nv_bfloat16 __double2bfloat16(double v) { return v; }
WARPWISE_HD float __bfloat162float(__nv_bfloat16 v) { return (float)v; }
WARPWISE_HD __nv_bfloat162 __float2bfloat162_rn(float v) {
  return __nv_bfloat162(v, v);
}
WARPWISE_HD __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __nv_bfloat162(x, y);
}
WARPWISE_HD __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return __nv_bfloat162(v.x, v.y);
}
WARPWISE_HD float2 __bfloat1622float2(__nv_bfloat162 v) {
  return make_float2((float)v.x, (float)v.y);
}
WARPWISE_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x,
                                              __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
WARPWISE_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) {
  return __nv_bfloat162(v, v);
}
WARPWISE_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
WARPWISE_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
WARPWISE_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
WARPWISE_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) {
  return v.Bits;
}
WARPWISE_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) {
  return __nv_bfloat16(__nv_bfloat16_raw{v});
}
WARPWISE_HD __nv_bfloat16 __int2bfloat16_rn(int v) { return v; }
WARPWISE_HD int __bfloat162int_rn(__nv_bfloat16 v) { return (int)(float)v; }

#undef WARPWISE_HD
#endif /* __cplusplus */
#endif

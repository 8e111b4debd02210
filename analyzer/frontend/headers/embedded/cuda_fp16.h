/* Half precision on Clang's _Float16. */
#ifndef WARPWISE_CUDA_FP16_H
#define WARPWISE_CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#define WARPWISE_HD                                                            \
  static __inline__ __host__ __device__ __attribute__((unused))

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

struct __align__(2) __half {
  _Float16 Bits;

  __half() = default;
  __host__ __device__ __half(float v) : Bits((_Float16)v) {}
  __host__ __device__ __half(double v) : Bits((_Float16)v) {}
  __host__ __device__ __half(int v) : Bits((_Float16)v) {}
  __host__ __device__ __half(unsigned v) : Bits((_Float16)v) {}
  __host__ __device__ __half(short v) : Bits((_Float16)v) {}
  __host__ __device__ __half(unsigned short v) : Bits((_Float16)v) {}
  __host__ __device__ __half(long long v) : Bits((_Float16)v) {}
  __host__ __device__ __half(unsigned long long v) : Bits((_Float16)v) {}
  __host__ __device__ __half(long v) : Bits((_Float16)v) {}
  __host__ __device__ __half(unsigned long v) : Bits((_Float16)v) {}
  __host__ __device__ __half(__half_raw v)
      : Bits(__builtin_bit_cast(_Float16, v.x)) {}
  __host__ __device__ __half &operator=(__half_raw v) {
    Bits = __builtin_bit_cast(_Float16, v.x);
    return *this;
  }
  __host__ __device__ __half &operator=(float v) {
    Bits = (_Float16)v;
    return *this;
  }
  __host__ __device__ operator float() const { return (float)Bits; }
  __host__ __device__ operator __half_raw() const {
    return {__builtin_bit_cast(unsigned short, Bits)};
  }
};
struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  __host__ __device__ __half2(__half X, __half Y) : x(X), y(Y) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

#define WARPWISE_HALF_OPERATOR(OPERATOR, NAME)                                 \
  WARPWISE_HD __half operator OPERATOR(__half a, __half b) {                   \
    a.Bits = a.Bits OPERATOR b.Bits;                                           \
    return a;                                                                  \
  }                                                                            \
  WARPWISE_HD __half &operator OPERATOR##=(__half & a, __half b) {             \
    a.Bits = a.Bits OPERATOR b.Bits;                                           \
    return a;                                                                  \
  }                                                                            \
  WARPWISE_HD __half NAME(__half a, __half b) { return a OPERATOR b; }         \
  WARPWISE_HD __half NAME##_rn(__half a, __half b) { return a OPERATOR b; }    \
  WARPWISE_HD __half NAME##_sat(__half a, __half b) { return a OPERATOR b; }   \
  WARPWISE_HD __half2 operator OPERATOR(__half2 a, __half2 b) {                \
    return __half2(a.x OPERATOR b.x, a.y OPERATOR b.y);                        \
  }                                                                            \
  WARPWISE_HD __half2 &operator OPERATOR##=(__half2 & a, __half2 b) {          \
    return a = a OPERATOR b;                                                   \
  }                                                                            \
  WARPWISE_HD __half2 NAME##2(__half2 a, __half2 b) { return a OPERATOR b; }   \
  WARPWISE_HD __half2 NAME##2_rn(__half2 a, __half2 b) { return a OPERATOR b; }
WARPWISE_HALF_OPERATOR(+, __hadd)
WARPWISE_HALF_OPERATOR(-, __hsub)
WARPWISE_HALF_OPERATOR(*, __hmul)
WARPWISE_HALF_OPERATOR(/, __hdiv)
#undef WARPWISE_HALF_OPERATOR
WARPWISE_HD __half2 __h2div(__half2 a, __half2 b) { return a / b; }
WARPWISE_HD __half operator-(__half a) {
  a.Bits = -a.Bits;
  return a;
}
WARPWISE_HD __half2 operator-(__half2 a) { return __half2(-a.x, -a.y); }
WARPWISE_HD __half __hneg(__half a) { return -a; }
WARPWISE_HD __half2 __hneg2(__half2 a) { return -a; }
WARPWISE_HD __half __hfma(__half a, __half b, __half c) { return a * b + c; }
WARPWISE_HD __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return a * b + c;
}

#define WARPWISE_HALF_COMPARE(OPERATOR, NAME)                                  \
  WARPWISE_HD bool operator OPERATOR(__half a, __half b) {                     \
    return a.Bits OPERATOR b.Bits;                                             \
  }                                                                            \
  WARPWISE_HD bool NAME(__half a, __half b) { return a OPERATOR b; }           \
  WARPWISE_HD __half2 NAME##2(__half2 a, __half2 b) {                          \
    return __half2(__half(a.x OPERATOR b.x ? 1.0f : 0.0f),                     \
                   __half(a.y OPERATOR b.y ? 1.0f : 0.0f));                    \
  }
WARPWISE_HALF_COMPARE(==, __heq)
WARPWISE_HALF_COMPARE(!=, __hne)
WARPWISE_HALF_COMPARE(<, __hlt)
WARPWISE_HALF_COMPARE(<=, __hle)
WARPWISE_HALF_COMPARE(>, __hgt)
WARPWISE_HALF_COMPARE(>=, __hge)
#undef WARPWISE_HALF_COMPARE
WARPWISE_HD __half __hmax(__half a, __half b) { return a < b ? b : a; }
WARPWISE_HD __half __hmin(__half a, __half b) { return b < a ? b : a; }
WARPWISE_HD __half2 __hmax2(__half2 a, __half2 b) {
  return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
WARPWISE_HD __half2 __hmin2(__half2 a, __half2 b) {
  return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
WARPWISE_HD __half __habs(__half a) { return a < __half(0.0f) ? -a : a; }
WARPWISE_HD __half2 __habs2(__half2 a) {
  return __half2(__habs(a.x), __habs(a.y));
}
WARPWISE_HD bool __hisnan(__half a) { return a != a; }

WARPWISE_HD __half __float2half(float v) { return __half(v); }
WARPWISE_HD __half __float2half_rn(float v) { return __half(v); }
WARPWISE_HD __half __float2half_rz(float v) { return __half(v); }
WARPWISE_HD __half __double2half(double v) { return __half(v); }
WARPWISE_HD float __half2float(__half v) { return (float)v; }
WARPWISE_HD __half2 __floats2half2_rn(float x, float y) {
  return __half2(__half(x), __half(y));
}
WARPWISE_HD __half2 __float2half2_rn(float v) {
  return __half2(__half(v), __half(v));
}
WARPWISE_HD __half2 __float22half2_rn(float2 v) {
  return __half2(__half(v.x), __half(v.y));
}
WARPWISE_HD float2 __half22float2(__half2 v) {
  return make_float2((float)v.x, (float)v.y);
}
WARPWISE_HD __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
WARPWISE_HD __half2 __half2half2(__half v) { return __half2(v, v); }
WARPWISE_HD __half2 make_half2(__half x, __half y) { return __half2(x, y); }
WARPWISE_HD __half __low2half(__half2 v) { return v.x; }
WARPWISE_HD __half __high2half(__half2 v) { return v.y; }
WARPWISE_HD float __low2float(__half2 v) { return (float)v.x; }
WARPWISE_HD float __high2float(__half2 v) { return (float)v.y; }
WARPWISE_HD __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
WARPWISE_HD __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
WARPWISE_HD __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
WARPWISE_HD __half2 __lows2half2(__half2 a, __half2 b) {
  return __half2(a.x, b.x);
}
WARPWISE_HD __half2 __highs2half2(__half2 a, __half2 b) {
  return __half2(a.y, b.y);
}
WARPWISE_HD __half __ushort_as_half(unsigned short v) {
  return __half(__half_raw{v});
}
WARPWISE_HD __half __short_as_half(short v) {
  return __half(__half_raw{(unsigned short)v});
}
WARPWISE_HD unsigned short __half_as_ushort(__half v) {
  return __builtin_bit_cast(unsigned short, v.Bits);
}
WARPWISE_HD short __half_as_short(__half v) {
  return __builtin_bit_cast(short, v.Bits);
}
#define WARPWISE_HALF_INTEGER(NAME, TYPE)                                      \
  WARPWISE_HD __half __##NAME##2half_rn(TYPE v) { return __half((float)v); }   \
  WARPWISE_HD TYPE __half2##NAME##_rn(__half v) { return (TYPE)(float)v; }     \
  WARPWISE_HD TYPE __half2##NAME##_rz(__half v) { return (TYPE)(float)v; }     \
  WARPWISE_HD TYPE __half2##NAME##_rd(__half v) { return (TYPE)(float)v; }
WARPWISE_HALF_INTEGER(int, int)
WARPWISE_HALF_INTEGER(uint, unsigned)
WARPWISE_HALF_INTEGER(short, short)
WARPWISE_HALF_INTEGER(ushort, unsigned short)
WARPWISE_HALF_INTEGER(ll, long long)
WARPWISE_HALF_INTEGER(ull, unsigned long long)
#undef WARPWISE_HALF_INTEGER

#define WARPWISE_HALF_FUNCTION(NAME)                                           \
  WARPWISE_HD __half h##NAME(__half v) { return __half(NAME##f((float)v)); }   \
  WARPWISE_HD __half2 h2##NAME(__half2 v) {                                    \
    return __half2(h##NAME(v.x), h##NAME(v.y));                                \
  }
WARPWISE_HALF_FUNCTION(exp)
WARPWISE_HALF_FUNCTION(exp2)
WARPWISE_HALF_FUNCTION(log)
WARPWISE_HALF_FUNCTION(log2)
WARPWISE_HALF_FUNCTION(sin)
WARPWISE_HALF_FUNCTION(cos)
WARPWISE_HALF_FUNCTION(sqrt)
WARPWISE_HALF_FUNCTION(rsqrt)
WARPWISE_HALF_FUNCTION(floor)
WARPWISE_HALF_FUNCTION(ceil)
WARPWISE_HALF_FUNCTION(trunc)
WARPWISE_HALF_FUNCTION(rint)
#undef WARPWISE_HALF_FUNCTION
WARPWISE_HD __half hrcp(__half v) { return __half(1.0f) / v; }
WARPWISE_HD __half2 h2rcp(__half2 v) { return __half2(hrcp(v.x), hrcp(v.y)); }

/* Two halves travel between lanes as one int; one half as its low part. */
#define WARPWISE_HALF_SHUFFLE(NAME, LANE)                                      \
  static __inline__ __device__ __half2 NAME(unsigned Mask, __half2 v,          \
                                            LANE Lane, int Width = 32) {       \
    return __builtin_bit_cast(                                                 \
        __half2, NAME(Mask, __builtin_bit_cast(int, v), Lane, Width));         \
  }                                                                            \
  static __inline__ __device__ __half NAME(unsigned Mask, __half v, LANE Lane, \
                                           int Width = 32) {                   \
    return NAME(Mask, __half2(v, v), Lane, Width).x;                           \
  }
WARPWISE_HALF_SHUFFLE(__shfl_sync, int)
WARPWISE_HALF_SHUFFLE(__shfl_up_sync, unsigned)
WARPWISE_HALF_SHUFFLE(__shfl_down_sync, unsigned)
WARPWISE_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef WARPWISE_HALF_SHUFFLE

static __inline__ __device__ __half __ldg(const __half *p) { return *p; }
static __inline__ __device__ __half2 __ldg(const __half2 *p) { return *p; }
static __inline__ __device__ __half2 atomicAdd(__half2 *p, __half2 v) {
  int Old = atomicAdd((int *)p, __builtin_bit_cast(int, v));
  return __builtin_bit_cast(__half2, Old);
}
static __inline__ __device__ __half atomicAdd(__half *p, __half v) {
  unsigned short Old =
      atomicCAS((unsigned short *)p, __half_as_ushort(v), __half_as_ushort(v));
  return __ushort_as_half(Old);
}

#undef WARPWISE_HD
#endif /* __cplusplus */
#endif

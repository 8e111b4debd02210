/* make_float4 and the like. */
#ifndef WARPWISE_VECTOR_FUNCTIONS_H
#define WARPWISE_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define WARPWISE_MAKE(NAME, ELEMENT)                                           \
  static __inline__ __host__ __device__ NAME##1 make_##NAME##1(ELEMENT x) {    \
    NAME##1 Value = {x};                                                       \
    return Value;                                                              \
  }                                                                            \
  static __inline__ __host__ __device__ NAME##2 make_##NAME##2(ELEMENT x,      \
                                                               ELEMENT y) {    \
    NAME##2 Value = {x, y};                                                    \
    return Value;                                                              \
  }                                                                            \
  static __inline__ __host__ __device__ NAME##3 make_##NAME##3(                \
      ELEMENT x, ELEMENT y, ELEMENT z) {                                       \
    NAME##3 Value = {x, y, z};                                                 \
    return Value;                                                              \
  }                                                                            \
  static __inline__ __host__ __device__ NAME##4 make_##NAME##4(                \
      ELEMENT x, ELEMENT y, ELEMENT z, ELEMENT w) {                            \
    NAME##4 Value = {x, y, z, w};                                              \
    return Value;                                                              \
  }
WARPWISE_MAKE(char, signed char)
WARPWISE_MAKE(uchar, unsigned char)
WARPWISE_MAKE(short, short)
WARPWISE_MAKE(ushort, unsigned short)
WARPWISE_MAKE(int, int)
WARPWISE_MAKE(uint, unsigned int)
WARPWISE_MAKE(long, long)
WARPWISE_MAKE(ulong, unsigned long)
WARPWISE_MAKE(longlong, long long)
WARPWISE_MAKE(ulonglong, unsigned long long)
WARPWISE_MAKE(float, float)
WARPWISE_MAKE(double, double)
#undef WARPWISE_MAKE

#endif

/* char1 ... double4 with their alignments, and dim3. */
#ifndef WARPWISE_VECTOR_TYPES_H
#define WARPWISE_VECTOR_TYPES_H

#include "host_defines.h"

#define WARPWISE_VECTOR(NAME, ELEMENT, ALIGN2, ALIGN4)                         \
  struct NAME##1 { ELEMENT x; };                                               \
  struct __align__(ALIGN2) NAME##2 { ELEMENT x, y; };                          \
  struct NAME##3 { ELEMENT x, y, z; };                                         \
  struct __align__(ALIGN4) NAME##4 { ELEMENT x, y, z, w; };                    \
  typedef struct NAME##1 NAME##1;                                              \
  typedef struct NAME##2 NAME##2;                                              \
  typedef struct NAME##3 NAME##3;                                              \
  typedef struct NAME##4 NAME##4;
WARPWISE_VECTOR(char, signed char, 2, 4)
WARPWISE_VECTOR(uchar, unsigned char, 2, 4)
WARPWISE_VECTOR(short, short, 4, 8)
WARPWISE_VECTOR(ushort, unsigned short, 4, 8)
WARPWISE_VECTOR(int, int, 8, 16)
WARPWISE_VECTOR(uint, unsigned int, 8, 16)
WARPWISE_VECTOR(long, long, 16, 16)
WARPWISE_VECTOR(ulong, unsigned long, 16, 16)
WARPWISE_VECTOR(longlong, long long, 16, 16)
WARPWISE_VECTOR(ulonglong, unsigned long long, 16, 16)
WARPWISE_VECTOR(float, float, 8, 16)
WARPWISE_VECTOR(double, double, 16, 16)
#undef WARPWISE_VECTOR

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
#if __cplusplus >= 201103L
  __host__ __device__ constexpr dim3(unsigned X = 1, unsigned Y = 1,
                                     unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
  __host__ __device__ constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
#else
  __host__ __device__ dim3(unsigned X = 1, unsigned Y = 1, unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
  __host__ __device__ dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  __host__ __device__ operator uint3() const {
    uint3 V = {x, y, z};
    return V;
  }
#endif
#endif
};
typedef struct dim3 dim3;

#endif

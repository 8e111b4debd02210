/* Complex numbers as pairs. */
#ifndef WARPWISE_CUCOMPLEX_H
#define WARPWISE_CUCOMPLEX_H

#include "vector_functions.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define WARPWISE_COMPLEX(TYPE, REAL, PAIR, SUFFIX, ROOT)                       \
  static __inline__ __host__ __device__ REAL cuCreal##SUFFIX(TYPE a) {         \
    return a.x;                                                                \
  }                                                                            \
  static __inline__ __host__ __device__ REAL cuCimag##SUFFIX(TYPE a) {         \
    return a.y;                                                                \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuConj##SUFFIX(TYPE a) {          \
    return make_##PAIR(a.x, -a.y);                                             \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCadd##SUFFIX(TYPE a, TYPE b) {  \
    return make_##PAIR(a.x + b.x, a.y + b.y);                                  \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCsub##SUFFIX(TYPE a, TYPE b) {  \
    return make_##PAIR(a.x - b.x, a.y - b.y);                                  \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCmul##SUFFIX(TYPE a, TYPE b) {  \
    return make_##PAIR(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);          \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCdiv##SUFFIX(TYPE a, TYPE b) {  \
    REAL Norm = b.x * b.x + b.y * b.y;                                         \
    return make_##PAIR((a.x * b.x + a.y * b.y) / Norm,                         \
                       (a.y * b.x - a.x * b.y) / Norm);                        \
  }                                                                            \
  static __inline__ __host__ __device__ REAL cuCabs##SUFFIX(TYPE a) {          \
    return ROOT(a.x * a.x + a.y * a.y);                                        \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCfma##SUFFIX(TYPE a, TYPE b,    \
                                                            TYPE c) {          \
    return cuCadd##SUFFIX(cuCmul##SUFFIX(a, b), c);                            \
  }
WARPWISE_COMPLEX(cuFloatComplex, float, float2, f, sqrtf)
WARPWISE_COMPLEX(cuDoubleComplex, double, double2, , sqrt)
#undef WARPWISE_COMPLEX

static __inline__ __host__ __device__ cuFloatComplex
make_cuFloatComplex(float Real, float Imaginary) {
  return make_float2(Real, Imaginary);
}
static __inline__ __host__ __device__ cuDoubleComplex
make_cuDoubleComplex(double Real, double Imaginary) {
  return make_double2(Real, Imaginary);
}
static __inline__ __host__ __device__ cuComplex make_cuComplex(float x,
                                                               float y) {
  return make_float2(x, y);
}
static __inline__ __host__ __device__ cuFloatComplex
cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2((float)a.x, (float)a.y);
}
static __inline__ __host__ __device__ cuDoubleComplex
cuComplexFloatToDouble(cuFloatComplex a) {
  return make_double2(a.x, a.y);
}

#endif

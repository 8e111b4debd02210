/* What kernels call and Clang's own headers do not define: atomics, cache
   hints, min and max, a few intrinsics. */
#ifndef WARPWISE_DEVICE_FUNCTIONS_H
#define WARPWISE_DEVICE_FUNCTIONS_H

#include "host_defines.h"

#include <stddef.h>

/* Host versions of CUDA's own mathematics, declared for Clang's wrapper. */
extern "C" {
float rsqrtf(float);
float rcbrtf(float);
float sinpif(float);
float cospif(float);
void sincospif(float, float *, float *);
float erfcinvf(float);
float erfinvf(float);
float normcdff(float);
float normcdfinvf(float);
float erfcxf(float);
double rsqrt(double);
double rcbrt(double);
double sinpi(double);
double cospi(double);
double normcdf(double);
}

#define WARPWISE_DEVICE static __inline__ __device__ __attribute__((unused))

#define WARPWISE_SCOPED(NAME, TYPE, EXPRESSION)                                \
  WARPWISE_DEVICE TYPE NAME(TYPE *p, TYPE v) { return EXPRESSION; }            \
  WARPWISE_DEVICE TYPE NAME##_block(TYPE *p, TYPE v) { return EXPRESSION; }    \
  WARPWISE_DEVICE TYPE NAME##_system(TYPE *p, TYPE v) { return EXPRESSION; }
#define WARPWISE_ATOMIC(NAME, BUILTIN, TYPE)                                   \
  WARPWISE_SCOPED(NAME, TYPE, BUILTIN(p, v, __ATOMIC_RELAXED))
#define WARPWISE_ATOMICS(TYPE)                                                 \
  WARPWISE_ATOMIC(atomicExch, __atomic_exchange_n, TYPE)                       \
  WARPWISE_ATOMIC(atomicMin, __atomic_fetch_min, TYPE)                         \
  WARPWISE_ATOMIC(atomicMax, __atomic_fetch_max, TYPE)                         \
  WARPWISE_ATOMIC(atomicAnd, __atomic_fetch_and, TYPE)                         \
  WARPWISE_ATOMIC(atomicOr, __atomic_fetch_or, TYPE)                           \
  WARPWISE_ATOMIC(atomicXor, __atomic_fetch_xor, TYPE)
WARPWISE_ATOMICS(int)
WARPWISE_ATOMICS(unsigned int)
WARPWISE_ATOMICS(unsigned long long)
WARPWISE_ATOMIC(atomicMin, __atomic_fetch_min, long long)
WARPWISE_ATOMIC(atomicMax, __atomic_fetch_max, long long)
WARPWISE_ATOMIC(atomicAnd, __atomic_fetch_and, long long)
WARPWISE_ATOMIC(atomicOr, __atomic_fetch_or, long long)
WARPWISE_ATOMIC(atomicXor, __atomic_fetch_xor, long long)
WARPWISE_ATOMIC(atomicAdd, __atomic_fetch_add, int)
WARPWISE_ATOMIC(atomicAdd, __atomic_fetch_add, unsigned int)
WARPWISE_ATOMIC(atomicAdd, __atomic_fetch_add, unsigned long long)
WARPWISE_ATOMIC(atomicSub, __atomic_fetch_sub, int)
WARPWISE_ATOMIC(atomicSub, __atomic_fetch_sub, unsigned int)
WARPWISE_SCOPED(atomicAdd, float, __nvvm_atom_add_gen_f(p, v))
WARPWISE_SCOPED(atomicAdd, double, __nvvm_atom_add_gen_d(p, v))
WARPWISE_SCOPED(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui(p, v))
WARPWISE_SCOPED(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui(p, v))
WARPWISE_DEVICE float atomicExch(float *p, float v) {
  int Old = __atomic_exchange_n((int *)p, __builtin_bit_cast(int, v),
                                __ATOMIC_RELAXED);
  return __builtin_bit_cast(float, Old);
}
#define WARPWISE_CAS(NAME, TYPE)                                               \
  WARPWISE_DEVICE TYPE NAME(TYPE *p, TYPE Expected, TYPE Desired) {            \
    __atomic_compare_exchange_n(p, &Expected, Desired, false,                  \
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);           \
    return Expected;                                                           \
  }
#define WARPWISE_CASES(TYPE)                                                   \
  WARPWISE_CAS(atomicCAS, TYPE)                                                \
  WARPWISE_CAS(atomicCAS_block, TYPE)                                          \
  WARPWISE_CAS(atomicCAS_system, TYPE)
WARPWISE_CASES(int)
WARPWISE_CASES(unsigned int)
WARPWISE_CASES(unsigned long long)
WARPWISE_CASES(unsigned short)
#undef WARPWISE_CASES
#undef WARPWISE_CAS
#undef WARPWISE_ATOMICS
#undef WARPWISE_ATOMIC
#undef WARPWISE_SCOPED

/* Between an address and its number within a memory. */
#define WARPWISE_ADDRESS_SPACE(NAME, NUMBER)                                   \
  WARPWISE_DEVICE size_t __cvta_generic_to_##NAME(const void *p) {             \
    return (size_t)(void __attribute__((address_space(NUMBER))) *)p;           \
  }                                                                            \
  WARPWISE_DEVICE void *__cvta_##NAME##_to_generic(size_t p) {                 \
    return (void *)(void __attribute__((address_space(NUMBER))) *)p;           \
  }
WARPWISE_ADDRESS_SPACE(global, 1)
WARPWISE_ADDRESS_SPACE(shared, 3)
WARPWISE_ADDRESS_SPACE(constant, 4)
WARPWISE_ADDRESS_SPACE(local, 5)
#undef WARPWISE_ADDRESS_SPACE

#include "warpwise_cache_hints.h"

/* Clang's headers define min and max for two ints only. */
#define WARPWISE_MIN_MAX(RESULT, LEFT, RIGHT)                                  \
  WARPWISE_DEVICE RESULT min(LEFT a, RIGHT b) {                                \
    return (RESULT)a < (RESULT)b ? (RESULT)a : (RESULT)b;                      \
  }                                                                            \
  WARPWISE_DEVICE RESULT max(LEFT a, RIGHT b) {                                \
    return (RESULT)a > (RESULT)b ? (RESULT)a : (RESULT)b;                      \
  }
WARPWISE_MIN_MAX(unsigned, unsigned, unsigned)
WARPWISE_MIN_MAX(unsigned, unsigned, int)
WARPWISE_MIN_MAX(unsigned, int, unsigned)
WARPWISE_MIN_MAX(long, long, long)
WARPWISE_MIN_MAX(unsigned long, unsigned long, unsigned long)
WARPWISE_MIN_MAX(unsigned long, unsigned long, long)
WARPWISE_MIN_MAX(unsigned long, long, unsigned long)
WARPWISE_MIN_MAX(long long, long long, long long)
WARPWISE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
WARPWISE_MIN_MAX(unsigned long long, unsigned long long, long long)
WARPWISE_MIN_MAX(unsigned long long, long long, unsigned long long)
WARPWISE_MIN_MAX(float, float, float)
WARPWISE_MIN_MAX(double, double, double)
WARPWISE_MIN_MAX(double, float, double)
WARPWISE_MIN_MAX(double, double, float)
#undef WARPWISE_MIN_MAX

WARPWISE_DEVICE void __prof_trigger(int) {}
WARPWISE_DEVICE void __nanosleep(unsigned) {}
WARPWISE_DEVICE unsigned int __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8)
    c += ((a >> i) & 255) * ((b >> i) & 255);
  return c;
}
WARPWISE_DEVICE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8)
    c += (int)(signed char)(a >> i) * (int)(signed char)(b >> i);
  return c;
}

#endif

/* Names that nvcc offered to older sources and that Clang, or a newer CUDA,
   does not. Included before the first line of every translation unit, so it
   has to stay small. */
#ifndef WARPWISE_BRIDGE_H
#define WARPWISE_BRIDGE_H

/* nvcc has assert in every file. */
#include <assert.h>

#ifdef __cplusplus

/* Mixed arguments of min and max on the host, as nvcc has them. */
#define WARPWISE_MIN_MAX(RESULT, LEFT, RIGHT)                                  \
  static inline __attribute__((host, unused)) RESULT min(LEFT a, RIGHT b) {    \
    return (RESULT)a < (RESULT)b ? (RESULT)a : (RESULT)b;                      \
  }                                                                            \
  static inline __attribute__((host, unused)) RESULT max(LEFT a, RIGHT b) {    \
    return (RESULT)a > (RESULT)b ? (RESULT)a : (RESULT)b;                      \
  }
WARPWISE_MIN_MAX(int, int, int)
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

#if __cplusplus >= 201103L
/* For nvcc it makes no difference which side a call is for that only its type
   is asked of; libstdc++'s std::declval is the host's. */
#include <type_traits>
namespace std {
template <class T>
__attribute__((device)) typename add_rvalue_reference<T>::type
declval() noexcept;
}
#endif

#ifdef __WARPWISE_BRIDGE_REMOVED_RUNTIME__
/* Removed in CUDA 13, deprecated since CUDA 4 and 10.1. */
static inline cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
static inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache Config) {
  return cudaDeviceSetCacheConfig(Config);
}
#endif

#ifdef __CUDA_ARCH__
/* What a kernel calls to launch another one. */
extern "C" __attribute__((device)) unsigned
__cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared = 0,
                            void *Stream = 0);
#endif

#ifdef __WARPWISE_BRIDGE_TOOLKIT__
/* Clang knows managed variables for HIP only; kernels see them as device ones.
 */
#undef __managed__
#define __managed__ __attribute__((device))
#include "warpwise_cache_hints.h"
#endif
#include "warpwise_atomic_builtins.h"
#include "warpwise_surfaces.h"

#ifdef __WARPWISE_BRIDGE_TEXTURE_REFERENCES__
#include "warpwise_texture_references.h"
#endif

#endif /* __cplusplus */
#endif

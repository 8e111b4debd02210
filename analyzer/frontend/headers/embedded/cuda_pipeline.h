/* Asynchronous copies by thread, the primitives. */
#ifndef WARPWISE_CUDA_PIPELINE_H
#define WARPWISE_CUDA_PIPELINE_H

#include "warpwise_async_copy.h"

#ifdef __cplusplus
static __device__ __inline__ void __pipeline_memcpy_async(void *To,
                                                          const void *From,
                                                          size_t Bytes,
                                                          size_t ZeroFill = 0) {
  if (Bytes == 16)
    __warpwise::copyPieceAsync<16>(To, From);
  else if (Bytes == 8)
    __warpwise::copyPieceAsync<8>(To, From);
  else
    __warpwise::copyPieceAsync<4>(To, From);
}
static __device__ __inline__ void __pipeline_commit() {
  __nvvm_cp_async_commit_group();
}
static __device__ __inline__ void __pipeline_wait_prior(size_t) {
  __nvvm_cp_async_wait_all();
}

namespace nvcuda {
namespace experimental {
class pipeline {
public:
  __device__ __inline__ size_t commit() {
    __nvvm_cp_async_commit_group();
    return 0;
  }
  __device__ __inline__ void commit_and_wait() { __nvvm_cp_async_wait_all(); }
  __device__ __inline__ void wait(size_t) { __nvvm_cp_async_wait_all(); }
  template <unsigned N> __device__ __inline__ void wait_prior() {
    __nvvm_cp_async_wait_all();
  }
};
template <class T>
static __device__ __inline__ void memcpy_async(T &To, const T &From,
                                               pipeline &) {
  __warpwise::copyAsync<(sizeof(T) >= 16  ? 16
                         : sizeof(T) >= 8 ? 8
                                          : sizeof(T))>(
      (char *)&To, (const char *)&From, sizeof(T), 0, 1);
}
} // namespace experimental
} // namespace nvcuda
#endif
#endif

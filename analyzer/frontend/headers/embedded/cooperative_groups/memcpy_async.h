/* Copies that a whole group makes together. */
#ifndef WARPWISE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WARPWISE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cooperative_groups {

template <class Group, class T, class Size>
static __device__ __inline__ void memcpy_async(const Group &Of, T *To,
                                               const T *From, Size Bytes) {
  constexpr int Align = cuda::__warpwise_details::copyAlignment<T, Size>();
  __warpwise::copyAsync<Align>((char *)To, (const char *)From, (size_t)Bytes,
                               Of.thread_rank(), Of.size());
}
template <class Group, class T, class ToSize, class FromSize>
static __device__ __inline__ void memcpy_async(const Group &Of, T *To,
                                               ToSize ToCount, const T *From,
                                               FromSize FromCount) {
  size_t Count = (size_t)ToCount < (size_t)FromCount ? ToCount : FromCount;
  memcpy_async(Of, To, From, Count * sizeof(T));
}
template <class Group> static __device__ __inline__ void wait(const Group &Of) {
  __nvvm_cp_async_wait_all();
  Of.sync();
}
template <unsigned Stages, class Group>
static __device__ __inline__ void wait_prior(const Group &Of) {
  wait(Of);
}

} // namespace cooperative_groups
#endif

/* One thread's asynchronous copy from global to shared memory, in the pieces
   that the hardware has: 16, 8 or 4 bytes. */
#ifndef WARPWISE_ASYNC_COPY_H
#define WARPWISE_ASYNC_COPY_H

#include "cuda_runtime.h"

#ifdef __cplusplus
namespace __warpwise {

#define WARPWISE_STATIC static __device__ __inline__

template <int Bytes>
WARPWISE_STATIC void copyPieceAsync(void *To, const void *From) {
  auto *Shared = (void __attribute__((address_space(3))) *)To;
  auto *Global = (const void __attribute__((address_space(1))) *)From;
  if constexpr (Bytes == 16)
    __nvvm_cp_async_cg_shared_global_16(Shared, Global);
  else if constexpr (Bytes == 8)
    __nvvm_cp_async_ca_shared_global_8(Shared, Global);
  else
    __nvvm_cp_async_ca_shared_global_4(Shared, Global);
}

template <int Align>
WARPWISE_STATIC void copyAsync(char *To, const char *From, size_t Bytes,
                               size_t Rank, size_t Threads) {
  if constexpr (Align >= 4) {
    constexpr int Piece = Align >= 16 ? 16 : Align;
    for (size_t At = Rank * Piece; At < Bytes; At += Threads * Piece)
      copyPieceAsync<Piece>(To + At, From + At);
  } else {
    for (size_t At = Rank; At < Bytes; At += Threads)
      To[At] = From[At];
  }
}

#undef WARPWISE_STATIC

} // namespace __warpwise
#endif
#endif

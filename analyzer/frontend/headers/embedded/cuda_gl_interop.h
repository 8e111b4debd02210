/* Graphics interoperation, host only. */
#ifndef WARPWISE_CUDA_GL_INTEROP_H
#define WARPWISE_CUDA_GL_INTEROP_H

#include "cuda_runtime_api.h"

struct cudaGraphicsResource;
enum cudaGraphicsRegisterFlags {
  cudaGraphicsRegisterFlagsNone,
  cudaGraphicsRegisterFlagsReadOnly,
  cudaGraphicsRegisterFlagsWriteDiscard,
  cudaGraphicsRegisterFlagsSurfaceLoadStore = 4
};
enum cudaGraphicsMapFlags {
  cudaGraphicsMapFlagsNone,
  cudaGraphicsMapFlagsReadOnly,
  cudaGraphicsMapFlagsWriteDiscard
};

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **Resource,
                                         unsigned Buffer, unsigned Flags);
cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **Resource,
                                        unsigned Image, unsigned Target,
                                        unsigned Flags);
cudaError_t
cudaGraphicsUnregisterResource(struct cudaGraphicsResource *Resource);
cudaError_t cudaGraphicsMapResources(int Count,
                                     struct cudaGraphicsResource **Resources,
                                     cudaStream_t Stream WARPWISE_DEFAULT(0));
cudaError_t cudaGraphicsUnmapResources(int Count,
                                       struct cudaGraphicsResource **Resources,
                                       cudaStream_t Stream WARPWISE_DEFAULT(0));
cudaError_t
cudaGraphicsResourceGetMappedPointer(void **Pointer, size_t *Bytes,
                                     struct cudaGraphicsResource *Resource);
cudaError_t
cudaGraphicsSubResourceGetMappedArray(cudaArray_t *Array,
                                      struct cudaGraphicsResource *Resource,
                                      unsigned Index, unsigned Level);
#ifdef __cplusplus
}
#endif
#endif

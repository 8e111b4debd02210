/* The header that Clang's wrapper includes before every CUDA file: types, the
   runtime API with its templates, atomics, textures. */
#ifndef WARPWISE_CUDA_RUNTIME_H
#define WARPWISE_CUDA_RUNTIME_H
/* As with __DRIVER_TYPES_H__. */
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "vector_functions.h"

/* nvcc has these in every file. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
#include "device_functions.h"

template <class T>
static inline __host__ __device__ cudaError_t cudaMalloc(T **Pointer,
                                                         size_t Bytes) {
  return cudaMalloc((void **)(void *)Pointer, Bytes);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **Pointer, size_t Bytes,
                                         unsigned = 0) {
  return cudaMallocHost((void **)(void *)Pointer, Bytes);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **Pointer, size_t *Pitch,
                                          size_t Width, size_t Height) {
  return cudaMallocPitch((void **)(void *)Pointer, Pitch, Width, Height);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **Pointer, size_t Bytes,
                                        unsigned Flags) {
  return cudaHostAlloc((void **)(void *)Pointer, Bytes, Flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **Device, void *Host,
                                                   unsigned Flags) {
  return cudaHostGetDevicePointer((void **)(void *)Device, Host, Flags);
}
template <class T>
cudaError_t cudaMallocManaged(T **Pointer, size_t Bytes,
                              unsigned Flags = cudaMemAttachGlobal);
template <class T>
cudaError_t cudaMallocAsync(T **Pointer, size_t Bytes, cudaStream_t Stream);
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t Stream, T *Pointer,
                                     size_t Bytes = 0,
                                     unsigned Flags = cudaMemAttachSingle);

template <class T>
cudaError_t cudaMemcpyToSymbol(const T &Symbol, const void *From, size_t Bytes,
                               size_t Offset = 0,
                               cudaMemcpyKind Kind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(
    const T &Symbol, const void *From, size_t Bytes, size_t Offset = 0,
    cudaMemcpyKind Kind = cudaMemcpyHostToDevice, cudaStream_t Stream = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *To, const T &Symbol, size_t Bytes,
                                 size_t Offset = 0,
                                 cudaMemcpyKind Kind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(
    void *To, const T &Symbol, size_t Bytes, size_t Offset = 0,
    cudaMemcpyKind Kind = cudaMemcpyDeviceToHost, cudaStream_t Stream = 0);
template <class T>
cudaError_t cudaGetSymbolAddress(void **Pointer, const T &Symbol);
template <class T>
cudaError_t cudaGetSymbolSize(size_t *Bytes, const T &Symbol);

template <class T>
static inline cudaError_t
cudaLaunchKernel(T *Function, dim3 Grid, dim3 Block, void **Arguments,
                 size_t SharedBytes = 0, cudaStream_t Stream = 0) {
  return cudaLaunchKernel((const void *)Function, Grid, Block, Arguments,
                          SharedBytes, Stream);
}
template <class T>
static inline cudaError_t
cudaLaunchCooperativeKernel(T *Function, dim3 Grid, dim3 Block,
                            void **Arguments, size_t SharedBytes = 0,
                            cudaStream_t Stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)Function, Grid, Block,
                                     Arguments, SharedBytes, Stream);
}
#if __cplusplus >= 201103L
template <class... Expected, class... Actual>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *Config,
                               void (*Kernel)(Expected...),
                               Actual &&...Arguments);
template <class Function, class... Rest>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *Grid, int *Block,
                                               Function Kernel, Rest...);
template <class Function, class Bytes, class... Rest>
cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *Grid, int *Block,
                                               Function Kernel, Bytes, Rest...);
template <class Function>
cudaError_t cudaOccupancyMaxActiveClusters(int *Clusters, Function Kernel,
                                           const cudaLaunchConfig_t *Config);
template <class... Rest>
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Executable, cudaGraph_t Graph,
                                 Rest...);
#endif
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *Function,
                                                 cudaFuncCache Config) {
  return cudaFuncSetCacheConfig((const void *)Function, Config);
}
template <class T>
static inline cudaError_t
cudaFuncSetAttribute(T *Function, cudaFuncAttribute Attribute, int Value) {
  return cudaFuncSetAttribute((const void *)Function, Attribute, Value);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Attributes,
                                                T *Function) {
  return cudaFuncGetAttributes(Attributes, (const void *)Function);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, T Function,
                                              int Threads, size_t SharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      Blocks, (const void *)Function, Threads, SharedBytes);
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();

#endif /* __cplusplus */
#endif

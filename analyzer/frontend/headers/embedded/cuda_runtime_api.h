/* The runtime API: declarations for host code. */
#ifndef WARPWISE_CUDA_RUNTIME_API_H
#define WARPWISE_CUDA_RUNTIME_API_H

#include "driver_types.h"

#define CUDART_VERSION 12040

#ifdef __cplusplus
#define WARPWISE_DEFAULT(VALUE) = VALUE
extern "C" {
#else
#define WARPWISE_DEFAULT(VALUE)
#endif

/* Devices and errors. Kernels may call a few of them. */
__host__ __device__ cudaError_t cudaGetLastError(void);
__host__ __device__ cudaError_t cudaPeekAtLastError(void);
__host__ __device__ const char *cudaGetErrorString(cudaError_t Error);
__host__ __device__ const char *cudaGetErrorName(cudaError_t Error);
__host__ __device__ cudaError_t cudaDeviceSynchronize(void);
__host__ __device__ cudaError_t cudaGetDevice(int *Device);
__host__ __device__ cudaError_t cudaGetDeviceCount(int *Count);
__host__ __device__ cudaError_t
cudaDeviceGetAttribute(int *Value, enum cudaDeviceAttr Attribute, int Device);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaSetDevice(int Device);
cudaError_t cudaInitDevice(int Device, unsigned DeviceFlags, unsigned Flags);
cudaError_t cudaSetDeviceFlags(unsigned Flags);
cudaError_t cudaGetDeviceFlags(unsigned *Flags);
cudaError_t cudaSetValidDevices(int *Devices, int Count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *Properties,
                                    int Device);
cudaError_t cudaChooseDevice(int *Device,
                             const struct cudaDeviceProp *Properties);
cudaError_t cudaDeviceSetLimit(enum cudaLimit Limit, size_t Value);
cudaError_t cudaDeviceGetLimit(size_t *Value, enum cudaLimit Limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache Config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *Config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig Config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *Config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest);
cudaError_t cudaDeviceGetPCIBusId(char *Id, int Length, int Device);
cudaError_t cudaDeviceGetByPCIBusId(int *Device, const char *Id);
cudaError_t cudaDeviceCanAccessPeer(int *Can, int Device, int Peer);
cudaError_t cudaDeviceEnablePeerAccess(int Peer, unsigned Flags);
cudaError_t cudaDeviceDisablePeerAccess(int Peer);
cudaError_t cudaDriverGetVersion(int *Version);
cudaError_t cudaRuntimeGetVersion(int *Version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* Streams, events, graphs. */
__host__ __device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream,
                                                          unsigned Flags);
__host__ __device__ cudaError_t cudaStreamDestroy(cudaStream_t Stream);
__host__ __device__ cudaError_t cudaStreamWaitEvent(
    cudaStream_t Stream, cudaEvent_t Event, unsigned Flags WARPWISE_DEFAULT(0));
cudaError_t cudaStreamCreate(cudaStream_t *Stream);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream, unsigned Flags,
                                         int Priority);
cudaError_t cudaStreamSynchronize(cudaStream_t Stream);
cudaError_t cudaStreamQuery(cudaStream_t Stream);
cudaError_t cudaStreamAddCallback(cudaStream_t Stream,
                                  cudaStreamCallback_t Callback, void *Data,
                                  unsigned Flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t Stream, cudaHostFn_t Function,
                               void *Data);
cudaError_t cudaEventCreate(cudaEvent_t *Event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned Flags);
cudaError_t cudaEventRecord(cudaEvent_t Event,
                            cudaStream_t Stream WARPWISE_DEFAULT(0));
cudaError_t cudaEventQuery(cudaEvent_t Event);
cudaError_t cudaEventSynchronize(cudaEvent_t Event);
cudaError_t cudaEventDestroy(cudaEvent_t Event);
cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start,
                                 cudaEvent_t End);
cudaError_t cudaStreamBeginCapture(cudaStream_t Stream,
                                   enum cudaStreamCaptureMode Mode);
cudaError_t cudaStreamEndCapture(cudaStream_t Stream, cudaGraph_t *Graph);
cudaError_t cudaGraphCreate(cudaGraph_t *Graph, unsigned Flags);
cudaError_t cudaGraphDestroy(cudaGraph_t Graph);
cudaError_t cudaGraphLaunch(cudaGraphExec_t Graph, cudaStream_t Stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Graph);
cudaError_t cudaGraphGetNodes(cudaGraph_t Graph, cudaGraphNode_t *Nodes,
                              size_t *Count);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *After, size_t Count,
                                   const struct cudaKernelNodeParams *What);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *After, size_t Count,
                                   const struct cudaMemcpy3DParms *What);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *After, size_t Count,
                                   const struct cudaMemsetParams *What);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                 const cudaGraphNode_t *After, size_t Count,
                                 const struct cudaHostNodeParams *What);

/* Memory. */
__host__ __device__ cudaError_t cudaMalloc(void **Pointer, size_t Bytes);
__host__ __device__ cudaError_t cudaFree(void *Pointer);
__host__ __device__ cudaError_t cudaMemcpyAsync(
    void *To, const void *From, size_t Bytes, enum cudaMemcpyKind Kind,
    cudaStream_t Stream WARPWISE_DEFAULT(0));
__host__ __device__ cudaError_t cudaMemsetAsync(
    void *To, int Value, size_t Bytes, cudaStream_t Stream WARPWISE_DEFAULT(0));
cudaError_t cudaMallocHost(void **Pointer, size_t Bytes);
cudaError_t cudaMallocPitch(void **Pointer, size_t *Pitch, size_t Width,
                            size_t Height);
cudaError_t cudaMallocArray(cudaArray_t *Array,
                            const struct cudaChannelFormatDesc *Format,
                            size_t Width, size_t Height WARPWISE_DEFAULT(0),
                            unsigned Flags WARPWISE_DEFAULT(0));
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *Pointer,
                         struct cudaExtent Extent);
cudaError_t cudaMalloc3DArray(cudaArray_t *Array,
                              const struct cudaChannelFormatDesc *Format,
                              struct cudaExtent Extent,
                              unsigned Flags WARPWISE_DEFAULT(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *Array,
                                     const struct cudaChannelFormatDesc *Format,
                                     struct cudaExtent Extent, unsigned Levels,
                                     unsigned Flags WARPWISE_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *Array,
                                       cudaMipmappedArray_const_t Of,
                                       unsigned Level);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t Array);
cudaError_t cudaFreeHost(void *Pointer);
cudaError_t cudaFreeArray(cudaArray_t Array);
cudaError_t cudaFreeAsync(void *Pointer, cudaStream_t Stream);
cudaError_t cudaHostAlloc(void **Pointer, size_t Bytes, unsigned Flags);
cudaError_t cudaHostRegister(void *Pointer, size_t Bytes, unsigned Flags);
cudaError_t cudaHostUnregister(void *Pointer);
cudaError_t cudaHostGetDevicePointer(void **Device, void *Host, unsigned Flags);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *Attributes,
                                     const void *Pointer);
cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total);
cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpyPeer(void *To, int ToDevice, const void *From,
                           int FromDevice, size_t Bytes);
cudaError_t cudaMemcpyPeerAsync(void *To, int ToDevice, const void *From,
                                int FromDevice, size_t Bytes,
                                cudaStream_t Stream WARPWISE_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *To, size_t ToPitch, const void *From,
                         size_t FromPitch, size_t Width, size_t Height,
                         enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpy2DAsync(void *To, size_t ToPitch, const void *From,
                              size_t FromPitch, size_t Width, size_t Height,
                              enum cudaMemcpyKind Kind,
                              cudaStream_t Stream WARPWISE_DEFAULT(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t To, size_t X, size_t Y,
                                const void *From, size_t Pitch, size_t Width,
                                size_t Height, enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpy2DFromArray(void *To, size_t Pitch,
                                  cudaArray_const_t From, size_t X, size_t Y,
                                  size_t Width, size_t Height,
                                  enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpyToArray(cudaArray_t To, size_t X, size_t Y,
                              const void *From, size_t Bytes,
                              enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpyFromArray(void *To, cudaArray_const_t From, size_t X,
                                size_t Y, size_t Bytes,
                                enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *What);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *What,
                              cudaStream_t Stream WARPWISE_DEFAULT(0));
cudaError_t cudaMemset(void *To, int Value, size_t Bytes);
cudaError_t cudaMemset2D(void *To, size_t Pitch, int Value, size_t Width,
                         size_t Height);
cudaError_t cudaMemset3D(struct cudaPitchedPtr To, int Value,
                         struct cudaExtent Extent);
cudaError_t cudaMemAdvise(const void *Pointer, size_t Bytes,
                          enum cudaMemoryAdvise Advice, int Device);
cudaError_t cudaMemPrefetchAsync(const void *Pointer, size_t Bytes, int Device,
                                 cudaStream_t Stream WARPWISE_DEFAULT(0));
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *Handle, void *Pointer);
cudaError_t cudaIpcOpenMemHandle(void **Pointer, cudaIpcMemHandle_t Handle,
                                 unsigned Flags);
cudaError_t cudaIpcCloseMemHandle(void *Pointer);

/* Textures and surfaces. */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *Object,
                                    const struct cudaResourceDesc *Resource,
                                    const struct cudaTextureDesc *Texture,
                                    const struct cudaResourceViewDesc *View);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t Object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *Object,
                                    const struct cudaResourceDesc *Resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t Object);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *Format,
                               cudaArray_const_t Array);
struct cudaChannelFormatDesc
cudaCreateChannelDesc(int X, int Y, int Z, int W,
                      enum cudaChannelFormatKind Kind);

__host__ __device__ void
cudaGraphSetConditional(cudaGraphConditionalHandle Handle, unsigned Value);

/* Launches. Clang asks for the first one when it meets <<<...>>>. */
__host__ __device__ cudaError_t
cudaConfigureCall(dim3 Grid, dim3 Block, size_t SharedBytes WARPWISE_DEFAULT(0),
                  cudaStream_t Stream WARPWISE_DEFAULT(0));
cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block,
                             void **Arguments, size_t SharedBytes,
                             cudaStream_t Stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Function, void **Arguments);
cudaError_t cudaLaunchCooperativeKernel(const void *Function, dim3 Grid,
                                        dim3 Block, void **Arguments,
                                        size_t SharedBytes,
                                        cudaStream_t Stream);
cudaError_t
cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *Launches,
                                       unsigned Count,
                                       unsigned Flags WARPWISE_DEFAULT(0));
cudaError_t cudaFuncSetCacheConfig(const void *Function,
                                   enum cudaFuncCache Config);
cudaError_t cudaFuncSetSharedMemConfig(const void *Function,
                                       enum cudaSharedMemConfig Config);
cudaError_t cudaFuncSetAttribute(const void *Function,
                                 enum cudaFuncAttribute Attribute, int Value);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *Attributes,
                                  const void *Function);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          const void *Function,
                                                          int Threads,
                                                          size_t SharedBytes);

#ifdef __cplusplus
} // extern "C"

static inline struct cudaExtent make_cudaExtent(size_t Width, size_t Height,
                                                size_t Depth) {
  struct cudaExtent Extent = {Width, Height, Depth};
  return Extent;
}
static inline struct cudaPos make_cudaPos(size_t X, size_t Y, size_t Z) {
  struct cudaPos Pos = {X, Y, Z};
  return Pos;
}
static inline struct cudaPitchedPtr
make_cudaPitchedPtr(void *Pointer, size_t Pitch, size_t Width, size_t Height) {
  struct cudaPitchedPtr Pitched = {Pointer, Pitch, Width, Height};
  return Pitched;
}
#endif

#endif

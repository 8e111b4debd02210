/* Minimal CUDA headers for machines without a toolkit: own text, enough to
   parse device code and the usual host code around it. Clang's wrapper
   __clang_cuda_runtime_wrapper.h includes them by the toolkit's file names and
   adds shuffles, votes, mathematics and the built-in variables.

   This file: the driver API, as far as host code names it. */
#ifndef WARPWISE_CUDA_H
#define WARPWISE_CUDA_H

#define CUDA_VERSION 12040

#include <stddef.h>
#include <stdint.h>

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUarray_st *CUarray;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuInit(unsigned Flags);
CUresult cuDeviceGet(CUdevice *Device, int Ordinal);
CUresult cuDeviceGetCount(int *Count);
CUresult cuDeviceGetName(char *Name, int Length, CUdevice Device);
CUresult cuCtxCreate(CUcontext *Context, unsigned Flags, CUdevice Device);
CUresult cuCtxDestroy(CUcontext Context);
CUresult cuCtxSynchronize(void);
CUresult cuModuleLoad(CUmodule *Module, const char *File);
CUresult cuModuleGetFunction(CUfunction *Function, CUmodule Module,
                             const char *Name);
CUresult cuMemAlloc(CUdeviceptr *Pointer, size_t Bytes);
CUresult cuMemFree(CUdeviceptr Pointer);
CUresult cuMemcpyHtoD(CUdeviceptr To, const void *From, size_t Bytes);
CUresult cuMemcpyDtoH(void *To, CUdeviceptr From, size_t Bytes);
CUresult cuGetErrorName(CUresult Error, const char **Name);
CUresult cuGetErrorString(CUresult Error, const char **Text);
CUresult cuLaunchKernel(CUfunction Function, unsigned GridX, unsigned GridY,
                        unsigned GridZ, unsigned BlockX, unsigned BlockY,
                        unsigned BlockZ, unsigned SharedBytes, CUstream Stream,
                        void **Arguments, void **Extra);
#ifdef __cplusplus
}
#endif
#endif

/* The Fourier transforms: types for kernels, calls for the host. */
#ifndef WARPWISE_CUFFT_H
#define WARPWISE_CUFFT_H

#include "cuComplex.h"
#include "cuda_runtime_api.h"

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;
typedef enum cufftResult_t { CUFFT_SUCCESS = 0 } cufftResult;
typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftCreate(cufftHandle *Plan);
cufftResult cufftDestroy(cufftHandle Plan);
cufftResult cufftPlan1d(cufftHandle *Plan, int X, cufftType Type, int Batch);
cufftResult cufftPlan2d(cufftHandle *Plan, int X, int Y, cufftType Type);
cufftResult cufftPlan3d(cufftHandle *Plan, int X, int Y, int Z, cufftType Type);
cufftResult cufftMakePlan1d(cufftHandle Plan, int X, cufftType Type, int Batch,
                            size_t *Work);
cufftResult cufftSetStream(cufftHandle Plan, cudaStream_t Stream);
cufftResult cufftExecC2C(cufftHandle Plan, cufftComplex *In, cufftComplex *Out,
                         int Direction);
cufftResult cufftExecR2C(cufftHandle Plan, cufftReal *In, cufftComplex *Out);
cufftResult cufftExecC2R(cufftHandle Plan, cufftComplex *In, cufftReal *Out);
cufftResult cufftExecZ2Z(cufftHandle Plan, cufftDoubleComplex *In,
                         cufftDoubleComplex *Out, int Direction);
cufftResult cufftExecD2Z(cufftHandle Plan, cufftDoubleReal *In,
                         cufftDoubleComplex *Out);
cufftResult cufftExecZ2D(cufftHandle Plan, cufftDoubleComplex *In,
                         cufftDoubleReal *Out);
#ifdef __cplusplus
}
#endif
#endif

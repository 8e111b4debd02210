/* Dense linear algebra: the calls that programs with kernels of their own make
   most. */
#ifndef WARPWISE_CUBLAS_V2_H
#define WARPWISE_CUBLAS_V2_H

#include "cuComplex.h"
#include "cuda_runtime_api.h"

typedef struct cublasContext *cublasHandle_t;
typedef enum cublasStatus { CUBLAS_STATUS_SUCCESS = 0 } cublasStatus_t;
typedef enum cublasOperation {
  CUBLAS_OP_N,
  CUBLAS_OP_T,
  CUBLAS_OP_C
} cublasOperation_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasCreate(cublasHandle_t *Handle);
cublasStatus_t cublasDestroy(cublasHandle_t Handle);
cublasStatus_t cublasSetStream(cublasHandle_t Handle, cudaStream_t Stream);
cublasStatus_t cublasSgemm(cublasHandle_t Handle, cublasOperation_t OpA,
                           cublasOperation_t OpB, int M, int N, int K,
                           const float *Alpha, const float *A, int StrideA,
                           const float *B, int StrideB, const float *Beta,
                           float *C, int StrideC);
cublasStatus_t cublasDgemm(cublasHandle_t Handle, cublasOperation_t OpA,
                           cublasOperation_t OpB, int M, int N, int K,
                           const double *Alpha, const double *A, int StrideA,
                           const double *B, int StrideB, const double *Beta,
                           double *C, int StrideC);
cublasStatus_t cublasSaxpy(cublasHandle_t Handle, int N, const float *Alpha,
                           const float *X, int StrideX, float *Y, int StrideY);
cublasStatus_t cublasSdot(cublasHandle_t Handle, int N, const float *X,
                          int StrideX, const float *Y, int StrideY,
                          float *Result);
cublasStatus_t cublasSscal(cublasHandle_t Handle, int N, const float *Alpha,
                           float *X, int StrideX);
cublasStatus_t cublasSnrm2(cublasHandle_t Handle, int N, const float *X,
                           int StrideX, float *Result);
#ifdef __cplusplus
}
#endif
#endif

/* The host side of the random number library. */
#ifndef WARPWISE_CURAND_H
#define WARPWISE_CURAND_H

#include "cuda_runtime_api.h"

typedef enum curandStatus { CURAND_STATUS_SUCCESS = 0 } curandStatus_t;
typedef enum curandRngType {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;
typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101
} curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef struct curandGenerator_st *curandGenerator_t;

#ifdef __cplusplus
extern "C" {
#endif
curandStatus_t curandCreateGenerator(curandGenerator_t *Generator,
                                     curandRngType_t Type);
curandStatus_t curandDestroyGenerator(curandGenerator_t Generator);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t Generator,
                                                  unsigned long long Seed);
curandStatus_t curandSetStream(curandGenerator_t Generator,
                               cudaStream_t Stream);
curandStatus_t curandGenerate(curandGenerator_t Generator, unsigned *To,
                              size_t Count);
curandStatus_t curandGenerateUniform(curandGenerator_t Generator, float *To,
                                     size_t Count);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t Generator,
                                           double *To, size_t Count);
curandStatus_t curandGenerateNormal(curandGenerator_t Generator, float *To,
                                    size_t Count, float Mean, float Width);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t Generator,
                                          double *To, size_t Count, double Mean,
                                          double Width);
#ifdef __cplusplus
}
#endif
#endif

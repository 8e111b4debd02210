/* The error checks of NVIDIA's samples, for code that was copied from there
   without this header. */
#ifndef WARPWISE_HELPER_CUDA_H
#define WARPWISE_HELPER_CUDA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define checkCudaErrors(Call) ((void)(Call))
#define getLastCudaError(Message) ((void)(Message))

static inline int findCudaDevice(int, const char **) { return 0; }
static inline int gpuGetMaxGflopsDeviceId() { return 0; }
static inline int gpuDeviceInit(int Device) { return Device; }
static inline int _ConvertSMVer2Cores(int, int) { return 128; }
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

#include "helper_functions.h"

#endif

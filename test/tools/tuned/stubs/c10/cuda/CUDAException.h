// What FlashAttention wants of PyTorch, so that its kernels compile without it.
#pragma once
#include <cstddef>
#define C10_CUDA_CHECK(Call) (void)(Call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() (void)cudaGetLastError()

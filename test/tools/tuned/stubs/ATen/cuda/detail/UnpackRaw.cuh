// What FlashAttention wants of PyTorch, so that its kernels compile without it.
#pragma once
#include <ATen/cuda/PhiloxCudaState.h>
#include <tuple>
namespace at::cuda::philox {
__host__ __device__ inline std::tuple<uint64_t, uint64_t>
unpack(PhiloxCudaState State) {
  return {State.Seed, State.Offset};
}
} // namespace at::cuda::philox

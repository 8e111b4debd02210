// What FlashAttention wants of PyTorch, so that its kernels compile without it.
#pragma once
#include <cstdint>
namespace at {
struct PhiloxCudaState {
  uint64_t Seed, Offset;
};
} // namespace at

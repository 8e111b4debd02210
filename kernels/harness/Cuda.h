//===- Cuda.h - CUDA calls with their errors and buffers --------*- C++ -*-===//
//
// Every call is checked with the caller's place; buffers free themselves.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_CUDA_H
#define WARPWISE_KERNELS_HARNESS_CUDA_H

#include "kernels/harness/Session.h"

#include <cuda_runtime.h>

#include <source_location>
#include <span>
#include <utility>
#include <vector>

namespace warpwise::harness {

/// Throws CudaFailure when \p E is an error.
void check(cudaError_t E,
           std::source_location Place = std::source_location::current());
/// Waits for the device; throws for errors of the launches before.
void finish(std::source_location Place = std::source_location::current());

/// Device memory from cudaMalloc.
template <typename T> class Buffer {
public:
  Buffer() = default;
  explicit Buffer(size_t Count,
                  std::source_location Place = std::source_location::current())
      : Count(Count) {
    check(cudaMalloc(&Memory, Count * sizeof(T)), Place);
  }
  explicit Buffer(std::span<const T> Values,
                  std::source_location Place = std::source_location::current())
      : Buffer(Values.size(), Place) {
    upload(Values);
  }
  Buffer(Buffer &&Other) noexcept
      : Memory(std::exchange(Other.Memory, nullptr)),
        Count(std::exchange(Other.Count, 0)) {}
  Buffer &operator=(Buffer &&Other) noexcept {
    std::swap(Memory, Other.Memory);
    std::swap(Count, Other.Count);
    return *this;
  }
  ~Buffer() { cudaFree(Memory); }

  T *get() const { return Memory; }
  size_t size() const { return Count; }
  void upload(std::span<const T> Values, size_t At = 0) {
    check(cudaMemcpy(Memory + At, Values.data(), Values.size() * sizeof(T),
                     cudaMemcpyHostToDevice));
  }
  std::vector<T> download(size_t N) const {
    std::vector<T> Values(N);
    check(cudaMemcpy(Values.data(), Memory, N * sizeof(T),
                     cudaMemcpyDeviceToHost));
    return Values;
  }
  std::vector<T> download() const { return download(Count); }
  void zero() { check(cudaMemset(Memory, 0, Count * sizeof(T))); }

private:
  T *Memory = nullptr;
  size_t Count = 0;
};

/// Milliseconds that the launches inside \p Launch take, by events; the device
/// is idle before.
double milliseconds(const std::function<void()> &Launch);

/// The device \p Ordinal, or the first. Throws Skip with one sentence when
/// there is no driver, no GPU, or not that one.
Device openDevice(int Ordinal);

/// Hints at the share of the SM's memory, in percent of the most, that shared
/// memory should get for \p Kernel, the __global__ function.
void preferCarveout(const void *Kernel, unsigned SharedPercent);

/// Dynamic shared memory of a one-block launch that makes the driver choose the
/// carve-out of \p Carveout bytes (0: the smallest) for \p Kernel. The hint
/// alone is not enough: a block without shared memory gets 32 KiB on sm_90.
unsigned requestCarveout(const Device &D, const void *Kernel,
                         uint64_t Carveout);

/// Overwrites the whole of L2 by writing and reading a buffer of twice its
/// size, which is allocated on the first call and kept for the process.
void flushL2(const Device &D);

/// Spins on the device until the SM's clock is stable (three windows within
/// 0.5 %) and returns it in MHz: clock64 over globaltimer.
double warmUpClock();

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_CUDA_H

//===- Cuda.h - Memory, time and errors of the device -----------*- C++ -*-===//
//
// Calls of CUDA's libraries fail anywhere and for reasons that nobody here can
// mend. They throw; what the rest of the program calls catches.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_DEVICE_CUDA_H
#define WARPWISE_MNF_CASE_STUDY_DEVICE_CUDA_H

#include "mnf_case_study/serial/Times.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace mnf {

class CudaError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

inline void require(cudaError_t Error, const char *What) {
  if (Error != cudaSuccess)
    throw CudaError(std::string(What) + ": " + cudaGetErrorString(Error));
}

/// Memory on the device, which begins as zeros.
template <typename T> class Buffer {
public:
  explicit Buffer(size_t Count) : Count(Count) {
    void *Memory = nullptr;
    require(cudaMalloc(&Memory, bytes()), "memory on the device");
    Data = static_cast<T *>(Memory);
    if (cudaError_t Error = cudaMemset(Data, 0, bytes());
        Error != cudaSuccess) {
      cudaFree(Data);
      require(Error, "zeros on the device");
    }
  }
  Buffer(Buffer &&Other) noexcept
      : Data(std::exchange(Other.Data, nullptr)), Count(Other.Count) {}
  Buffer &operator=(Buffer &&) = delete;
  ~Buffer() { cudaFree(Data); }

  operator T *() const { return Data; }
  size_t bytes() const { return Count * sizeof(T); }

  void upload(const T *From) const {
    require(cudaMemcpy(Data, From, bytes(), cudaMemcpyHostToDevice), "upload");
  }
  void download(T *To) const {
    require(cudaMemcpy(To, Data, bytes(), cudaMemcpyDeviceToHost), "download");
  }

private:
  T *Data = nullptr;
  size_t Count;
};

class Event {
public:
  Event() { require(cudaEventCreate(&Handle), "an event of the device"); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  ~Event() { cudaEventDestroy(Handle); }

  void record() { require(cudaEventRecord(Handle), "an event of the device"); }
  void wait() { require(cudaEventSynchronize(Handle), "work on the device"); }
  /// Milliseconds since \p Earlier.
  double since(const Event &Earlier) const {
    float Milliseconds = 0;
    require(cudaEventElapsedTime(&Milliseconds, Earlier.Handle, Handle),
            "the device's clock");
    return Milliseconds;
  }

private:
  cudaEvent_t Handle = nullptr;
};

/// Times of steps by the device's own clock.
class DeviceTimes {
public:
  explicit DeviceTimes(Times &To) : To(To) {}

  template <typename Callable>
  void measure(const std::string &Name, Callable &&Function) {
    Start.record();
    Function();
    require(cudaGetLastError(), Name.c_str());
    Stop.record();
    Stop.wait();
    To.add(Name, Stop.since(Start));
  }

private:
  Times &To;
  Event Start, Stop;
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_DEVICE_CUDA_H

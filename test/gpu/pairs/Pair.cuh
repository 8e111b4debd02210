//===- Pair.cuh - Times two kernels that do the same -------------*- C++
//-*-===//
//
// A pair's main launches `before` and `after` in turns until next() says that
// it knows enough:
//
//   while (P.next())
//     if (P.beforesTurn())
//       before<<<Grid, Block>>>(In, Expected);
//     else
//       after<<<Grid, Block>>>(In, Out);
//
// Each launch is written once, with its sizes, so that a reader of the source
// sees what is timed. Prints one row of CSV; ends with 1 if results differ.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <type_traits>
#include <vector>

inline void must(cudaError_t Status) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(Status));
  std::exit(1);
}

__host__ __device__ inline uint32_t mixed(uint64_t Value) {
  Value = (Value + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  Value = (Value ^ Value >> 31) * 0x94d049bb133111eb;
  return static_cast<uint32_t>(Value >> 32);
}

/// Numbers from 0 to 1, or integers below a limit.
template <class T>
__global__ void fillWithNoise(T *Memory, size_t Count, uint32_t Limit) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x)
    if constexpr (std::is_floating_point_v<T>)
      Memory[I] = T(mixed(I)) / T(4294967296.0);
    else
      Memory[I] = T(mixed(I) % Limit);
}

template <class T> T *input(size_t Count, uint32_t Limit = 100) {
  T *Memory = nullptr;
  must(cudaMalloc(&Memory, Count * sizeof(T)));
  fillWithNoise<<<1024, 256>>>(Memory, Count, Limit);
  return Memory;
}

template <class T> T *output(size_t Count) {
  T *Memory = nullptr;
  must(cudaMalloc(&Memory, Count * sizeof(T)));
  must(cudaMemset(Memory, 0, Count * sizeof(T)));
  return Memory;
}

template <class T> std::vector<T> onHost(const T *Memory, size_t Count) {
  std::vector<T> Copy(Count);
  must(cudaMemcpy(Copy.data(), Memory, Count * sizeof(T),
                  cudaMemcpyDeviceToHost));
  return Copy;
}

template <class T> T *onDevice(const std::vector<T> &Values) {
  T *Memory = nullptr;
  must(cudaMalloc(&Memory, Values.size() * sizeof(T)));
  must(cudaMemcpy(Memory, Values.data(), Values.size() * sizeof(T),
                  cudaMemcpyHostToDevice));
  return Memory;
}

/// \p Count elements, each the one of \p From that \p Source says.
template <class T, class F>
T *arranged(const T *From, size_t FromCount, size_t Count, F Source) {
  const std::vector<T> Old = onHost(From, FromCount);
  std::vector<T> New(Count);
  for (size_t I = 0; I < Count; ++I)
    New[I] = Old[Source(I)];
  return onDevice(New);
}

/// Writes more than L2 holds.
__global__ void flushL2(uint32_t *Memory, size_t Count) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x)
    Memory[I] += 1;
}

/// Keeps the GPU waiting while the host queues what is timed.
__global__ void idle(long long Cycles) {
  const long long End = clock64() + Cycles;
  while (clock64() < End)
    ;
}

class Pair {
public:
  explicit Pair(const char *Name) : Name(Name) {}

  /// What the two wrote when each was launched once.
  template <class T> void same(const T *Before, const T *After, size_t Count) {
    same(Before, After, Count, [](size_t I) { return I; });
  }

  /// Likewise, where the I-th element of the one lies at \p Place(I) of the
  /// other.
  template <class T, class F>
  void same(const T *Before, const T *After, size_t Count, F Place) {
    Checks.push_back([=] {
      const std::vector<T> Old = onHost(Before, Count),
                           New = onHost(After, Count);
      const double Tolerance = std::is_floating_point_v<T> ? 1e-3 : 0;
      bool Written = false;
      for (size_t I = 0; I < Count; ++I) {
        const double A = double(Old[I]), B = double(New[Place(I)]);
        Written |= A != 0;
        if (std::abs(A - B) <= Tolerance * std::max(1.0, std::abs(A)))
          continue;
        std::fprintf(stderr, "error: %s: element %zu is %g, then %g\n", Name, I,
                     A, B);
        std::exit(1);
      }
      if (Written)
        return;
      std::fprintf(stderr, "error: %s: nothing but zeros\n", Name);
      std::exit(1);
    });
  }

  bool beforesTurn() const { return Plan[Next - 1].Before; }

  bool next() {
    if (Next > 0) {
      must(cudaGetLastError());
      if (Plan[Next - 1].Timed)
        stamp();
    }
    if (Next == Plan.size() && !goOn())
      return false;
    const Launch &L = Plan[Next++];
    if (L.WaitFirst)
      idle<<<1, 1>>>(L.WaitFirst);
    if (L.Flush)
      flushL2<<<1024, 256>>>(Junk, JunkCount);
    if (L.Opens)
      stamp();
    return true;
  }

private:
  struct Launch {
    bool Before;
    bool Opens = false, Timed = false, Flush = false;
    long long WaitFirst = 0;
  };

  static constexpr unsigned Rounds = 25, ColdRounds = 11;
  static constexpr size_t JunkCount = size_t(64) << 20;

  const char *Name;
  std::vector<std::function<void()>> Checks;
  std::vector<Launch> Plan;
  size_t Next = 0;
  std::vector<cudaEvent_t> Stamps;
  uint32_t *Junk = nullptr;
  enum { Start, Compare, Calibrate, Warm, Cold } Stage = Start;
  unsigned Batch = 1;
  double Micros[2] = {}, Spread = 0;

  void stamp() {
    cudaEvent_t Event;
    must(cudaEventCreate(&Event));
    must(cudaEventRecord(Event));
    Stamps.push_back(Event);
  }

  /// One launch that warms the caches, then \p Count of which the first and
  /// the last are stamped: gaps between launches are in their mean, as they
  /// are in a program.
  void planBatch(bool Before, unsigned Count, long long WaitFirst) {
    Plan.push_back({Before, false, false, false, WaitFirst});
    for (unsigned I = 0; I < Count; ++I)
      Plan.push_back({Before, I == 0, I + 1 == Count});
  }

  /// Microseconds of a launch, of each batch.
  std::vector<double> times(unsigned Count) {
    must(cudaDeviceSynchronize());
    std::vector<double> Result;
    for (size_t I = 0; I + 1 < Stamps.size(); I += 2) {
      float Millis = 0;
      must(cudaEventElapsedTime(&Millis, Stamps[I], Stamps[I + 1]));
      Result.push_back(1e3 * Millis / Count);
    }
    for (cudaEvent_t Event : Stamps)
      must(cudaEventDestroy(Event));
    Stamps.clear();
    return Result;
  }

  static double median(std::vector<double> Values) {
    std::sort(Values.begin(), Values.end());
    const size_t Half = Values.size() / 2;
    return Values.size() % 2 ? Values[Half]
                             : (Values[Half - 1] + Values[Half]) / 2;
  }

  static std::vector<double> half(const std::vector<double> &Both, size_t Of) {
    std::vector<double> Result;
    for (size_t I = Of; I < Both.size(); I += 2)
      Result.push_back(Both[I]);
    return Result;
  }

  bool goOn() {
    Next = 0;
    switch (Stage) {
    case Start:
      Plan = {{true}, {false}};
      Stage = Compare;
      return true;
    case Compare:
      must(cudaDeviceSynchronize());
      for (const auto &Check : Checks)
        Check();
      Plan.clear();
      planBatch(true, 3, 0);
      planBatch(false, 3, 0);
      Stage = Calibrate;
      return true;
    case Calibrate: {
      const std::vector<double> Rough = times(3);
      const double Faster = std::min(Rough[0], Rough[1]);
      Batch = std::clamp(int(std::ceil(200 / Faster)), 2, 20);
      Plan.clear();
      // What comes first raises the clocks.
      const unsigned WarmUp =
          2 + unsigned(10e3 / (Rough[0] + Rough[1]) / Batch);
      for (unsigned I = 0; I < std::min(WarmUp, 25u) + Rounds; ++I) {
        planBatch(true, Batch, 200000);
        planBatch(false, Batch, 200000);
      }
      Stage = Warm;
      return true;
    }
    case Warm: {
      std::vector<double> All = times(Batch);
      All.erase(All.begin(), All.end() - 2 * Rounds);
      std::vector<double> Ratios;
      for (size_t I = 0; I < All.size(); I += 2)
        Ratios.push_back(All[I] / All[I + 1]);
      std::sort(Ratios.begin(), Ratios.end());
      Spread = Ratios[Rounds * 9 / 10] / Ratios[Rounds / 10] - 1;
      for (int Of : {0, 1})
        Micros[Of] = median(half(All, Of));
      must(cudaMalloc(&Junk, JunkCount * sizeof(uint32_t)));
      Plan.clear();
      for (unsigned I = 0; I < 2 * ColdRounds; ++I)
        Plan.push_back({I % 2 == 0, true, true, true, 20000});
      Stage = Cold;
      return true;
    }
    case Cold: {
      const std::vector<double> All = times(1);
      std::printf("%s,%.2f,%.2f,%.3f,%.3f,%.2f,%.2f\n", Name, Micros[0],
                  Micros[1], Micros[0] / Micros[1], Spread,
                  median(half(All, 0)), median(half(All, 1)));
      return false;
    }
    }
    return false;
  }
};

//===- SimulatedProbe.h - Timed accesses of a made-up memory ----*- C++ -*-===//
//
// An AccessProbe whose caches, TLBs and noise are known: what the inference
// says about it has to be what it was made of.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_SIMULATE_SIMULATEDPROBE_H
#define WARPWISE_PROFILER_INFERENCE_SIMULATE_SIMULATEDPROBE_H

#include "profiler/inference/AccessProbe.h"
#include "profiler/inference/CacheModel.h"

#include <functional>
#include <unordered_map>

namespace warpwise::inference {

struct SimulatedMemory {
  uint64_t Bytes = 1 << 20;
  struct Level {
    CacheShape Shape;
    double Latency = 0; ///< of a hit
  };
  std::vector<Level> Caches; ///< the nearest first
  double Latency = 300;      ///< behind all caches
  /// Memory answers up to this much later, always the same for a line.
  double Spread = 0;
  struct Tlb {
    CacheShape Shape; ///< its lines are pages, and so are its sectors
    double Penalty = 0;
  };
  std::vector<Tlb> Tlbs; ///< the nearest first
  /// Lines that the nearest cache has data for, if fewer than its sets have
  /// tags: then any line, at random, makes room for another. 0: as many.
  unsigned DataLines = 0;
  /// The address of an offset, by which caches and TLBs are indexed; the
  /// offset itself where it is empty.
  std::function<uint64_t(uint64_t)> Address;
};

/// What a measurement adds to each latency.
struct ProbeNoise {
  double Jitter = 0;       ///< uniform, this much to either side
  double OutlierShare = 0; ///< of the loads, which take longer
  double OutlierLow = 50, OutlierHigh = 2000;
};

class SimulatedProbe : public AccessProbe {
public:
  explicit SimulatedProbe(SimulatedMemory Memory, ProbeNoise Noise = {},
                          uint64_t Seed = 1);
  /// One cache of \p Shape, 84 cycles for a hit and 300 for a miss.
  explicit SimulatedProbe(CacheShape Shape, ProbeNoise Noise = {},
                          uint64_t Bytes = 1 << 20, uint64_t Seed = 1);

  uint64_t size() const override { return Memory.Bytes; }
  /// The nearest cache and the TLBs start empty, outer caches as they were.
  std::vector<float> time(std::span<const uint64_t> Offsets) override;

  /// What an inference asked of the device so far, to bound what it may cost.
  uint64_t calls() const { return Calls; }
  uint64_t accesses() const { return Accesses; }
  size_t longestList() const { return Longest; }

private:
  /// The lines that have data, when there are fewer of them than tags.
  class DataStore {
  public:
    bool load(uint64_t Line, unsigned Room, std::mt19937_64 &Random);
    void clear();

  private:
    std::vector<uint64_t> Lines;
    std::unordered_map<uint64_t, size_t> Places;
  };

  double latency(uint64_t Address);

  SimulatedMemory Memory;
  ProbeNoise Noise;
  std::vector<Cache> Caches, Tlbs;
  DataStore Data;
  std::mt19937_64 Random;
  uint64_t Calls = 0, Accesses = 0;
  size_t Longest = 0;
};

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_SIMULATE_SIMULATEDPROBE_H

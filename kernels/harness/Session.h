//===- Session.h - What a microbenchmark works with -------------*- C++ -*-===//
//
// One profiling run on one device: the device's facts, the results so far, and
// the ways to record new ones. Plain C++; CUDA's own things are in Cuda.h.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_SESSION_H
#define WARPWISE_KERNELS_HARNESS_SESSION_H

#include "profiler/inference/Statistics.h"
#include "profiler/profile/Profile.h"

#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::harness {

/// This device or build cannot do it; the message says why. The quantities that
/// the benchmark promised become not-measurable with that reason, and the run
/// goes on.
class Skip : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A CUDA call failed; the message names call, place and error.
class CudaFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the CUDA runtime says about the device. Sizes in bytes.
struct Device {
  int Ordinal = 0;
  std::string Gpu;
  std::string Uuid;              ///< "GPU-..." as nvidia-smi -L shows it
  unsigned Major = 0, Minor = 0; ///< compute capability
  unsigned SmCount = 0;
  uint64_t L2Bytes = 0;
  uint64_t SharedBytesPerSm = 0;
  uint64_t SharedBytesPerBlock = 0; ///< opt-in maximum
  uint64_t ReservedSharedBytesPerBlock = 0;
  uint64_t MemoryBytes = 0, FreeBytes = 0;
  unsigned MemoryBusBits = 0;
  double MemoryMhz = 0;        ///< 0 where the runtime does not say
  double MaxClockMhz = 0;      ///< 0 where the runtime does not say
  std::string Driver, Runtime; ///< "13.0"

  unsigned capability() const { return Major * 10 + Minor; }
  std::string architecture() const; ///< "sm_90"
};

/// A column of a raw-sample table for --traces.
struct Column {
  std::string Name; ///< with its unit: "latency [clk]"
  std::vector<double> Values;
};

struct SessionOptions {
  bool Quick = false;
  uint64_t Seed = 0;
  std::string TraceFolder; ///< empty: raw samples are not kept
};

class Session {
public:
  Session(Device D, SessionOptions O);

  const Device &device() const { return Dev; }
  bool quick() const { return Options.Quick; }
  /// Seeded per run; the seed is in the profile's environment.
  std::mt19937_64 &random() { return Generator; }

  // Results of earlier stages.
  const profile::Profile &results() const { return Result; }
  profile::Profile &results() { return Result; }
  /// The value at \p Path if it was recorded.
  std::optional<double> value(profile::EntryPath Path) const {
    return Result.value(Path);
  }
  /// The value at \p Path; throws Skip naming it when there is none.
  double need(profile::EntryPath Path) const;

  // Recording. A path is recorded once; units as in profile-format.md.
  /// A measured value; \p Method says how in one line. An estimate that did not
  /// converge becomes not-converged.
  void measured(profile::EntryPath Path, const std::string &Unit,
                const inference::Estimate &E, const std::string &Method);
  /// A value that is exact by construction, such as a count or a size.
  void exact(profile::EntryPath Path, const std::string &Unit, double Value,
             const std::string &Method, unsigned N = 1);
  void word(profile::EntryPath Path, const std::string &Word,
            const std::string &Method);
  void api(profile::EntryPath Path, const std::string &Unit, double Value,
           const std::string &Method);
  void alias(profile::EntryPath Path, profile::EntryPath Of);
  void inferred(profile::EntryPath Path, const std::string &Unit, double Value,
                const std::string &Method);
  void notMeasurable(profile::EntryPath Path, const std::string &Unit,
                     const std::string &Reason);
  /// The second, independent method for a recorded path; it agrees when it is
  /// within \p Tolerance (relative) of the value.
  void check(profile::EntryPath Path, const std::string &Method, double Value,
             double Tolerance);
  void curve(profile::EntryPath Path, const std::string &X,
             const std::string &Y, std::vector<std::array<double, 2>> Points,
             const std::string &Method);
  /// Raw samples, written to TraceFolder/<benchmark>/<Name>.csv if asked for.
  void trace(const std::string &Name, const std::vector<Column> &Columns);

  /// SM clock now, for the mhz of what is recorded; set by the runner before
  /// each benchmark.
  double Mhz = 0;
  /// The benchmark that runs, for traces and messages.
  std::string Current;
  /// Says what is going on, for the progress line.
  std::function<void(std::string_view)> Progress = [](std::string_view) {};

private:
  profile::Quantity &add(profile::EntryPath Path, const std::string &Unit,
                         profile::Status State, const std::string &Method);

  Device Dev;
  SessionOptions Options;
  std::mt19937_64 Generator;
  profile::Profile Result;
};

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_SESSION_H

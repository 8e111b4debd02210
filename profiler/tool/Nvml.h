//===- Nvml.h - What the driver says of a GPU's use -------------*- C++ -*-===//

#ifndef WARPWISE_PROFILER_TOOL_NVML_H
#define WARPWISE_PROFILER_TOOL_NVML_H

#include <optional>
#include <string>

namespace warpwise::tool {

/// The driver's management library, which is loaded for this: nothing where
/// there is none, or where it does not say, as for a part of a GPU.
class Nvml {
public:
  /// For the GPU \p Uuid.
  explicit Nvml(const std::string &Uuid);
  ~Nvml();
  Nvml(const Nvml &) = delete;
  Nvml &operator=(const Nvml &) = delete;

  /// Shares of the last second or less, in percent.
  struct Use {
    unsigned Kernels = 0; ///< some kernel ran
    unsigned Memory = 0;  ///< memory was read or written
  };
  std::optional<Use> use() const;

  /// What crosses the bus to the host, either way; looks for some 40 ms.
  std::optional<double> busMegabytesPerSecond() const;

private:
  void *Library = nullptr, *Device = nullptr;
  bool Started = false;
};

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_NVML_H

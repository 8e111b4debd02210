//===- Nvml.h - What the driver says of a GPU's use -------------*- C++ -*-===//

#ifndef WARPWISE_PROFILER_TOOL_NVML_H
#define WARPWISE_PROFILER_TOOL_NVML_H

#include <optional>
#include <string>

namespace warpwise::tool {

/// The share of the last second or less in which the GPU \p Uuid ran kernels,
/// in percent. Asks the driver's management library, which is loaded for that;
/// nothing where there is none, or where it does not say, as for a part of a
/// GPU.
std::optional<unsigned> utilisationOf(const std::string &Uuid);

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_NVML_H

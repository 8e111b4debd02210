//===- KernelResources.h - What the compiler makes of a kernel --*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_NVCC_KERNELRESOURCES_H
#define WARPWISE_ANALYZER_NVCC_KERNELRESOURCES_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpwise::nvcc {

/// Of one thread.
struct KernelResources {
  unsigned Registers = 0;
  uint64_t StackBytes = 0, SpillStoreBytes = 0, SpillLoadBytes = 0;

  bool operator==(const KernelResources &) const = default;
};

/// The kernels of a translation unit, by nvcc's names.
using ResourceTable = std::map<std::string, KernelResources>;

/// Reads what `nvcc -Xptxas -v` says.
ResourceTable parseResourceUsage(std::string_view Text);

/// The kernel that Clang calls \p Mangled, or null. The two name what has
/// internal linkage differently.
const KernelResources *findKernel(const ResourceTable &Table,
                                  const std::string &Mangled);

} // namespace warpwise::nvcc

#endif // WARPWISE_ANALYZER_NVCC_KERNELRESOURCES_H

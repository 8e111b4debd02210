//===- DeviceMemory.h - The memory that kernels run on ----------*- C++ -*-===//
//
// Real memory in this process for everything that a kernel can reach. What a
// pointer leads to is decided by its value, not by the code that made it: that
// is what makes the spaces an independent check.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EXECUTION_DEVICEMEMORY_H
#define WARPWISE_ANALYZER_EXECUTION_DEVICEMEMORY_H

#include "analyzer/model/AccessModel.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace warpwise::execution {

/// What global memory holds at first.
enum class Contents { Zeros, SmallNumbers };

class DeviceMemory {
public:
  DeviceMemory() = default;
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// A buffer of global memory, aligned like the result of cudaMalloc. Much is
  /// mapped on both sides, so that a kernel may run over its end; null when the
  /// system gives no more.
  char *allocate(Contents Initial);
  /// Memory that lies elsewhere: variables, parameters (Local).
  void addRegion(char *Begin, uint64_t Bytes, access::Space Memory);
  /// Forgets the buffers and the parameters.
  void reset();
  /// Shared memory is as good as new for each block.
  void clearShared();

  /// The space that the bytes lie in; nothing when they are nowhere.
  std::optional<access::Space> spaceOf(uint64_t Address, uint64_t Bytes) const;

  /// The address in shared memory that ends in \p Short; else \p Short.
  uint64_t sharedAt(uint32_t Short) const;

private:
  struct Region {
    uint64_t Begin, End;
    access::Space Memory;
    bool Mapped;
  };
  std::vector<Region> Regions;
};

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_DEVICEMEMORY_H

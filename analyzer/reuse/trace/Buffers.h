//===- Buffers.h - The memory that a kernel is given ------------*- C++ -*-===//
//
// Device addresses as cudaMalloc gives them, and, where a kernel's addresses
// depend on data, memory in this process with the contents that the user names.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_BUFFERS_H
#define WARPWISE_ANALYZER_REUSE_TRACE_BUFFERS_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpwise::reuse {

/// The largest file that a buffer takes its contents from.
constexpr size_t MostFileBytes = size_t(1) << 30;

/// An allocation.
struct Buffer {
  enum class Contents {
    Unknown,
    Zeros,
    Iota,   ///< 0, 1, 2 ...
    Random, ///< whole numbers below Below, each as likely; reals below 1
    Sorted, ///< the same in ascending order
    File    ///< the bytes of a file, then zeros
  };
  std::string Name;   ///< for messages
  uint64_t Bytes = 0; ///< 0: not known, more than a kernel can want
  Contents Initial = Contents::Unknown;
  unsigned ElementBytes = 4; ///< of the numbers: 1, 2, 4 or 8
  bool Reals = false;        ///< float or double, not whole numbers
  /// For Random; 0: the number of elements.
  uint64_t Below = 0;
  std::string Path;
};

/// All buffers of a launch, one behind the other.
class BufferMemory {
public:
  /// Lays \p Buffers out in their order. The error names a file that cannot be
  /// read.
  static llvm::Expected<std::unique_ptr<BufferMemory>>
  create(const std::vector<Buffer> &Buffers);
  ~BufferMemory();
  BufferMemory(const BufferMemory &) = delete;
  BufferMemory &operator=(const BufferMemory &) = delete;

  char *begin() const { return Begin; }
  uint64_t bytes() const { return Bytes; }
  char *address(size_t Number) const { return Begin + Offsets[Number]; }
  /// The device address of begin().
  static constexpr uint64_t DeviceBase = uint64_t(1) << 44;

  /// Undoes all stores.
  void restore();

private:
  BufferMemory() = default;
  char *Begin = nullptr;
  uint64_t Bytes = 0;
  std::vector<uint64_t> Offsets;

  llvm::Error fill(int File, const Buffer &B, uint64_t Offset);
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_BUFFERS_H

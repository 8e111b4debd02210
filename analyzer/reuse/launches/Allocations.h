//===- Allocations.h - Where pointer arguments lead -------------*- C++ -*-===//
//
// Which allocation a launch's pointers lead into, and its size. Where arrays
// lie decides which of their lines share a set of L1: two of 4 MiB behind one
// another do, in other places, than two that are far apart.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_LAUNCHES_ALLOCATIONS_H
#define WARPWISE_ANALYZER_REUSE_LAUNCHES_ALLOCATIONS_H

#include "analyzer/source/Place.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::launch {
struct HostProgram;
}

namespace warpwise::reuse {

struct Allocation {
  uint32_t Order = 0; ///< among all of the program; the same for the same one
  uint64_t Bytes = 0; ///< 0: not known
  /// cudaMemset to 0 was the last to write it, each time.
  bool IsZero = false;
};

/// By the place of the launch, as in launch::Launch::At, and argument. In a
/// loop, those of the first time.
using AllocationTable = std::map<Place, std::vector<std::optional<Allocation>>>;

AllocationTable collectAllocations(const launch::HostProgram &Program);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LAUNCHES_ALLOCATIONS_H

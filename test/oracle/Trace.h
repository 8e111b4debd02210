//===- Trace.h - What a run of a kernel leaves behind -----------*- C++ -*-===//
//
// The numbering of a kernel's memory accesses and loops, and the events that
// its threads record. Positions rise along every path through the kernel, with
// the blocks of a loop together; so an event's loop iterations and position
// tell which events of two lanes belong to the same request of the warp.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_ORACLE_TRACE_H
#define WARPWISE_TEST_ORACLE_TRACE_H

#include "analyzer/access/AccessModel.h"

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpwise::oracle {

/// What is at a position.
struct Point {
  enum class Kind { Other, Access, Barrier } What = Kind::Other;
  /// The kernel's mangled name, empty outside of kernels.
  std::string Kernel;
  /// The locations of the instruction and of the calls it was inlined through.
  std::string Place;
  access::Operation Op = access::Operation::Load;
  unsigned Bytes = 0;
  int32_t Loop = -1; ///< innermost, an index into Numbering::Loops
};

struct Loop {
  int32_t Parent = -1;
  uint32_t Header = 0; ///< the position of its header
};

/// The positions and loops of all kernels of a module.
struct Numbering {
  std::vector<Point> Points; ///< by position; 0 is no position
  std::vector<Loop> Loops;
};

struct Event {
  uint32_t Position;
  uint32_t Context; ///< where in the program's loops, see LaneTrace
  uint64_t Address;
};

/// The events of one thread, in the order in which they happened.
struct LaneTrace {
  std::vector<Event> Events;
  /// Context C is Path[Starts[C] .. Starts[C + 1]): the header's position and
  /// the iteration of each loop, from the outermost inwards.
  std::vector<uint32_t> Starts, Path;

  void clear();
  std::span<const uint32_t> context(uint32_t Number) const;
};

/// Which of two events of a warp comes first. Equal: they are one request.
std::strong_ordering order(const LaneTrace &A, const Event &EventA,
                           const LaneTrace &B, const Event &EventB);

} // namespace warpwise::oracle

#endif // WARPWISE_TEST_ORACLE_TRACE_H

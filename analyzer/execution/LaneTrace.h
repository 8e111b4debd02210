//===- LaneTrace.h - What a run of a kernel leaves behind -------*- C++ -*-===//
//
// The numbering of a kernel's memory accesses and loops, and the events that
// its threads record. Positions rise along every path through the kernel, with
// the blocks of a loop together; so an event's loop iterations and position
// tell which events of two lanes belong to the same request of the warp.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EXECUTION_LANETRACE_H
#define WARPWISE_ANALYZER_EXECUTION_LANETRACE_H

#include "analyzer/model/AccessModel.h"
#include "profiler/warp/WarpCost.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpwise::execution {

/// What is at a position.
struct Point {
  enum class Kind { Other, Access, Barrier } What = Kind::Other;
  /// The kernel's mangled name, empty outside of kernels.
  std::string Kernel;
  /// The locations of the instruction and of the calls it was inlined through.
  std::string Place;
  /// The innermost of them.
  access::Place Where;
  access::Operation Op = access::Operation::Load;
  unsigned Bytes = 0;
  int32_t Loop = -1;    ///< innermost, an index into Numbering::Loops
  bool Private = false; ///< an access to a variable of the thread
  bool PastL1 = false;  ///< a load, see goesPastL1()
};

struct Loop {
  int32_t Parent = -1;
  uint32_t Header = 0; ///< the position of its header
};

/// The positions and loops of all kernels of a module.
struct Numbering {
  std::vector<Point> Points; ///< by position; 0 is no position
  std::vector<Loop> Loops;
  uint64_t FrameBytes = 0; ///< of a thread's private variables
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

/// The lanes that make one request together, and their addresses.
struct LaneSet {
  uint32_t Active = 0;
  warp::LaneAddresses Addresses{};
};

/// Puts the events of a warp's lanes together into requests and calls \p Then
/// with the position of each. False when events came in an order that the
/// numbering does not allow.
bool forEachRequest(
    std::span<const LaneTrace *const> Lanes,
    llvm::function_ref<void(uint32_t Position, const LaneSet &Request)> Then);

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_LANETRACE_H

//===- LaneStack.h - Threads that stop half-way -----------------*- C++ -*-===//
//
// A thread of a kernel that has filled its buffer stops in the middle and goes
// on later. All of them run on one stack: what a stopped thread has there is
// copied away, a few hundred bytes, and back to the same place. Thousands of
// stopped threads then cost no more than that.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_LANESTACK_H
#define WARPWISE_ANALYZER_REUSE_TRACE_LANESTACK_H

#include "analyzer/reuse/lanecode/LaneCode.h"

#include <vector>

namespace warpwise::reuse {

/// What a stopped thread had on the stack and in registers. Empty before it
/// begins.
using LaneFrame = std::vector<char>;

class LaneStack {
public:
  /// \p FrameBytes: of a thread's private arrays.
  LaneStack(const LaneCode &Code, uint64_t FrameBytes);
  ~LaneStack();
  LaneStack(const LaneStack &) = delete;
  LaneStack &operator=(const LaneStack &) = delete;

  enum class Outcome {
    Ended,
    Stopped,
    /// Stopped with everything as it was the last time: the thread, which sees
    /// nothing but constant memory, will do so forever.
    Repeats
  };
  /// Begins a thread or lets it go on, until its buffer is full or it ends. The
  /// thread's registers count when it begins, Next and Limit each time.
  Outcome run(void **Arguments, LaneFrame &Frame);

private:
  const LaneCode &Code;
  const size_t Bytes;
  char *Begin = nullptr;
  void **Arguments = nullptr;
  bool Ended = false;

  static void enter(LaneStack *Self);
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_LANESTACK_H

//===- Interrupt.h - What Ctrl-C leaves behind: nothing ---------*- C++ -*-===//
//
// Measuring stops at once, wherever it is, and temporary files go away with it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_INTERRUPT_H
#define WARPWISE_PROFILER_TOOL_INTERRUPT_H

#include <string>

namespace warpwise::tool {

/// While it lives, SIGINT and SIGTERM end the program with the sentence that no
/// profile was written and the status 128 + signal. Temporary files of this
/// process and its children go into a folder (TMPDIR) that is removed at the
/// end, whichever it is. One at a time.
class Interruptible {
public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible &) = delete;
  Interruptible &operator=(const Interruptible &) = delete;

private:
  std::string Folder; ///< empty when there could not be one
};

/// Keeps signals away from the moment in which the profile is replaced; after
/// it they end the program without a word.
class IgnoreSignals {
public:
  IgnoreSignals();
  ~IgnoreSignals();
  IgnoreSignals(const IgnoreSignals &) = delete;
  IgnoreSignals &operator=(const IgnoreSignals &) = delete;
};

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_INTERRUPT_H

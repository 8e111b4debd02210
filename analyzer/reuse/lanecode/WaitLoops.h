//===- WaitLoops.h - Loops that wait for other threads ----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_LANECODE_WAITLOOPS_H
#define WARPWISE_ANALYZER_REUSE_LANECODE_WAITLOOPS_H

namespace llvm {
class Function;
}

namespace warpwise::reuse {

/// Lets loops that do nothing but ask the same memory again, until another
/// thread has written what they wait for, end after their first round: locks,
/// flags, barriers of the grid, and sums by compare-and-swap. How often they
/// ask depends on time alone.
void endWaitLoops(llvm::Function &F);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LANECODE_WAITLOOPS_H

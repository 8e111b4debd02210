//===- ExpandCalls.h - Accesses that are calls or assembly ------*- C++ -*-===//
//
// Kernels access memory through inline assembly, asynchronous copies and matrix
// fragments too. What is understood of that becomes loads, stores and atomics;
// the rest is found and named, so that no traffic gets lost in silence.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_EXPANDCALLS_H
#define WARPWISE_ANALYZER_LOWERING_EXPANDCALLS_H

#include <string>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace warpwise::lowering {

/// Rewrites the kernel \p F. Loads and stores of memory that pass L1 by are
/// marked as such from here on; see goesPastL1().
void expandMemoryCalls(llvm::Function &F);

/// What in the optimised kernel \p F may access global memory without being
/// understood: "inline assembly 'cp.async.bulk...'"; empty for nothing.
std::string unknownMemoryCall(const llvm::Function &F);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_EXPANDCALLS_H

//===- BulkCopies.h - Copies that the hardware makes ------------*- C++ -*-===//
//
// From compute capability 9.0 one thread starts a copy of many bytes from
// global to shared memory (cp.async.bulk, and cp.async.bulk.tensor by the map
// of a tensor; PTX ISA 8.0). They are assembly, and no accesses of the model.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_BULKCOPIES_H
#define WARPWISE_ANALYZER_LOWERING_BULKCOPIES_H

#include <cstdint>
#include <vector>

namespace llvm {
class CallInst;
class Function;
class GlobalVariable;
} // namespace llvm

namespace warpwise::lowering {

struct BulkCopy {
  const llvm::CallInst *Call = nullptr;
  /// The array that it fills, or null. By the map of a tensor it lies there one
  /// row right after the other, or swizzled, and never with room between.
  const llvm::GlobalVariable *Into = nullptr;
  bool IsTensor = false;
  /// What the code says, else all of the array; 0: neither is known.
  uint64_t Bytes = 0;
};

/// Those that bring something into shared memory.
std::vector<BulkCopy> bulkCopies(const llvm::Function &F);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_BULKCOPIES_H

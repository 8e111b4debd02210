//===- StaticShared.h - Shared memory with a fixed size ---------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_STATICSHARED_H
#define WARPWISE_ANALYZER_LOWERING_STATICSHARED_H

#include <cstdint>

namespace llvm {
class Function;
}

namespace warpwise::lowering {

/// Bytes of the variables in shared memory that \p Kernel itself uses, without
/// the dynamic part. What it calls has to be inlined.
uint64_t staticSharedBytes(const llvm::Function &Kernel);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_STATICSHARED_H

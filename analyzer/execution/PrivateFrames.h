//===- PrivateFrames.h - Memory for a thread's own variables ----*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EXECUTION_PRIVATEFRAMES_H
#define WARPWISE_ANALYZER_EXECUTION_PRIVATEFRAMES_H

#include <cstdint>
#include <optional>

namespace llvm {
class Module;
}

namespace warpwise::execution {

/// The size of a thread's private memory on every GPU.
inline constexpr uint64_t MostFrameBytes = 512 << 10;

/// Moves the private variables of \p M's kernels, which instrument() left on
/// the stack, to memory of their own, so that nothing else is near them.
/// Returns how much of it a thread needs; nothing when that is more than a GPU
/// has, or unknown.
std::optional<uint64_t> movePrivateVariables(llvm::Module &M);

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_PRIVATEFRAMES_H

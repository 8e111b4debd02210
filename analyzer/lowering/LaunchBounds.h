//===- LaunchBounds.h - What a kernel is compiled for -----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_LAUNCHBOUNDS_H
#define WARPWISE_ANALYZER_LOWERING_LAUNCHBOUNDS_H

#include <cstdint>
#include <optional>

namespace llvm {
class Function;
}

namespace warpwise::lowering {

/// The __launch_bounds__ of a kernel; unset: it has none of that.
struct LaunchBounds {
  std::optional<uint64_t> Threads; ///< most of a block
  std::optional<uint64_t> Blocks;  ///< least on an SM
};

/// As Clang notes them beside \p Kernel's IR.
LaunchBounds launchBoundsOf(const llvm::Function &Kernel);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_LAUNCHBOUNDS_H

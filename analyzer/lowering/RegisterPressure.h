//===- RegisterPressure.h - Whether registers may run out -------*- C++ -*-===//
//
// How many registers a kernel gets is nvcc's to say. Asking it takes seconds,
// so it is asked only about kernels that may want more than they can have.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_REGISTERPRESSURE_H
#define WARPWISE_ANALYZER_LOWERING_REGISTERPRESSURE_H

namespace llvm {
class Function;
}

namespace warpwise::lowering {

/// Words of 32 bits that are alive at the same time in the canonical \p Kernel,
/// at most; private arrays count as if all of them were in registers. About
/// what nvcc comes to, which reorders instructions.
unsigned registersWanted(const llvm::Function &Kernel);

/// Registers that a thread of \p Kernel can have, by its __launch_bounds__ and
/// the architecture's 65536 of an SM and 255 of a thread.
unsigned registersAllowed(const llvm::Function &Kernel);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_REGISTERPRESSURE_H

//===- MathCalls.h - What calls into CUDA's math library do -----*- C++ -*-===//
//
// Clang turns sinf(x) into a call of __nv_sinf, a function of NVIDIA's library.
// Nothing here needs its body, but two things matter: that the call touches no
// memory, and, for the integer functions found in indices, what it computes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_MATHCALLS_H
#define WARPWISE_ANALYZER_FRONTEND_MATHCALLS_H

namespace llvm {
class Module;
}

namespace warpwise::frontend {

/// Replaces calls of "__nv_" functions that LLVM has an intrinsic or a plain
/// instruction for (__nv_min, __nv_mul24, __nv_floorf ...) and marks all others
/// as free of side effects. The two calls that one with two results becomes
/// (__nv_sincos) carry the attribute "warpwise-one-of-two".
void describeMathCalls(llvm::Module &Module);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_MATHCALLS_H

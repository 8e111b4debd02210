//===- Admission.h - What may run in this process ---------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EXECUTION_ADMISSION_H
#define WARPWISE_ANALYZER_EXECUTION_ADMISSION_H

#include <cstdint>
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace warpwise::execution {

/// The largest value that is loaded or stored at once.
inline constexpr uint64_t MostValueBytes = 4096;

/// Whether the host can do what the intrinsic \p F does.
bool runsOnHost(const llvm::Function &F);

/// Takes from the functions and variables of \p M whatever a source can say
/// about how they are compiled and linked (sections, calling conventions, no
/// prologue, instrumentation ...), and has them check the stack's end.
void stripForHost(llvm::Module &M);

/// Looks at a module before code is generated from it, and names what it must
/// not contain: calls of anything but our own entry points, known mathematics
/// and plain intrinsics, jumps to addresses, types that the code generator
/// cannot cope with. Empty when there is nothing.
std::string findInadmissible(const llvm::Module &M);

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_ADMISSION_H

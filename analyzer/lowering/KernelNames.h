//===- KernelNames.h - What kernels are called ------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_KERNELNAMES_H
#define WARPWISE_ANALYZER_LOWERING_KERNELNAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace warpwise::lowering {

/// The name that nvcc gives the kernel whose symbol is \p Symbol in Clang's IR
/// or mangling. Clang marks internal linkage in it, as "_ZL" in front or as
/// "__static__" and a hash at the end; nvcc does not.
std::string linkerName(llvm::StringRef Symbol);

/// "void mnf::scale<float>(float*)" -> "mnf::scale".
std::string templateName(llvm::StringRef Demangled);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_KERNELNAMES_H

//===- HostMath.h - Mathematics of this process -----------------*- C++ -*-===//
//
// The functions of mathematics that compiled kernels reach, all of them: pure
// functions of numbers, whatever they are given.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EXECUTION_HOSTMATH_H
#define WARPWISE_ANALYZER_EXECUTION_HOSTMATH_H

#include "analyzer/execution/HostCalls.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class FunctionType;
}

namespace warpwise::execution {

struct MathFunction {
  const char *Name; ///< libdevice's, without "__nv_"
  /// Result and parameters: f, d, i and l for float, double, and integers of
  /// 32 and 64 bits.
  const char *Types;
  void *Address;

  /// Whether a declaration with type \p T means this function.
  bool has(const llvm::FunctionType &T) const;
};

llvm::ArrayRef<MathFunction> mathFunctions();

/// The symbol that compiled kernels call \p F by.
std::string mathSymbol(const MathFunction &F);

/// libdevice's \p Name, without "__nv_"; null for one that is not known.
const MathFunction *findMath(llvm::StringRef Name);

/// What LLVM's code generator calls where the machine has no instruction, by
/// the names that it uses.
llvm::ArrayRef<HostCall> generatedCalls();

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_HOSTMATH_H

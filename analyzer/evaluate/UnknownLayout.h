//===- UnknownLayout.h - Indices of which any may be fast -------*- C++ -*-===//
//
// Data[I * StrideI + J * StrideJ] is what a matrix looks like that may lie by
// rows or by columns. One of the strides is likely 1, and nobody here knows
// which.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_UNKNOWNLAYOUT_H
#define WARPWISE_ANALYZER_EVALUATE_UNKNOWNLAYOUT_H

#include <vector>

namespace llvm {
class Value;
}

namespace warpwise::access {

/// The strides that the kernel is given, arguments or members of such, when
/// every index behind \p Pointer that differs between threads or rounds has one
/// and no stride contains all others (as the rows of a page contain its
/// columns); else none.
std::vector<const llvm::Value *> openStrides(const llvm::Value *Pointer);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_UNKNOWNLAYOUT_H

//===- UnknownLayout.h - Indices of which any may be fast -------*- C++ -*-===//
//
// Data[I * StrideI + J * StrideJ] is what a matrix looks like that may lie by
// rows or by columns. One of the strides is likely 1, and nobody here knows
// which.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_UNKNOWNLAYOUT_H
#define WARPWISE_ANALYZER_EVALUATE_UNKNOWNLAYOUT_H

namespace llvm {
class Value;
}

namespace warpwise::access {

/// True when every index behind \p Pointer that differs between threads or
/// rounds has a stride that the kernel is given, and no stride contains all
/// others (as the rows of a page contain its columns).
bool isLayoutUnknown(const llvm::Value *Pointer);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_UNKNOWNLAYOUT_H

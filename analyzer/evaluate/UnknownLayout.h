//===- UnknownLayout.h - Indices of which any may be fast -------*- C++ -*-===//
//
// Data[I * StrideI + J * StrideJ] is what a matrix looks like that may lie by
// rows or by columns. One of the strides is likely 1, and nobody here knows
// which. Nor does anybody know how far the windows of a convolution move on, or
// the elements of a vector.
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

/// The given steps that are a few elements, and no pitch; how many nobody here
/// knows. Of Data[Y * Width + X * Step + I] that is Step, where the kernel
/// keeps X * Step within Width, as the windows of a convolution are. Of Data[I
/// * Step] it is Step where the kernel only multiplies with it: the increment
/// of a vector, as the BLAS take it, which is 1 as a rule; or Step + 1, of a
/// diagonal, which lies apart for good.
std::vector<const llvm::Value *> shortSteps(const llvm::Value *Pointer);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_UNKNOWNLAYOUT_H

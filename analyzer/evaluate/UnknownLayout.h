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

/// The steps that the kernel is given and that are likely no pitch; how long
/// they are nobody here knows. Of Data[Y * Width + X * Step + I] that is Step
/// where the kernel keeps X * Step within Width: windows of a convolution are a
/// few elements apart. Of Data[X * Step] it is Step where the kernel does
/// nothing else with it: the increment of a vector, as the BLAS take it, is 1
/// as a rule. And of Data[X * (Step + 1)]: no order of X brings a diagonal
/// together.
std::vector<const llvm::Value *> shortSteps(const llvm::Value *Pointer);

/// What the kernel is given, constants apart, and multiplies with something
/// that differs from thread to thread of a block on the way to \p Pointer: how
/// far lanes lie apart.
std::vector<const llvm::Value *> laneStrides(const llvm::Value *Pointer);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_UNKNOWNLAYOUT_H

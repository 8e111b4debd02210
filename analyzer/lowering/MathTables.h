//===- MathTables.h - Tables that mathematical functions read ---*- C++ -*-===//
//
// nvcc's sin and cos of a double look up the coefficients of one of two
// polynomials, for odd and for even quadrants, in a table in global memory:
// requests at the line of the call that profilers count.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_MATHTABLES_H
#define WARPWISE_ANALYZER_LOWERING_MATHTABLES_H

namespace llvm {
class Function;
}

namespace warpwise::lowering {

/// Loads what the calls of __nv_sin, __nv_cos, __nv_sinpi and __nv_cospi in the
/// kernel \p F load, in front of them. Nothing uses the results: the calls stay
/// what they are.
void showMathTables(llvm::Function &F);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_MATHTABLES_H

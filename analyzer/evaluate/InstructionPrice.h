//===- InstructionPrice.h - What an IR instruction becomes ------*- C++ -*-===//
//
// By itself, as nvcc mostly compiles it: what lies around an instruction, such
// as a loop that is unrolled, is BlockSchedule's business.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_INSTRUCTIONPRICE_H
#define WARPWISE_ANALYZER_EVALUATE_INSTRUCTIONPRICE_H

#include "analyzer/model/AccessModel.h"

namespace llvm {
class Instruction;
}

namespace warpwise::access {

/// What an instruction becomes: how many on which pipe, and how many results
/// one after the other.
struct Price {
  Pipe Where = Pipe::Integer;
  float Count = 1;
  float Steps = 1;
  /// Of other pipes in addition; Others are none that is short of units.
  float Special = 0, Others = 0;
};

constexpr Price Free{Pipe::Integer, 0, 0};

/// Of an address the step that computes it; \p I may turn out to cost less
/// where it stands.
Price priceOf(const llvm::Instruction &I);

/// Whether the one instruction that uses \p I takes it up: a sum a product, or
/// sums and logic of three numbers.
bool isFused(const llvm::Instruction &I);

/// Whether nvcc makes of \p I a branch around what few numbers need: a precise
/// quotient or root, most functions of doubles. It moves no load over it.
bool hasSlowPath(const llvm::Instruction &I);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_INSTRUCTIONPRICE_H

//===- LaneArithmetic.h - Integer and float steps on 32 lanes ---*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_LANEARITHMETIC_H
#define WARPWISE_ANALYZER_EVALUATE_LANEARITHMETIC_H

#include "analyzer/evaluate/LaneValue.h"
#include "analyzer/evaluate/Program.h"

namespace warpwise::access {

/// True for the codes that evaluate() knows: those that compute each lane from
/// the same lane of the operands.
bool isLanewise(Code What);

/// Carries out a lanewise step. \p B and \p C may be null where the code has
/// fewer operands. A lane of the result is unknown when it depends on an
/// unknown lane of an operand: "false && unknown" is known. \p Result is none
/// of the operands.
void evaluate(const Step &S, const LaneValue &A, const LaneValue *B,
              const LaneValue *C, LaneValue &Result);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_LANEARITHMETIC_H

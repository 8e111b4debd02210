//===- Arithmetic.h - What operators make of values -------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_ARITHMETIC_H
#define WARPWISE_ANALYZER_LAUNCH_ARITHMETIC_H

#include "analyzer/launch/Value.h"

#include "clang/AST/Expr.h"
#include "clang/AST/OperationKinds.h"
#include "clang/AST/Type.h"

#include <cstdint>
#include <optional>

namespace warpwise::launch {

/// Integer, real and comparison operators. \p Type is the operands' common
/// type, \p Result that of the expression.
Value applyBinary(clang::ASTContext &Context, clang::BinaryOperatorKind Op,
                  const Value &Left, const Value &Right, clang::QualType Type,
                  clang::QualType Result);

/// The least integer that is not less than the real number \p Its.
SharedQuotient roundUp(const SharedQuotient &Its);

/// What is known of an operand of type \p Type whose comparison \p Op with
/// \p With holds, or not. Nothing for other operators and types.
std::optional<Limits> findLimits(const clang::ASTContext &Context,
                                 clang::BinaryOperatorKind Op, bool Holds,
                                 int64_t With, clang::QualType Type);

/// The low 64 bits of \p V: values of the type uint64_t from 2^63 on are
/// negative ones here.
int64_t wrapTo64(const llvm::APSInt &V);

/// \p V as the type's width and sign hold it.
int64_t wrapInteger(const clang::ASTContext &Context, int64_t V,
                    clang::QualType Type);

/// What the integer constant \p E comes to, as wrapTo64 has it; nothing for
/// null and for all that is none.
std::optional<int64_t> constantOf(const clang::Expr *E,
                                  const clang::ASTContext &Context);

/// Whether the value is true; empty when it is not known.
std::optional<bool> holdsTrue(const Value &V);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_ARITHMETIC_H

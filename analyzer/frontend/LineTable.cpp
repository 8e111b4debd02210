//===- LineTable.cpp - Where nvcc says that code stands -------------------===//

#include "analyzer/frontend/LineTable.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace warpwise::frontend {
namespace {

constexpr unsigned MostDepth = 64;

/// True for what nvcc's parser has replaced by a number, with the place where
/// it began.
bool isFolded(const Expr &E, const ASTContext &Context) {
  if (E.isValueDependent() || E.isTypeDependent() || E.containsErrors() ||
      !E.isPRValue() || !E.getType()->isIntegralOrEnumerationType())
    return false;
  Expr::EvalResult Ignored;
  return E.EvaluateAsInt(Ignored, Context);
}

/// The operand of \p E that is evaluated last, or null for one that is none or
/// that a call makes.
const Expr *lastOperand(const Expr &E) {
  if (const auto *Inner = dyn_cast<ParenExpr>(&E))
    return Inner->getSubExpr();
  if (const auto *Cast = dyn_cast<CastExpr>(&E))
    return Cast->getSubExpr();
  if (const auto *Whole = dyn_cast<FullExpr>(&E))
    return Whole->getSubExpr();
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(&E))
    return Temporary->getSubExpr();
  if (const auto *Unary = dyn_cast<UnaryOperator>(&E))
    return Unary->getSubExpr();
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(&E))
    return Subscript->getRHS();
  if (const auto *Binary = dyn_cast<BinaryOperator>(&E))
    return Binary->isAssignmentOp() ? Binary->getLHS() : Binary->getRHS();
  if (const auto *Either = dyn_cast<ConditionalOperator>(&E))
    return Either->getFalseExpr();
  if (const auto *Member = dyn_cast<MemberExpr>(&E))
    return Member->isImplicitAccess() ? nullptr : Member->getBase();
  if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(&E))
    return Member->isImplicitAccess() ? nullptr : Member->getBase();
  return nullptr;
}

} // namespace

SourceLocation lineTableLocation(const Expr &Accessed,
                                 const ASTContext &Context) {
  const Expr *At = &Accessed;
  // Whether it is folded is asked at each step, and takes as long as it is
  // deep.
  for (unsigned Depth = 0; Depth != MostDepth && !isFolded(*At, Context);
       ++Depth) {
    const Expr *Last = lastOperand(*At);
    if (!Last)
      break;
    At = Last;
  }
  return At->getBeginLoc();
}

} // namespace warpwise::frontend

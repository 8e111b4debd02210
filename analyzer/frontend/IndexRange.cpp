//===- IndexRange.cpp -----------------------------------------------------===//

#include "analyzer/frontend/IndexRange.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace clang;

namespace warpwise::frontend {

/// Deeper expressions are not looked into.
static constexpr unsigned DeepestExpression = 32;

/// Beyond it nothing is an index, and sums and products cannot overflow.
static constexpr int64_t Huge = int64_t(1) << 31;

static std::optional<Range> within(int64_t Low, int64_t High) {
  if (Low > High || Low < -Huge || High > Huge)
    return std::nullopt;
  return Range{Low, High};
}

IndexRanges::IndexRanges(const ASTContext &Context, const Stmt &Body,
                         const std::array<uint32_t, 3> &MostThreads)
    : Context(Context), MostThreads(MostThreads) {
  collect(&Body, nullptr);
}

void IndexRanges::collect(const Stmt *S, const Stmt *Parent) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(S)) {
    const auto *Read = dyn_cast_or_null<ImplicitCastExpr>(Parent);
    const bool IsRead = Read && Read->getCastKind() == CK_LValueToRValue;
    if (const auto *V = dyn_cast<VarDecl>(Use->getDecl()); V && !IsRead)
      Changes[V].push_back(Use);
  }
  if (const auto *Loop = dyn_cast<ForStmt>(S))
    if (const auto *Init = dyn_cast_or_null<DeclStmt>(Loop->getInit()))
      for (const Decl *D : Init->decls())
        if (const auto *V = dyn_cast<VarDecl>(D))
          LoopOf[V] = Loop;
  for (const Stmt *Child : S->children())
    if (Child)
      collect(Child, isa<ParenExpr>(S) ? Parent : S);
}

std::optional<unsigned> builtinAxis(const Expr *E, llvm::StringRef Builtin) {
  const Expr *Base = nullptr;
  llvm::StringRef Axis;
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    E = Pseudo->getSyntacticForm()->IgnoreParens();
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(E)) {
    Base = Property->getBaseExpr();
    Axis = Property->getPropertyDecl()->getName();
  } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    Base = Member->getBase();
    if (const IdentifierInfo *Name = Member->getMemberDecl()->getIdentifier())
      Axis = Name->getName();
  }
  // The base of a property is evaluated once and named from there on.
  if (Base)
    if (const auto *Once =
            dyn_cast<OpaqueValueExpr>(Base->IgnoreParenImpCasts()))
      Base = Once->getSourceExpr();
  const auto *Variable =
      Base ? dyn_cast<DeclRefExpr>(Base->IgnoreParenImpCasts()) : nullptr;
  if (!Variable || Axis.size() != 1 || Axis[0] < 'x' || Axis[0] > 'z' ||
      !Variable->getDecl()->getIdentifier() ||
      Variable->getDecl()->getName() != Builtin ||
      !Variable->getDecl()
           ->getDeclContext()
           ->getRedeclContext()
           ->isTranslationUnit())
    return std::nullopt;
  return unsigned(Axis[0] - 'x');
}

std::optional<Range> IndexRanges::of(const Expr *E, unsigned Depth) {
  if (Depth > DeepestExpression || E->isInstantiationDependent())
    return std::nullopt;
  const auto Found = compute(E, Depth);
  // What its type has no room for wraps.
  const QualType Type = E->getType();
  if (!Found || !Type->isIntegralOrEnumerationType())
    return std::nullopt;
  const uint64_t Bits = Context.getIntWidth(Type);
  const bool IsSigned = Type->isSignedIntegerOrEnumerationType();
  if (!IsSigned && Found->Low < 0)
    return std::nullopt;
  if (Bits < 63 && Found->High >= (int64_t(1) << (IsSigned ? Bits - 1 : Bits)))
    return std::nullopt;
  if (Bits < 63 && Found->Low < -(int64_t(1) << (Bits - 1)))
    return std::nullopt;
  return Found;
}

std::optional<Range> IndexRanges::compute(const Expr *E, unsigned Depth) {
  E = E->IgnoreParens();
  if (E->getType()->isIntegralOrEnumerationType() && !E->isValueDependent()) {
    Expr::EvalResult Value;
    if (E->EvaluateAsInt(Value, Context) &&
        Value.Val.getInt().isRepresentableByInt64())
      return within(Value.Val.getInt().getExtValue(),
                    Value.Val.getInt().getExtValue());
  }
  if (const auto Axis = builtinAxis(E, "threadIdx"))
    return Range{0, int64_t(MostThreads[*Axis]) - 1};
  if (const auto Axis = builtinAxis(E, "blockDim"))
    return Range{1, int64_t(MostThreads[*Axis])};
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    switch (Cast->getCastKind()) {
    case CK_LValueToRValue:
    case CK_IntegralCast:
    case CK_NoOp:
      return of(Cast->getSubExpr(), Depth + 1);
    default:
      return std::nullopt;
    }
  }
  if (const auto *Use = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Use->getDecl());
    return V ? ofVariable(V, Depth + 1) : std::nullopt;
  }
  if (const auto *Substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return of(Substituted->getReplacement(), Depth + 1);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    const auto A = of(Choice->getTrueExpr(), Depth + 1);
    const auto B = of(Choice->getFalseExpr(), Depth + 1);
    if (!A || !B)
      return std::nullopt;
    return Range{std::min(A->Low, B->Low), std::max(A->High, B->High)};
  }
  if (const auto *Minus = dyn_cast<UnaryOperator>(E);
      Minus && Minus->getOpcode() == UO_Minus) {
    const auto A = of(Minus->getSubExpr(), Depth + 1);
    return A ? within(-A->High, -A->Low) : std::nullopt;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return ofBinary(B, Depth + 1);
  return std::nullopt;
}

std::optional<Range> IndexRanges::ofBinary(const BinaryOperator *B,
                                           unsigned Depth) {
  const auto L = of(B->getLHS(), Depth), R = of(B->getRHS(), Depth);
  switch (B->getOpcode()) {
  case BO_Rem: // whatever is divided, if it is not negative
    if (!R || R->Low <= 0)
      return std::nullopt;
    if (L && L->Low >= 0)
      return Range{0, std::min(L->High, R->High - 1)};
    if (B->getLHS()->getType()->isUnsignedIntegerOrEnumerationType())
      return Range{0, R->High - 1};
    return Range{-(R->High - 1), R->High - 1};
  case BO_And: // one operand that is not negative is enough
    if (L && L->Low >= 0)
      return Range{0, R && R->Low >= 0 ? std::min(L->High, R->High) : L->High};
    if (R && R->Low >= 0)
      return Range{0, R->High};
    return std::nullopt;
  default:
    break;
  }
  if (!L || !R)
    return std::nullopt;
  switch (B->getOpcode()) {
  case BO_Add:
    return within(L->Low + R->Low, L->High + R->High);
  case BO_Sub:
    return within(L->Low - R->High, L->High - R->Low);
  case BO_Mul: {
    // At most 2^31 each.
    const auto [Low, High] = std::minmax({L->Low * R->Low, L->Low * R->High,
                                          L->High * R->Low, L->High * R->High});
    return within(Low, High);
  }
  case BO_Div:
    if (L->Low < 0 || R->Low <= 0)
      return std::nullopt;
    return Range{L->Low / R->High, L->High / R->Low};
  case BO_Shr:
    if (L->Low < 0 || R->Low < 0 || R->High > 31)
      return std::nullopt;
    return Range{L->Low >> R->High, L->High >> R->Low};
  case BO_Shl:
    if (L->Low < 0 || R->Low < 0 || R->High > 31)
      return std::nullopt;
    return within(L->Low << R->Low, L->High << R->High);
  case BO_Or:
  case BO_Xor:
    if (L->Low < 0 || R->Low < 0)
      return std::nullopt;
    return Range{
        0,
        int64_t(llvm::NextPowerOf2(uint64_t(std::max(L->High, R->High)))) - 1};
  default:
    return std::nullopt;
  }
}

std::optional<Range> IndexRanges::ofVariable(const VarDecl *V, unsigned Depth) {
  if (!V->isLocalVarDecl() || V->isStaticLocal() || !V->hasInit() ||
      !V->getType()->isIntegralOrEnumerationType() ||
      V->getType().isVolatileQualified())
    return std::nullopt;
  const auto At = Changes.find(V);
  if (At == Changes.end())
    return of(V->getInit(), Depth);
  const auto Loop = LoopOf.find(V);
  if (At->second.size() != 1 || Loop == LoopOf.end())
    return std::nullopt;
  return ofCounter(V, Loop->second, Depth);
}

static bool reads(const Expr *E, const VarDecl *V) {
  const auto *Use = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Use && Use->getDecl() == V;
}

/// Inside the body of \p Loop, whose increment is the only thing that changes
/// \p V.
std::optional<Range>
IndexRanges::ofCounter(const VarDecl *V, const ForStmt *Loop, unsigned Depth) {
  const Expr *Step = Loop->getInc();
  const auto *Test = dyn_cast_or_null<BinaryOperator>(Loop->getCond());
  if (!Step || !Test || !reads(Test->getLHS(), V))
    return std::nullopt;
  // Declared in another part than the condition and body see it changed.
  const Expr *Change = Changes.find(V)->second.front();
  Step = Step->IgnoreParens();
  const auto Begin = of(V->getInit(), Depth);
  const auto Limit = of(Test->getRHS(), Depth);
  if (!Begin || !Limit)
    return std::nullopt;
  int64_t Stride = 1; // of one that rises by a constant
  const auto Rises = [&] {
    if (const auto *Unary = dyn_cast<UnaryOperator>(Step))
      return Unary->isIncrementOp() &&
             Unary->getSubExpr()->IgnoreParens() == Change;
    const auto *Add = dyn_cast<CompoundAssignOperator>(Step);
    if (!Add || Add->getLHS()->IgnoreParens() != Change)
      return false;
    const auto By = of(Add->getRHS(), Depth);
    if (Add->getOpcode() != BO_AddAssign || !By || By->Low <= 0)
      return false;
    if (By->Low == By->High && Begin->Low == Begin->High)
      Stride = By->Low;
    return true;
  };
  const auto Falls = [&] {
    // Below zero an unsigned counter goes on at the other end.
    const bool MayWrap = V->getType()->isUnsignedIntegerOrEnumerationType();
    if (MayWrap && Test->getOpcode() == BO_GE && Limit->Low <= 0)
      return false;
    if (const auto *Unary = dyn_cast<UnaryOperator>(Step))
      return Unary->isDecrementOp() &&
             Unary->getSubExpr()->IgnoreParens() == Change;
    const auto *Assign = dyn_cast<CompoundAssignOperator>(Step);
    if (!Assign || Assign->getLHS()->IgnoreParens() != Change)
      return false;
    const auto By = of(Assign->getRHS(), Depth);
    if (!By || By->Low <= 0 || Begin->Low < 0)
      return false;
    return (Assign->getOpcode() == BO_SubAssign && !MayWrap) ||
           Assign->getOpcode() == BO_ShrAssign ||
           (Assign->getOpcode() == BO_DivAssign && By->Low > 1);
  };
  const auto upTo = [&](int64_t Last) {
    if (Last < Begin->Low)
      return within(Begin->Low, Begin->Low); // never runs
    return within(Begin->Low,
                  Begin->Low + (Last - Begin->Low) / Stride * Stride);
  };
  switch (Test->getOpcode()) {
  case BO_LT:
    return Rises() ? upTo(Limit->High - 1) : std::nullopt;
  case BO_LE:
    return Rises() ? upTo(Limit->High) : std::nullopt;
  case BO_GT:
    return Falls() ? within(Limit->Low + 1, Begin->High) : std::nullopt;
  case BO_GE:
    return Falls() ? within(Limit->Low, Begin->High) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace warpwise::frontend

//===- ConditionLimits.cpp - What a side of a condition rules out ---------===//

#include "analyzer/launch/ConditionLimits.h"

#include "analyzer/launch/Arithmetic.h"
#include "analyzer/launch/HostEvaluator.h"

using namespace clang;

namespace warpwise::launch {

namespace {

/// Places are looked up and constants computed, nothing else: the condition has
/// had its effects.
class Limiter {
public:
  explicit Limiter(HostEvaluator &Evaluator) : Evaluator(Evaluator) {}

  void limit(const Expr *Condition, bool Holds) const {
    Condition = Condition->IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Condition);
        Cast && Cast->getCastKind() == CK_IntegralToBoolean)
      return limitTo(Cast->getSubExpr(), BO_NE, Holds, 0);
    if (const auto *Read = dyn_cast<ImplicitCastExpr>(Condition);
        Read && Read->getCastKind() == CK_LValueToRValue &&
        Read->getType()->isBooleanType())
      return decide(Read->getSubExpr()->IgnoreParens(), Holds);
    if (const auto *Not = dyn_cast<UnaryOperator>(Condition);
        Not && Not->getOpcode() == UO_LNot)
      return limit(Not->getSubExpr(), !Holds);
    const auto *Op = dyn_cast<BinaryOperator>(Condition);
    if (!Op)
      return;
    if (Op->isLogicalOp())
      return limitBySides(*Op, Holds);
    if (!Op->isComparisonOp() || Op->getOpcode() == BO_Cmp)
      return;
    if (const std::optional<int64_t> With = constant(Op->getRHS()))
      limitTo(Op->getLHS(), Op->getOpcode(), Holds, *With);
    else if (const std::optional<int64_t> Of = constant(Op->getLHS()))
      limitTo(Op->getRHS(),
              BinaryOperator::reverseComparisonOp(Op->getOpcode()), Holds, *Of);
  }

private:
  HostEvaluator &Evaluator;

  /// Both sides of what needs both; the second one where the first does not
  /// decide.
  void limitBySides(const BinaryOperator &Op, bool Holds) const {
    const Expr *Left = Op.getLHS(), *Right = Op.getRHS();
    if ((Op.getOpcode() == BO_LAnd) == Holds) {
      limit(Left, Holds);
      return limit(Right, Holds);
    }
    for (const auto &[Known, Other] : {std::pair(Left, Right), {Right, Left}})
      if (!Known->HasSideEffects(Evaluator.context())) {
        const Value V = Evaluator.evaluate(Known);
        if (!V.Doubts && holdsTrue(V) == !Holds)
          limit(Other, Holds);
      }
  }

  std::optional<int64_t> constant(const Expr *E) const {
    return constantOf(E, Evaluator.context());
  }

  /// What \p E, if it is a flag without a value, is from here on.
  void decide(const Expr *E, bool Holds) const {
    if (!isPlainPlace(E) || E->getType().isVolatileQualified())
      return;
    const Address Place = Evaluator.locate(E);
    constexpr unsigned Bytes = 1;
    if (Place.Object && Place.Offset &&
        !holdsTrue(Evaluator.State.load(Place, Bytes)))
      Evaluator.State.store(Place, Bytes, Value(int64_t(Holds)));
  }

  bool isPlainPlace(const Expr *E) const {
    return isa<DeclRefExpr, MemberExpr>(E) && E->isGLValue() &&
           !E->HasSideEffects(Evaluator.context());
  }

  /// \p E is a variable or a member, or what a division by a constant leaves of
  /// one.
  void limitTo(const Expr *E, BinaryOperatorKind Op, bool Holds,
               int64_t With) const {
    const ASTContext &Context = Evaluator.context();
    const std::optional<Limits> Its =
        findLimits(Context, Op, Holds, With, E->getType());
    if (!Its)
      return;
    const auto *Division = dyn_cast<BinaryOperator>(E->IgnoreParens());
    if (!Division || Division->getOpcode() != BO_Rem)
      return narrow(E, *Its);
    const std::optional<int64_t> By = constant(Division->getRHS());
    if (!By || *By <= 1)
      return;
    Limits Multiple(llvm::ConstantRange::getFull(Its->Range.getBitWidth()));
    if (Its->isZero() == true)
      Multiple.Factor = uint64_t(*By);
    else if (Its->isZero() == false)
      Multiple.NotOf = {uint64_t(*By)};
    narrow(Division->getLHS(), Multiple);
  }

  /// Where conversions lead to a place, what they say of that.
  void narrow(const Expr *E, Limits Its) const {
    for (E = E->IgnoreParens(); const auto *Cast = dyn_cast<CastExpr>(E);
         E = Cast->getSubExpr()->IgnoreParens()) {
      if (Cast->getCastKind() == CK_LValueToRValue ||
          Cast->getCastKind() == CK_NoOp)
        continue;
      const QualType From = Cast->getSubExpr()->getType();
      if (Cast->getCastKind() != CK_IntegralCast || From->isBooleanType())
        return;
      const unsigned Width = Evaluator.context().getIntWidth(From);
      const unsigned Now = Its.Range.getBitWidth();
      const bool WasSigned = From->isSignedIntegerOrEnumerationType();
      const bool IsSigned = Cast->getType()->isSignedIntegerOrEnumerationType();
      // What is negative on one side only is a multiple of other numbers there.
      const bool IsSameNumber =
          WasSigned == IsSigned || (!WasSigned && Width < Now);
      if (Width > Now || !IsSameNumber) {
        Its.Factor = 1;
        Its.NotOf.clear();
      }
      Its = convertBack(Its, Width, WasSigned);
    }
    if (!isPlainPlace(E))
      return;
    const uint64_t Bytes = Its.Range.getBitWidth() / 8;
    Evaluator.State.limit(Evaluator.locate(E), unsigned(Bytes), Its);
  }
};

} // namespace

void limitBy(HostEvaluator &Evaluator, const Expr *Condition, bool Holds) {
  Limiter(Evaluator).limit(Condition, Holds);
}

} // namespace warpwise::launch

//===- HostEvaluator.cpp - Rvalues ----------------------------------------===//
//
// One function per kind of expression. What is not listed here is left to
// Clang's constant evaluator, and what that does not know is unknown.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "analyzer/launch/Arithmetic.h"
#include "analyzer/launch/ConditionLimits.h"
#include "analyzer/launch/Layout.h"
#include "analyzer/launch/RuntimeModel.h"

using namespace clang;

namespace warpwise::launch {

Value HostEvaluator::evaluate(const Expr *E) {
  const ForkNumber Outer = std::exchange(Touched, 0);
  Value V = evaluateKind(E->IgnoreParens());
  // A record's members each have their own.
  if (!V.getRecord())
    V.LostAt = std::max(V.LostAt, Touched);
  Touched = std::max(Outer, V.LostAt);
  return V;
}

Value HostEvaluator::evaluateKind(const Expr *E) {
  // What an error in the host code leaves behind. The launch itself counts,
  // even if one of its arguments is wrong.
  if (E->isTypeDependent() && !isa<CUDAKernelCallExpr>(E)) {
    forgetWritten(E);
    return Value();
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return evaluateReference(Ref);
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (E->isGLValue())
      if (const std::optional<Value> Its = modelExtreme(*this, Call))
        return *Its;
    Value V = call(Call);
    if (!E->isGLValue() && isNamable(V, E->getType()))
      V.Is = unknownFor(Call);
    // A call that returns a reference yields the place.
    if (!E->isGLValue() || V.getFunctions())
      return V;
    const Address *Place = V.getAddress();
    return Place ? load(*Place, E->getType()) : Value();
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(Cast);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(Op);
  if (const auto *Op = dyn_cast<CXXRewrittenBinaryOperator>(E))
    return evaluate(Op->getSemanticForm());
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(Op);
  if (const auto *Op = dyn_cast<AbstractConditionalOperator>(E))
    return evaluateConditional(Op);
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return evaluate(Full->getSubExpr());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(Default->getExpr());
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
    return evaluate(Default->getExpr());
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(Subst->getReplacement());
  if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
    return evaluate(Bound->getSubExpr());
  if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(E))
    return evaluate(List->getSubExpr());
  if (const auto *New = dyn_cast<CXXNewExpr>(E))
    return evaluateNew(New);
  if (isa<CXXThisExpr>(E))
    return Current && Current->This ? Value(*Current->This) : Value();
  if (E->isGLValue()) {
    const Address Place = locate(E);
    Value V = load(Place, E->getType());
    if (!Place.Object && isNamable(V, E->getType()))
      V.Is = unknownFor(E);
    return V;
  }
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
    return evaluateLambda(Lambda);
  if (E->getType()->isRecordType())
    return evaluateRecord(E);
  return evaluateConstant(E);
}

void HostEvaluator::forgetWritten(const Expr *Broken) {
  const Expr *Written = nullptr;
  if (const auto *Op = dyn_cast<BinaryOperator>(Broken);
      Op && Op->isAssignmentOp())
    Written = Op->getLHS();
  else if (const auto *Op = dyn_cast<UnaryOperator>(Broken);
           Op && (Op->getOpcode() == UO_AddrOf || Op->isIncrementDecrementOp()))
    Written = Op->getSubExpr();
  if (Written && !Written->isTypeDependent() && Written->isGLValue() &&
      !Written->getType()->isFunctionType())
    State.forget(locate(Written).Object);
  for (const Stmt *Child : Broken->children()) {
    const auto *E = dyn_cast_or_null<Expr>(Child);
    if (!E)
      continue;
    // Arguments that are not broken themselves have their usual effects.
    if (!E->isTypeDependent() && isa<CallExpr>(E))
      evaluate(E);
    else
      forgetWritten(E);
  }
}

Value HostEvaluator::evaluateConstant(const Expr *E) {
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E))
    return Value(static_cast<int64_t>(
        Literal->getValue().zextOrTrunc(64).getZExtValue()));
  if (const auto *Literal = dyn_cast<FloatingLiteral>(E))
    return Value(Literal->getValueAsApproximateDouble());
  if (const auto *List = dyn_cast<InitListExpr>(E);
      List && List->getNumInits() == 1)
    return evaluate(List->getInit(0));
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr, InitListExpr,
          CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return E->getType()->isRealFloatingType() ? Value(0.0) : Value(int64_t(0));
  const std::optional<int64_t> Constant = constantOf(E, context());
  return Constant ? Value(*Constant) : Value();
}

Value HostEvaluator::evaluateReference(const DeclRefExpr *Ref) {
  const ValueDecl *Decl = Ref->getDecl();
  if (const auto *Function = dyn_cast<FunctionDecl>(Decl))
    return Value(FunctionSet{Function});
  if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(Decl))
    return Value(wrapTo64(Enumerator->getInitVal()));
  return load(locate(Ref), Ref->getType());
}

Value HostEvaluator::evaluateCast(const CastExpr *Cast) {
  const Expr *Sub = Cast->getSubExpr();
  switch (Cast->getCastKind()) {
  case CK_ArrayToPointerDecay: {
    Address Place = locate(Sub);
    return Place.Object ? Value(Place) : Value();
  }
  case CK_NullToPointer:
    return Value(int64_t(0));
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase: {
    if (Cast->getType()->isRecordType())
      return evaluateRecord(Cast);
    Value V = evaluate(Sub);
    const Address *Place = V.getAddress();
    return Place ? Value(locateBase(Cast, *Place), V.Doubts) : V;
  }
  case CK_BaseToDerived:
  case CK_Dependent:
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
    evaluate(Sub);
    return Value();
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingToBoolean:
  case CK_FloatingCast:
  case CK_BooleanToSignedIntegral:
  case CK_PointerToBoolean:
    return convert(evaluate(Sub), Sub->getType(), Cast->getType());
  default:
    return evaluate(Sub);
  }
}

Value HostEvaluator::convert(const Value &V, QualType From, QualType To) {
  if (To->isBooleanType()) {
    std::optional<bool> True = holdsTrue(V);
    return True ? Value(int64_t(*True), V.Doubts) : Value();
  }
  if (const int64_t *Integer = V.getInteger()) {
    if (To->isIntegralOrEnumerationType())
      return Value(wrapInteger(context(), *Integer, To), V.Doubts);
    bool Signed = From->isSignedIntegerOrEnumerationType();
    return Value(Signed ? static_cast<double>(*Integer)
                        : static_cast<double>(static_cast<uint64_t>(*Integer)),
                 V.Doubts);
  }
  if (const double *Real = V.getReal()) {
    if (To->isRealFloatingType())
      return Value(context().getTypeSize(To) == 32
                       ? static_cast<double>(static_cast<float>(*Real))
                       : *Real,
                   V.Doubts);
    // Also false for NaN.
    if (!(*Real > -9.2e18 && *Real < 9.2e18))
      return Value();
    return Value(wrapInteger(context(), static_cast<int64_t>(*Real), To),
                 V.Doubts);
  }
  if (To->isPointerType())
    return V;
  const auto isNumber = [](QualType Type) {
    return Type->isRealFloatingType() ||
           (Type->isIntegralOrEnumerationType() && !Type->isBooleanType());
  };
  const bool AreIntegers = To->isIntegralOrEnumerationType() &&
                           From->isIntegralOrEnumerationType() &&
                           !From->isBooleanType();
  Value Result;
  // A real number that is an integer is rounded already.
  if (V.Is && isNumber(From) && isNumber(To) &&
      (V.Is->By == 1 || To->isIntegralOrEnumerationType() ||
       From->isRealFloatingType()))
    Result.Is = V.Is;
  if (V.Within && AreIntegers) {
    const Limits Now = launch::convert(*V.Within, context().getIntWidth(To),
                                       From->isSignedIntegerOrEnumerationType(),
                                       To->isSignedIntegerOrEnumerationType());
    if (!Now.areOpen())
      Result.Within = std::make_shared<Limits>(Now);
  }
  return Result;
}

Value HostEvaluator::evaluateUnary(const UnaryOperator *Op) {
  if (Op->isIncrementDecrementOp())
    return evaluateIncrement(Op);
  const Expr *Sub = Op->getSubExpr();
  if (Op->getOpcode() == UO_AddrOf) {
    if (Sub->getType()->isFunctionType())
      return evaluate(Sub);
    Address Place = locate(Sub);
    return Place.Object || Place.Offset ? Value(Place) : Value();
  }
  if (Op->getOpcode() == UO_Deref && Op->getType()->isFunctionType())
    return evaluate(Sub);
  if (Op->getOpcode() == UO_Deref)
    return load(locate(Op), Op->getType());
  Value V = evaluate(Sub);
  const int64_t *Integer = V.getInteger();
  const double *Real = V.getReal();
  auto Wrap = [&](uint64_t Result) {
    return Value(
        wrapInteger(context(), static_cast<int64_t>(Result), Op->getType()),
        V.Doubts);
  };
  switch (Op->getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return V;
  case UO_Minus:
    if (Real)
      return Value(-*Real, V.Doubts);
    return Integer ? Wrap(-static_cast<uint64_t>(*Integer)) : Value();
  case UO_Not:
    return Integer ? Wrap(~static_cast<uint64_t>(*Integer)) : Value();
  case UO_LNot: {
    std::optional<bool> True = holdsTrue(V);
    return True ? Value(int64_t(!*True), V.Doubts) : Value();
  }
  default:
    return Value();
  }
}

Value HostEvaluator::evaluateIncrement(const UnaryOperator *Op) {
  QualType Type = Op->getType();
  Address Place = locate(Op->getSubExpr());
  Value Old = load(Place, Type);
  int Step = Op->isIncrementOp() ? 1 : -1;
  Value New;
  if (const int64_t *Integer = Old.getInteger();
      Integer && Type->isIntegralOrEnumerationType())
    New = Value(
        wrapInteger(
            context(),
            static_cast<int64_t>(static_cast<uint64_t>(*Integer) + Step), Type),
        Old.Doubts);
  else if (const double *Real = Old.getReal())
    New = Value(*Real + Step, Old.Doubts);
  else if (Type->isPointerType())
    New = movePointer(Old, Value(int64_t(1)), Type->getPointeeType(), Step);
  store(Place, Type, New);
  return Op->isPrefix() ? New : Old;
}

Value HostEvaluator::movePointer(const Value &Pointer, const Value &Steps,
                                 QualType Pointee, int Sign) {
  const Address *From = Pointer.getAddress();
  if (!From)
    return Value();
  DoubtSet Doubts = Pointer.Doubts | Steps.Doubts;
  const int64_t *Count = Steps.getInteger();
  if (!Count)
    return Value(Address{From->Object, std::nullopt}, Doubts);
  uint64_t Size = Pointee->isVoidType() || Pointee->isFunctionType()
                      ? 1
                      : sizeOf(context(), Pointee);
  uint64_t Elements = static_cast<uint64_t>(*Count);
  return Value(From->advance((Sign < 0 ? -Elements : Elements) * Size), Doubts);
}

/// Elements between two places in the same object.
Value HostEvaluator::subtractPointers(const Value &Left, const Value &Right,
                                      QualType Pointee) {
  const Address *L = Left.getAddress(), *R = Right.getAddress();
  const uint64_t Size = Pointee->isVoidType() ? 1 : sizeOf(context(), Pointee);
  if (!L || !R || !L->Object || L->Object != R->Object || !L->Offset ||
      !R->Offset || Size == 0)
    return Value();
  int64_t Bytes = 0;
  if (__builtin_sub_overflow(*L->Offset, *R->Offset, &Bytes))
    return Value();
  return Value(Bytes / static_cast<int64_t>(Size), Left.Doubts | Right.Doubts);
}

Value HostEvaluator::evaluateBinary(const BinaryOperator *Op) {
  if (Op->isAssignmentOp())
    return evaluateAssignment(Op);
  if (Op->isLogicalOp())
    return evaluateLogical(Op);
  Value Left = evaluate(Op->getLHS());
  Value Right = evaluate(Op->getRHS());
  if (Op->getOpcode() == BO_Comma)
    return Right;
  QualType Type = Op->getLHS()->getType();
  QualType RightType = Op->getRHS()->getType();
  int Sign = Op->getOpcode() == BO_Sub ? -1 : 1;
  if (Op->isAdditiveOp() && Type->isPointerType()) {
    if (RightType->isPointerType())
      return subtractPointers(Left, Right, Type->getPointeeType());
    return movePointer(Left, Right, Type->getPointeeType(), Sign);
  }
  if (Op->isAdditiveOp() && RightType->isPointerType())
    return movePointer(Right, Left, RightType->getPointeeType(), 1);
  if (Op->isPtrMemOp())
    return Value();
  return applyBinary(context(), Op->getOpcode(), Left, Right, Type,
                     Op->getType());
}

Value HostEvaluator::evaluateAssignment(const BinaryOperator *Op) {
  const Expr *Target = Op->getLHS();
  QualType Type = Target->getType();
  Value Right = evaluate(Op->getRHS());
  Address Place = locate(Target);
  const auto *Compound = dyn_cast<CompoundAssignOperator>(Op);
  if (!Compound) {
    store(Place, Type, Right);
    return Right;
  }
  Value Old = load(Place, Type);
  BinaryOperatorKind Kind =
      BinaryOperator::getOpForCompoundAssignment(Op->getOpcode());
  Value New;
  if (Type->isPointerType()) {
    New = movePointer(Old, Right, Type->getPointeeType(),
                      Kind == BO_Sub ? -1 : 1);
  } else {
    QualType Common = Compound->getComputationLHSType();
    Value Left = convert(Old, Type, Common);
    QualType Result = Compound->getComputationResultType();
    New = convert(applyBinary(context(), Kind, Left, Right, Common, Result),
                  Result, Type);
  }
  store(Place, Type, New);
  return New;
}

Value HostEvaluator::evaluateLogical(const BinaryOperator *Op) {
  bool Decides = Op->getOpcode() == BO_LOr;
  Value Left = evaluate(Op->getLHS());
  std::optional<bool> LeftTrue = holdsTrue(Left);
  if (LeftTrue == Decides && !Left.Doubts)
    return Value(int64_t(Decides));
  HostState Before = State;
  const bool IsDefault = LeftTrue != Decides;
  if (!IsDefault) {
    State.Contradicted |= Left.Doubts;
    State.Likely = false;
  }
  Value Right = evaluate(Op->getRHS());
  if ((!LeftTrue || !IsDefault) && std::exchange(PathEnded, false)) {
    State = std::move(Before);
    return Value(int64_t(Decides), Left.Doubts);
  }
  if (!LeftTrue || !IsDefault)
    State = Branches.meet(&Before, Before, State,
                          Left.Doubts ? Left.Doubts : Branches.getDoubt(Op));
  if (!IsDefault)
    return Value(int64_t(Decides), Left.Doubts);
  std::optional<bool> RightTrue = holdsTrue(Right);
  if (RightTrue == Decides)
    return Value(int64_t(Decides), Left.Doubts | Right.Doubts);
  return LeftTrue && RightTrue
             ? Value(int64_t(!Decides), Left.Doubts | Right.Doubts)
             : Value();
}

Value HostEvaluator::evaluateConditional(
    const AbstractConditionalOperator *Op) {
  const auto *Choice = dyn_cast<ConditionalOperator>(Op);
  if (!Choice)
    return Value();
  Value Condition = evaluate(Choice->getCond());
  const std::optional<bool> True = holdsTrue(Condition);
  if (!True || Condition.Doubts)
    return evaluateUncertain(Choice, Condition);
  HostState Before = State;
  Value V = evaluate(*True ? Choice->getTrueExpr() : Choice->getFalseExpr());
  if (!PathEnded || !Branches.takesAll())
    return V;
  PathEnded = false;
  State = std::move(Before);
  return evaluate(*True ? Choice->getFalseExpr() : Choice->getTrueExpr());
}

Value HostEvaluator::evaluateUncertain(const ConditionalOperator *Op,
                                       const Value &Condition) {
  const auto sideOf = [&](bool Holds) {
    Branches.turn(State, Op, Condition, Holds);
    limitBy(*this, Op->getCond(), Holds);
    return evaluate(Holds ? Op->getTrueExpr() : Op->getFalseExpr());
  };
  if (const std::optional<unsigned> Side = Branches.decide(Op, 2))
    return sideOf(*Side == 0);
  const std::optional<bool> True = holdsTrue(Condition);
  const bool First = True.value_or(true);
  const DoubtSet Reason =
      Condition.Doubts ? Condition.Doubts : Branches.getDoubt(Op);
  const HostState Before = State;
  Value Default = sideOf(First);
  const bool DefaultEnds = std::exchange(PathEnded, false);
  HostState AfterDefault = std::exchange(State, Before);
  if (True)
    State.Likely = false;
  Value Other = sideOf(!First);
  const bool OtherEnds = std::exchange(PathEnded, DefaultEnds && PathEnded);
  // assert: one side does not come back, and a default that violates it is not
  // that of the run that matters.
  if (DefaultEnds) {
    State.Likely = Before.Likely;
    return Other;
  }
  if (OtherEnds) {
    State = std::move(AfterDefault);
    return Default;
  }
  Meeting At = Branches.meetingOf(AfterDefault, State, Reason);
  Value Result = True ? joinWithDefault(Default, Other, At)
                      : join(nullptr, Default, Other, At);
  State = Branches.meet(&Before, std::move(AfterDefault), State, Reason);
  return Result;
}

Value HostEvaluator::evaluateNew(const CXXNewExpr *New) {
  Address Place = Objects.make();
  if (!New->isArray() && New->getInitializer())
    construct(Place, New->getInitializer(), New->getAllocatedType());
  return Value(Place);
}

Value HostEvaluator::evaluateLambda(const LambdaExpr *Lambda) {
  Address Place = makeTemporary();
  auto Init = Lambda->capture_init_begin();
  for (const FieldDecl *Field : Lambda->getLambdaClass()->fields()) {
    if (Init == Lambda->capture_init_end())
      break;
    if (*Init)
      construct(offsetTo(Place, Field), *Init, Field->getType());
    ++Init;
  }
  return load(Place, Lambda->getType());
}

Value HostEvaluator::evaluateRecord(const Expr *E) {
  Address Place = makeTemporary();
  construct(Place, E, E->getType());
  return load(Place, E->getType());
}

} // namespace warpwise::launch

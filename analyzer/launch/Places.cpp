//===- Places.cpp - Lvalues, objects and their initialisation -------------===//
//
// Which bytes a variable, a member or an element is, and what an initialiser
// writes into them.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "analyzer/launch/Arithmetic.h"
#include "analyzer/launch/Layout.h"
#include "analyzer/launch/RuntimeModel.h"

#include "clang/AST/Attr.h"

using namespace clang;

namespace warpwise::launch {

bool HostEvaluator::isNamable(const Value &V, QualType Type) {
  return !V.isKnown() && !V.Is && Type->isIntegralOrEnumerationType() &&
         !Type->isBooleanType();
}

void HostEvaluator::forgetNames() {
  UnknownAt.clear();
  UnknownFor.clear();
}

SharedQuotient HostEvaluator::newUnknown() {
  return std::make_shared<const Quotient>(Quotient{++Unknowns});
}

SharedQuotient HostEvaluator::unknownAt(Address Place) {
  SharedQuotient &Its = UnknownAt[{Place.Object, *Place.Offset}];
  return Its ? Its : Its = newUnknown();
}

/// Adds what \p E consists of, where it names the same however often it is
/// evaluated: members, and what const methods say of numbers.
static bool appendParts(const Expr *E, std::vector<uintptr_t> &Parts) {
  const auto add = [&](const void *Part) {
    Parts.push_back(reinterpret_cast<uintptr_t>(Part));
  };
  E = E->IgnoreParenImpCasts();
  if (isa<CXXThisExpr>(E)) {
    add(nullptr);
    return true;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    add(Ref->getDecl()->getCanonicalDecl());
    return true;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    add(Member->getMemberDecl()->getCanonicalDecl());
    return appendParts(Member->getBase(), Parts);
  }
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->isConst() || Call->getNumArgs() > 1)
    return false;
  if (Call->getNumArgs() == 1) {
    const auto *Which =
        dyn_cast<IntegerLiteral>(Call->getArg(0)->IgnoreParenImpCasts());
    if (!Which)
      return false;
    // Declarations are aligned.
    Parts.push_back(1 + 2 * Which->getValue().getLimitedValue(1 << 20));
  }
  return appendParts(Call->getCallee(), Parts);
}

SharedQuotient HostEvaluator::unknownFor(const Expr *E) {
  std::vector<uintptr_t> Parts;
  if (!appendParts(E, Parts))
    return nullptr;
  SharedQuotient &Its = UnknownFor[Parts];
  return Its ? Its : Its = newUnknown();
}

Value HostEvaluator::load(Address From, QualType Type) {
  uint64_t Size = sizeOf(context(), Type);
  if (Size == 0 || Type->isArrayType())
    return Value();
  if (const std::string *Text = Objects.textOf(From.Object);
      Text && !State.has(From.Object)) {
    if (Size != 1 || !From.Offset || *From.Offset < 0 ||
        *From.Offset > static_cast<int64_t>(Text->size()))
      return Value();
    // A std::string's data ends in a zero, as C's strings do.
    return Value(wrapInteger(context(), Text->c_str()[*From.Offset], Type));
  }
  if (Type->isRecordType())
    return State.loadRecord(From, Size);
  Value V = State.load(From, Size);
  if (IgnoresLimits)
    V.Within = nullptr;
  if (isNamable(V, Type) && From.Object && From.Offset) {
    const bool IsThere = State.has(From);
    V.Is = IsThere ? newUnknown() : unknownAt(From);
    if (IsThere)
      State.name(From, Size, V.Is);
  }
  Touched = std::max(Touched, V.LostAt);
  return V;
}

void HostEvaluator::store(Address To, QualType Type, const Value &V) {
  uint64_t Size = sizeOf(context(), Type);
  if (Size == 0)
    State.forget(To.Object);
  else if (Type->isRecordType() || Type->isArrayType())
    State.storeRecord(To, Size, V);
  else if (isNamable(V, Type)) {
    Value Named = V;
    Named.Is = newUnknown();
    State.store(To, Size, Named);
  } else
    State.store(To, Size, V);
}

std::optional<std::string> HostEvaluator::readString(Address From) {
  constexpr size_t MaxLength = 4096;
  std::string Text;
  if (!From.Object || !From.Offset)
    return std::nullopt;
  while (Text.size() < MaxLength) {
    Value V = load(From.advance(Text.size()), context().CharTy);
    const int64_t *Character = V.getInteger();
    if (!Character || V.Doubts)
      return std::nullopt;
    if (*Character == 0)
      return Text;
    Text.push_back(static_cast<char>(*Character));
  }
  return std::nullopt;
}

Address HostEvaluator::makeTemporary() {
  Address Place = Objects.make();
  if (Current)
    Current->Temporaries.push_back(Place.Object);
  return Place;
}

void HostEvaluator::endLives(std::vector<ObjectId> &Dead) {
  Objects.takeElementsOf(Dead);
  State.remove(Dead);
  Dead.clear();
}

Address HostEvaluator::bindNew(const VarDecl *Variable) {
  // The same variable keeps its memory in the next iteration, so that the
  // iterations can be compared.
  auto [It, IsNew] = Current->Bindings.try_emplace(Variable);
  if (!IsNew) {
    std::vector<ObjectId> Dead = {It->second.Object};
    endLives(Dead);
    return It->second;
  }
  It->second = Objects.make();
  Current->Variables.push_back(It->second.Object);
  return It->second;
}

Address HostEvaluator::locateGlobal(const VarDecl *Variable) {
  Variable = findVariable(Variable);
  if (auto It = Globals.find(Variable); It != Globals.end())
    return It->second;
  bool IsDevice = Variable->hasAttr<CUDADeviceAttr>() ||
                  Variable->hasAttr<CUDAConstantAttr>() ||
                  Variable->hasAttr<HIPManagedAttr>();
  Address Place = IsDevice ? Objects.makeOnDevice() : Objects.make();
  Globals[Variable] = Place;
  const VarDecl *Definition = nullptr;
  const Expr *Init = Variable->getAnyInitializer(Definition);
  // Clang gives constants that kernels use a device attribute of its own.
  bool IsConstant = Variable->getType().isConstQualified();
  if ((IsDevice && !IsConstant) || Variable->getType()->isReferenceType())
    return Place;
  const bool IsDefined = Definition || Variable->hasDefinition();
  ActiveCall NoCall;
  ActiveCall *Caller = std::exchange(Current, &NoCall);
  ASTContext *CallerUnit = std::exchange(Active, &Variable->getASTContext());
  // Where a walk comes to it first differs from walk to walk.
  ++Branches.Repeated;
  unsigned Budget = 256;
  State.forget(Place.Object);
  if (Init && !Init->isValueDependent())
    construct(Place, Init, Variable->getType());
  else if (!Init && IsDefined && !Variable->getType()->isRecordType())
    constructZero(Place, Variable->getType(), Budget);
  --Branches.Repeated;
  Current = Caller;
  Active = CallerUnit;
  if (!IsConstant && isWrittenSomewhere(*Variable))
    State.doubt(Place.Object, Branches.getDoubt(Variable));
  for (const ObjectId Pointee : State.pointeesOf(Place.Object))
    if (Objects.isElements(Pointee)) {
      // Who writes to elements is not known.
      if (!IsConstant)
        State.doubt(Pointee, Branches.getDoubt(Variable));
      State.makeInitial(Pointee);
    }
  State.makeInitial(Place.Object);
  return Place;
}

Address HostEvaluator::locateVariable(const ValueDecl *Variable) {
  if (Current) {
    if (auto It = Current->Bindings.find(Variable);
        It != Current->Bindings.end())
      return It->second;
    if (auto It = Current->Captures.find(Variable);
        It != Current->Captures.end() && Current->This) {
      Address Place = offsetTo(*Current->This, It->second);
      if (!It->second->getType()->isReferenceType())
        return Place;
      Value Target = load(Place, It->second->getType());
      return Target.getAddress() ? *Target.getAddress() : Nowhere;
    }
  }
  const auto *Var = dyn_cast<VarDecl>(Variable);
  // A lambda uses the constants of the function around it without capturing
  // them.
  if (Var && (Var->hasGlobalStorage() ||
              Var->isUsableInConstantExpressions(context())))
    return locateGlobal(Var);
  if (const auto *Binding = dyn_cast<BindingDecl>(Variable))
    return Binding->getBinding() ? locate(Binding->getBinding()) : Nowhere;
  return Nowhere;
}

Address HostEvaluator::locate(const Expr *E) {
  E = E->IgnoreParens();
  if (E->isTypeDependent())
    return Nowhere;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return locateVariable(Ref->getDecl());
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return locateMember(Member);
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    Value Element = movePointer(evaluate(Subscript->getBase()),
                                evaluate(Subscript->getIdx()), E->getType(), 1);
    return Element.getAddress() ? *Element.getAddress() : Nowhere;
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return locate(Full->getSubExpr());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return locate(Default->getExpr());
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return locate(Subst->getReplacement());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
    Address Place = makeTemporary();
    construct(Place, Temporary->getSubExpr(), E->getType());
    return Place;
  }
  if (!E->isGLValue()) {
    if (!E->getType()->isRecordType())
      return Nowhere;
    Address Place = makeTemporary();
    construct(Place, E, E->getType());
    return Place;
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref) {
      Value Pointer = evaluate(Op->getSubExpr());
      return Pointer.getAddress() ? *Pointer.getAddress() : Nowhere;
    }
    if (Op->isIncrementDecrementOp())
      evaluate(Op);
    return locate(Op->getSubExpr());
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (Op->isPtrMemOp())
      return Nowhere;
    evaluate(Op);
    return locate(Op->getOpcode() == BO_Comma ? Op->getRHS() : Op->getLHS());
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    Address Place = locate(Cast->getSubExpr());
    return Cast->getCastKind() == CK_UncheckedDerivedToBase ||
                   Cast->getCastKind() == CK_DerivedToBase
               ? locateBase(Cast, Place)
               : Place;
  }
  if (const auto *Op = dyn_cast<ConditionalOperator>(E)) {
    const Value Condition = evaluate(Op->getCond());
    std::optional<bool> True = holdsTrue(Condition);
    if (Condition.Doubts)
      True = std::nullopt;
    return True ? locate(*True ? Op->getTrueExpr() : Op->getFalseExpr())
                : Nowhere;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Value Result = this->call(Call);
    return Result.getAddress() ? *Result.getAddress() : Nowhere;
  }
  if (const auto *Literal = dyn_cast<StringLiteral>(E)) {
    auto [It, IsNew] = Literals.try_emplace(E);
    if (IsNew)
      It->second = Literal->getCharByteWidth() == 1
                       ? Objects.makeText(Literal->getString())
                       : Objects.make();
    return It->second;
  }
  if (isa<PredefinedExpr>(E))
    return makeTemporary();
  return Nowhere;
}

Address HostEvaluator::locateMember(const MemberExpr *Member) {
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  const Expr *BaseExpr = Member->getBase();
  Address Base;
  if (Member->isArrow()) {
    Value Pointer = evaluate(BaseExpr);
    Base = Pointer.getAddress() ? *Pointer.getAddress() : Nowhere;
  } else {
    Base = locate(BaseExpr);
  }
  if (!Field)
    return locateVariable(Member->getMemberDecl());
  Address Place = offsetTo(Base, Field);
  if (!Field->getType()->isReferenceType())
    return Place;
  Value Target = load(Place, Field->getType());
  return Target.getAddress() ? *Target.getAddress() : Nowhere;
}

Address HostEvaluator::locateBase(const CastExpr *Cast, Address Derived) {
  QualType Type = Cast->getSubExpr()->getType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  const CXXRecordDecl *Decl = Type->getAsCXXRecordDecl();
  for (const CXXBaseSpecifier *Base : Cast->path()) {
    Derived = offsetToBase(Derived, Decl, Base);
    Decl = Base->getType()->getAsCXXRecordDecl();
  }
  return Derived;
}

void HostEvaluator::construct(Address Place, const Expr *Init, QualType Type) {
  Init = Init->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(Init))
    return construct(Place, Full->getSubExpr(), Type);
  if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(Init))
    return construct(Place, Bound->getSubExpr(), Type);
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(Init))
    return construct(Place, Default->getExpr(), Type);
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Init))
    return construct(Place, Default->getExpr(), Type);
  if (Type->isReferenceType()) {
    Address Target = locate(Init);
    return store(Place, Type, Target.Object ? Value(Target) : Value());
  }
  if (const auto *List = dyn_cast<InitListExpr>(Init);
      List && (Type->isRecordType() || Type->isArrayType()))
    return constructList(Place, List, Type);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(Init)) {
    unsigned Budget = 256;
    return constructZero(Place, Type, Budget);
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Init))
    return callConstructor(Construct, Place);
  if (const auto *Cast = dyn_cast<CastExpr>(Init);
      Cast && Type->isRecordType() && !Init->isGLValue())
    return construct(Place, Cast->getSubExpr(), Type);
  if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(Init);
      Literal && Type->isRecordType())
    return construct(Place, Literal->getInitializer(), Type);
  // Any other way to make a record would come back here: evaluate() makes
  // records by constructing them. Their members stay unknown.
  if (Type->isRecordType() && !Init->isGLValue() &&
      !isa<CallExpr, AbstractConditionalOperator, BinaryOperator, LambdaExpr,
           SubstNonTypeTemplateParmExpr, CXXStdInitializerListExpr>(Init))
    return State.forget(Place.Object);
  const Value Made = evaluate(Init);
  store(Place, Type, Made);
  if (Made.getRecord())
    adoptVectors(*this, Type, Place);
}

void HostEvaluator::constructList(Address Place, const InitListExpr *List,
                                  QualType Type) {
  if (List->isTransparent() && List->getNumInits() == 1)
    return construct(Place, List->getInit(0), Type);
  if (const auto *Array = context().getAsConstantArrayType(Type)) {
    QualType Element = Array->getElementType();
    auto Size = static_cast<int64_t>(sizeOf(context(), Element));
    unsigned Budget = 256;
    uint64_t Count = std::min<uint64_t>(Array->getZExtSize(), 256);
    for (uint64_t I = 0; I < Count; ++I) {
      Address At = Place.advance(static_cast<int64_t>(I) * Size);
      if (I < List->getNumInits())
        construct(At, List->getInit(I), Element);
      else
        constructZero(At, Element, Budget);
    }
    return;
  }
  const RecordDecl *Decl = Type->getAsRecordDecl();
  if (!Decl)
    return;
  unsigned Next = 0;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Decl))
    Next = Class->getNumBases();
  for (const FieldDecl *Field : Decl->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (Decl->isUnion() && Field != List->getInitializedFieldInUnion())
      continue;
    if (Next < List->getNumInits())
      construct(offsetTo(Place, Field), List->getInit(Next++),
                Field->getType());
  }
}

void HostEvaluator::constructZero(Address Place, QualType Type,
                                  unsigned &Budget) {
  if (Budget == 0)
    return;
  if (const auto *Array = context().getAsConstantArrayType(Type)) {
    auto Size =
        static_cast<int64_t>(sizeOf(context(), Array->getElementType()));
    for (uint64_t I = 0; I < Array->getZExtSize() && Budget; ++I)
      constructZero(Place.advance(static_cast<int64_t>(I) * Size),
                    Array->getElementType(), Budget);
    return;
  }
  if (const RecordDecl *Decl = Type->getAsRecordDecl()) {
    Decl = Decl->getDefinition();
    if (!Decl || Decl->isInvalidDecl())
      return;
    for (const FieldDecl *Field : Decl->fields())
      constructZero(offsetTo(Place, Field), Field->getType(), Budget);
    return;
  }
  --Budget;
  store(Place, Type,
        Type->isRealFloatingType() ? Value(0.0) : Value(int64_t(0)));
}

} // namespace warpwise::launch

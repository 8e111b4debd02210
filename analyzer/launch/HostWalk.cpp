//===- HostWalk.cpp - Statements and paths --------------------------------===//
//
// Everything but loops and calls: sequence, declarations, branches, jumps.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostWalk.h"

#include "analyzer/launch/Arithmetic.h"
#include "analyzer/launch/ConditionLimits.h"

using namespace clang;

namespace warpwise::launch {

void HostWalk::walkRoot(const FunctionDecl *Function, bool Everything,
                        const Forced *Value, const Decisions *Chosen) {
  State = HostState();
  Branches.start(Chosen, Everything);
  Branches.Frames = {0};
  Touched = 0;
  Globals.clear();
  forgetNames();
  Stack.clear();
  Abandoned = TooDeep = PathEnded = Silent = InBoundedLoop = AfterGap = false;
  Given = Value;
  // Only the run itself is worth more than usual.
  const bool IsRun = Function->isMain() && !Everything;
  StepLimit = Steps + (IsRun ? Settings.StepsPerRoot
                             : std::min(Settings.StepsPerRoot,
                                        HostSettings().StepsPerRoot));
  Active = &Function->getASTContext();
  ActiveCall Root;
  bindUnknown(Function, Root);
  enterFunction(Function, Root);
}

bool HostWalk::walk(const Stmt *S) {
  if (!S)
    return true;
  if (++Steps > StepLimit)
    Abandoned = true;
  if (Abandoned)
    return false;
  if (const auto *E = dyn_cast<Expr>(S))
    return walkExpression(E);
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    return walkCompound(cast<CompoundStmt>(S));
  case Stmt::DeclStmtClass:
    return walkDeclarations(cast<DeclStmt>(S));
  case Stmt::ReturnStmtClass:
    return walkReturn(cast<ReturnStmt>(S));
  case Stmt::BreakStmtClass:
    return walkJump(BreakTarget);
  case Stmt::ContinueStmtClass:
    return walkJump(ContinueTarget);
  // Nearly always to the clean-up at the function's end.
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
    return false;
  case Stmt::IfStmtClass:
    return walkIf(cast<IfStmt>(S));
  case Stmt::SwitchStmtClass:
    return walkSwitch(cast<SwitchStmt>(S));
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
    return walkStatementLoop(S);
  case Stmt::CXXForRangeStmtClass:
    return walkRange(cast<CXXForRangeStmt>(S));
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    return walk(cast<SwitchCase>(S)->getSubStmt());
  case Stmt::LabelStmtClass:
    return walk(cast<LabelStmt>(S)->getSubStmt());
  case Stmt::AttributedStmtClass:
    return walk(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::CXXTryStmtClass:
    return walkTry(cast<CXXTryStmt>(S));
  default:
    return true;
  }
}

void HostWalk::endStatement() { endLives(Current->Temporaries); }

bool HostWalk::walkExpression(const Expr *E) {
  // An lvalue's own value is of no interest, its side effects are.
  if (E->getType()->isRecordType() && E->isPRValue())
    locate(E);
  else
    evaluate(E);
  endStatement();
  return !std::exchange(PathEnded, false) && !Abandoned;
}

bool HostWalk::walkCompound(const CompoundStmt *Compound) {
  for (const Stmt *Child : Compound->body())
    if (!walk(Child))
      return false;
  return true;
}

bool HostWalk::walkDeclarations(const DeclStmt *S) {
  bool ExtendsTemporaries = false;
  for (const Decl *D : S->decls())
    if (const auto *Variable = dyn_cast<VarDecl>(D)) {
      declare(Variable);
      ExtendsTemporaries |= Variable->getType()->isReferenceType();
    }
  if (ExtendsTemporaries) {
    llvm::append_range(Current->Variables, Current->Temporaries);
    Current->Temporaries.clear();
  }
  endStatement();
  return !std::exchange(PathEnded, false) && !Abandoned;
}

void HostWalk::declare(const VarDecl *Variable) {
  if (Variable->hasGlobalStorage() || Variable->isInvalidDecl())
    return;
  const Expr *Init = Variable->getInit();
  if (Variable->getType()->isReferenceType()) {
    Current->Bindings[Variable] = Init ? locate(Init) : Address();
    return;
  }
  Address Place = bindNew(Variable);
  if (Init)
    construct(Place, Init, Variable->getType());
}

bool HostWalk::walkReturn(const ReturnStmt *Return) {
  if (const Expr *E = Return->getRetValue()) {
    QualType Type = Current->Function->getReturnType();
    if (!Type->isVoidType())
      construct({Current->Result, 0}, E, Type);
    else
      evaluate(E);
  }
  endStatement();
  if (std::exchange(PathEnded, false) || Abandoned)
    return false;
  JumpTarget Target{std::move(Current->Returned), nullptr};
  arrive(Target, State, Branches.getDoubt(Return));
  Current->Returned = std::move(Target.Arrived);
  return false;
}

void HostWalk::arrive(JumpTarget &Target, HostState From, DoubtSet Reason) {
  if (Target.Arrived)
    From =
        Branches.meet(Target.Before, std::move(*Target.Arrived), From, Reason);
  Target.Arrived = std::move(From);
}

bool HostWalk::walkJump(JumpTarget *Target) {
  if (Target)
    arrive(*Target, State, Branches.getDoubt(Target));
  return false;
}

bool HostWalk::walkTry(const CXXTryStmt *Try) {
  HostState Before = State;
  bool Falls = walk(Try->getTryBlock());
  HostState After = State;
  // A handler may retry with another kernel.
  for (unsigned I = 0; I < Try->getNumHandlers(); ++I)
    if (Index.mayLaunch(Try->getHandler(I)->getHandlerBlock())) {
      State = Before;
      walk(Try->getHandler(I)->getHandlerBlock());
    }
  State = std::move(After);
  return Falls;
}

bool HostWalk::walkIf(const IfStmt *If) {
  if (!walk(If->getInit()) || !walk(If->getConditionVariableDeclStmt()))
    return false;
  if (If->isConsteval())
    return walk(If->isNonNegatedConsteval() ? If->getElse() : If->getThen());
  const Expr *E = If->getCond();
  // Of a type, say: nobody changes that.
  bool Always = false;
  if (Branches.takesAll() && !E->isValueDependent() &&
      !E->HasSideEffects(context()) &&
      E->EvaluateAsBooleanCondition(Always, context())) {
    noteDead(Always ? If->getElse() : If->getThen());
    return walk(Always ? If->getThen() : If->getElse());
  }
  Value Condition = evaluate(E);
  endStatement();
  if (std::exchange(PathEnded, false) || Abandoned)
    return false;
  return fork(
      Condition, If,
      [&] {
        refine(E, true);
        limitBy(*this, E, true);
        return walk(If->getThen());
      },
      [&] {
        refine(E, false);
        limitBy(*this, E, false);
        return walk(If->getElse());
      });
}

void HostWalk::noteDead(const Stmt *S) {
  if (const auto *Call = dyn_cast_or_null<CUDAKernelCallExpr>(S))
    Dead.insert(Call);
  if (S)
    for (const Stmt *Child : S->children())
      noteDead(Child);
}

bool HostWalk::fork(const Value &Condition, const Stmt *Statement, Side Then,
                    Side Else) {
  std::optional<bool> True = holdsTrue(Condition);
  if (True && !Condition.Doubts && !Branches.takesAll())
    return *True ? Then() : Else();
  const auto walkSide = [&](bool Holds) {
    Branches.turn(State, Statement, Condition, Holds);
    return Holds ? Then() : Else();
  };
  if (const std::optional<unsigned> Side = Branches.decide(Statement, 2))
    return walkSide(*Side == 0);
  DoubtSet Reason =
      Condition.Doubts ? Condition.Doubts : Branches.getDoubt(Statement);
  HostState Before = State;
  const bool Default = True.value_or(true);
  bool FirstFalls = walkSide(Default);
  if (Abandoned)
    return false;
  HostState First = std::exchange(State, Before);
  if (True)
    State.Likely = false;
  bool SecondFalls = walkSide(!Default);
  if (Abandoned)
    return false;
  if (FirstFalls && SecondFalls)
    State = Branches.meet(&Before, std::move(First), State, Reason);
  else if (FirstFalls)
    State = std::move(First);
  else
    // The default ends here, so what goes on is no less likely than the rest.
    State.Likely = Before.Likely;
  return FirstFalls || SecondFalls;
}

void HostWalk::assume(const Expr *Variable, int64_t Equals, bool NamesCase) {
  Variable = Variable->IgnoreParenImpCasts();
  if (!isa<DeclRefExpr, MemberExpr>(Variable) || !Variable->isGLValue() ||
      !Variable->getType()->isIntegralOrEnumerationType() ||
      Variable->HasSideEffects(context()))
    return;
  Address Place = locate(Variable);
  if (!Place.Object || !Place.Offset)
    return;
  const Value Old = load(Place, Variable->getType());
  if (Old.isKnown() && !Old.Doubts)
    return;
  Value Now(Equals);
  Now.Assumed = true;
  store(Place, Variable->getType(), Now);
  // Only the root's own parameters can be set from outside.
  const auto *Ref = dyn_cast<DeclRefExpr>(Variable);
  const auto *Parameter = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
  if (!NamesCase || !Parameter || Silent ||
      Parameter->getDeclContext() != Current->Function)
    return;
  Forced Case{Current->Function, Parameter->getFunctionScopeIndex(), Equals};
  if (State.Taken)
    Assumptions[{State.Taken->Where, State.Taken->Side}] = Case;
  // Nobody calls main with numbers of his own: this side is the case, and a
  // walk for it would come the same way.
  if (!Current->Function->isMain() && !llvm::is_contained(CaseValues, Case))
    CaseValues.push_back(Case);
}

void HostWalk::refine(const Expr *Condition, bool Holds) {
  Condition = Condition->IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(Condition);
      Not && Not->getOpcode() == UO_LNot)
    return refine(Not->getSubExpr(), !Holds);
  const auto *Op = dyn_cast<BinaryOperator>(Condition);
  if (!Op) {
    // Of what is not zero, only a bool has one value.
    if (!Holds || Condition->getType()->isBooleanType())
      assume(Condition, Holds, /*NamesCase=*/false);
    return;
  }
  if (Op->getOpcode() == (Holds ? BO_LAnd : BO_LOr)) {
    refine(Op->getLHS(), Holds);
    refine(Op->getRHS(), Holds);
  } else if (Op->getOpcode() == (Holds ? BO_EQ : BO_NE)) {
    // Constants only: evaluating the other side again could have effects.
    const auto compare = [&](const Expr *Variable, const Expr *With) {
      const std::optional<int64_t> Constant = constantOf(With, context());
      if (Constant)
        assume(Variable, *Constant);
      return Constant.has_value();
    };
    if (!compare(Op->getLHS(), Op->getRHS()))
      compare(Op->getRHS(), Op->getLHS());
  }
}

/// The statements of a switch's body that carry a label.
static llvm::SmallVector<const SwitchCase *, 4> getLabels(const Stmt *S) {
  llvm::SmallVector<const SwitchCase *, 4> Labels;
  while (const auto *Label = dyn_cast<SwitchCase>(S)) {
    Labels.push_back(Label);
    S = Label->getSubStmt();
  }
  return Labels;
}

/// Whether one of \p Labels matches. A default label matches an unknown
/// selector only through the caller's knowledge that no other one does.
static std::optional<int64_t> getCaseValue(const SwitchCase *Label,
                                           ASTContext &Context) {
  const auto *Case = dyn_cast<CaseStmt>(Label);
  return Case ? constantOf(Case->getLHS(), Context) : std::nullopt;
}

bool HostWalk::walkSwitch(const SwitchStmt *Switch) {
  if (!walk(Switch->getInit()) || !walk(Switch->getConditionVariableDeclStmt()))
    return false;
  Value Selector = evaluate(Switch->getCond());
  endStatement();
  const bool WasLikely = State.Likely;
  const auto *Body = dyn_cast<CompoundStmt>(Switch->getBody());
  if (std::exchange(PathEnded, false) || Abandoned || !Body)
    return Body && !Abandoned;
  // Entry points by position in the body; the one that is taken by default.
  std::vector<size_t> Starts;
  std::optional<size_t> Taken, Default;
  const int64_t *Known = Selector.getInteger();
  for (size_t I = 0; I < Body->size(); ++I) {
    auto Labels = getLabels(Body->body_begin()[I]);
    if (!Labels.empty())
      Starts.push_back(I);
    for (const SwitchCase *Label : Labels) {
      if (isa<DefaultStmt>(Label))
        Default = I;
      else if (Known && getCaseValue(Label, context()) == *Known)
        Taken = I;
    }
  }
  if (Known && !Taken)
    Taken = Default;
  HostState Before = State;
  JumpTarget Exits{std::nullopt, &Before};
  // After the labels: none matches.
  const auto None = static_cast<unsigned>(Starts.size());
  const unsigned Likely =
      Taken ? static_cast<unsigned>(llvm::find(Starts, *Taken) - Starts.begin())
            : None;
  const DoubtSet Reason =
      Selector.Doubts ? Selector.Doubts : Branches.getDoubt(Switch);
  const auto walkSide = [&](unsigned Side) {
    State = Before;
    if (!Known || Selector.Doubts)
      Branches.turn(State, Switch, Side);
    if (Known && Side != Likely)
      State.Contradicted |= Selector.Doubts;
    if (Side != None)
      walkCase(Switch, Selector, Starts[Side], Exits);
    else
      arrive(Exits, State, Reason);
  };
  const unsigned Sides = None + !Default;
  if (Known && !Selector.Doubts && !Branches.takesAll()) {
    walkSide(Likely);
  } else if (const std::optional<unsigned> Side =
                 Branches.decide(Switch, Sides)) {
    walkSide(*Side);
  } else {
    if (Known)
      walkSide(Likely);
    for (unsigned I = 0; I != Sides; ++I)
      if (!Known || I != Likely) {
        Before.Likely &= !Known;
        walkSide(I);
      }
  }
  if (!Exits.Arrived || Abandoned)
    return false;
  State = std::move(*Exits.Arrived);
  State.Likely = WasLikely;
  return true;
}

bool HostWalk::walkCase(const SwitchStmt *Switch, const Value &Selector,
                        size_t Start, JumpTarget &Exits) {
  const auto *Body = cast<CompoundStmt>(Switch->getBody());
  auto Labels = getLabels(Body->body_begin()[Start]);
  if (!Selector.isKnown() || Selector.Doubts)
    if (Labels.size() == 1)
      if (std::optional<int64_t> V = getCaseValue(Labels[0], context()))
        assume(Switch->getCond(), *V);
  JumpTarget *Outer = std::exchange(BreakTarget, &Exits);
  bool Falls = true;
  for (size_t I = Start; Falls && I < Body->size(); ++I)
    Falls = walk(Body->body_begin()[I]);
  BreakTarget = Outer;
  if (Falls && !Abandoned)
    arrive(Exits, State,
           Selector.Doubts ? Selector.Doubts : Branches.getDoubt(Switch));
  return Falls;
}

} // namespace warpwise::launch

//===- ConditionText.cpp - What a side of a condition says ----------------===//

#include "analyzer/launch/ConditionText.h"

#include "fmt/format.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace warpwise::launch {

static std::string textOf(const Expr *E, const ASTContext &Context) {
  constexpr size_t MostCharacters = 60;
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  E->IgnoreParenImpCasts()->printPretty(Out, nullptr,
                                        Context.getPrintingPolicy());
  for (char &C : Text)
    if (static_cast<unsigned char>(C) < ' ')
      C = ' ';
  if (Text.size() <= MostCharacters)
    return Text;
  // Not in the middle of a character.
  size_t End = MostCharacters;
  while (End > 0 && (static_cast<unsigned char>(Text[End]) & 0xC0) == 0x80)
    --End;
  return Text.substr(0, End) + "...";
}

static bool isConstant(const Expr *E, const ASTContext &Context) {
  return !E->isValueDependent() && E->isEvaluatable(Context);
}

static Choice describeCondition(const Expr *Condition, bool Holds,
                                const ASTContext &Context) {
  Condition = Condition->IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(Condition);
      Not && Not->getOpcode() == UO_LNot)
    return describeCondition(Not->getSubExpr(), !Holds, Context);
  Choice Result;
  Result.IsOtherwise = !Holds;
  const auto *Op = dyn_cast<BinaryOperator>(Condition);
  if (Op && Op->isEqualityOp()) {
    const bool IsEqual = (Op->getOpcode() == BO_EQ) == Holds;
    const Expr *Left = Op->getLHS(), *Right = Op->getRHS();
    if (isConstant(Left, Context))
      std::swap(Left, Right);
    Result.IsOtherwise = !IsEqual;
    Result.IsSpecial = IsEqual;
    Result.Text = fmt::format("{} is {}{}", textOf(Left, Context),
                              IsEqual ? "" : "not ", textOf(Right, Context));
  } else if (Op && Op->isRelationalOp()) {
    const BinaryOperatorKind Kind =
        Holds ? Op->getOpcode()
              : BinaryOperator::negateComparisonOp(Op->getOpcode());
    Result.Text = fmt::format("{} {} {}", textOf(Op->getLHS(), Context),
                              BinaryOperator::getOpcodeStr(Kind).str(),
                              textOf(Op->getRHS(), Context));
  } else {
    Result.Text = textOf(Condition, Context);
    if (Op && !Holds)
      Result.Text = fmt::format("({})", Result.Text);
    if (!Holds)
      Result.Text = "not " + Result.Text;
    // A value of one variable is a part of it.
    if (Op && Op->getOpcode() == BO_LAnd && Holds)
      for (const Expr *Part : {Op->getLHS(), Op->getRHS()})
        Result.IsSpecial |= describeCondition(Part, true, Context).IsSpecial;
  }
  return Result;
}

/// The label with number \p Number, counted over the body's statements.
static const SwitchCase *findLabel(const SwitchStmt *Switch, unsigned Number) {
  for (const Stmt *Child : Switch->getBody()->children())
    if (const auto *Label = dyn_cast<SwitchCase>(Child); Label && Number-- == 0)
      return Label;
  return nullptr;
}

static Choice describeLabel(const SwitchStmt *Switch, unsigned Side,
                            const ASTContext &Context) {
  Choice Result;
  const SwitchCase *Label = findLabel(Switch, Side);
  std::string Values;
  for (; const auto *Case = dyn_cast_or_null<CaseStmt>(Label);
       Label = dyn_cast<SwitchCase>(Case->getSubStmt()))
    Values += (Values.empty() ? "" : " or ") + textOf(Case->getLHS(), Context);
  Result.IsOtherwise = Values.empty() || Label;
  Result.IsSpecial = !Result.IsOtherwise;
  const std::string Selector = textOf(Switch->getCond(), Context);
  Result.Text = Result.IsOtherwise
                    ? fmt::format("{} has another value", Selector)
                    : fmt::format("{} is {}", Selector, Values);
  return Result;
}

/// Whether the program is over behind \p Side, as far as its last statement
/// tells.
static bool endsProgram(const Stmt *Side) {
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Side))
    Side = Block->body_empty() ? nullptr : Block->body_back();
  const auto *E = dyn_cast_or_null<Expr>(Side);
  if (!E)
    return false;
  E = E->IgnoreParenCasts();
  if (const auto *Both = dyn_cast<BinaryOperator>(E);
      Both && Both->getOpcode() == BO_Comma)
    E = Both->getRHS()->IgnoreParenCasts();
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return isa<CXXThrowExpr>(E) || (Callee && Callee->isNoReturn());
}

bool isOnlyWay(const Turn &T) {
  if (const auto *If = dyn_cast<IfStmt>(T.Where))
    return endsProgram(T.Side == 0 ? If->getElse() : If->getThen());
  const auto *Op = dyn_cast<ConditionalOperator>(T.Where);
  return Op &&
         endsProgram(T.Side == 0 ? Op->getFalseExpr() : Op->getTrueExpr());
}

Choice describeTurn(const Turn &T, const ASTContext &Context) {
  Choice Result;
  const auto *If = dyn_cast<IfStmt>(T.Where);
  const auto *Op = dyn_cast<ConditionalOperator>(T.Where);
  if (const Expr *Asked = If ? If->getCond() : Op ? Op->getCond() : nullptr) {
    Result = describeCondition(Asked, T.Side == 0, Context);
    Result.Opposite = describeCondition(Asked, T.Side != 0, Context).Text;
  } else {
    Result = describeLabel(cast<SwitchStmt>(T.Where), T.Side, Context);
  }
  Result.Condition = T.Where;
  Result.Side = T.Side;
  return Result;
}

} // namespace warpwise::launch

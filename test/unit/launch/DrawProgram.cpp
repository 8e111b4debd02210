//===- DrawProgram.cpp - Draws host programs ------------------------------===//
//
// Every program ends: loops count up to a small number or down to zero, and
// functions call only those above them. What is not small is divided before it
// is multiplied again.
//
//===----------------------------------------------------------------------===//

#include "HostProgram.h"

#include <algorithm>
#include <random>

namespace warpwise::test {
namespace {

class Drawer {
public:
  explicit Drawer(uint64_t Seed) : Random(Seed) {}

  HostProgram draw();

private:
  std::mt19937_64 Random;
  HostProgram Program;
  Function *Current = nullptr;
  unsigned Usable = 0; ///< locals that statements may assign
  unsigned LoopDepth = 0, Depth = 0, LaunchesLeft = 0;
  bool InLambda = false, IsMain = false;

  unsigned below(unsigned Limit) {
    return static_cast<unsigned>(Random() % Limit);
  }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  template <typename T> const T &pick(const std::vector<T> &From) {
    return From[below(static_cast<unsigned>(From.size()))];
  }

  static Expression constant(int32_t Number) {
    return {Expression::Kind::Constant, Number, {}, {}};
  }
  static Expression local(unsigned Number) {
    return {Expression::Kind::Variable, static_cast<int32_t>(Number), {}, {}};
  }
  static Expression binary(Expression Left, const char *Operator,
                           Expression Right) {
    return {Expression::Kind::Binary,
            0,
            Operator,
            {std::move(Left), std::move(Right)}};
  }
  int32_t drawConstant();
  Expression drawLeaf();
  Expression drawValue(unsigned Levels);
  Expression drawCondition(unsigned Levels);
  Expression drawLength();
  Block drawBlock(unsigned Most);
  Statement drawStatement();
  Statement drawAssignment();
  Statement drawBranch();
  Statement drawSwitch();
  Statement drawLoop();
  Statement drawShape();
  Statement drawLaunch();
  std::optional<Statement> drawCall();
  void drawFunction(bool Main);
  void drawWords();
};

int32_t Drawer::drawConstant() {
  static const std::vector<int32_t> Usual = {0,  1,  2,  3,   4,   5,   7,
                                             16, 32, 64, 100, 128, 256, 1000};
  const int32_t Number = pick(Usual);
  Program.Constants.push_back(Number);
  return Number;
}

Expression Drawer::drawLeaf() {
  if (Usable != 0 && chance(65))
    return local(below(Usable));
  if (!Program.Globals.empty() && chance(25))
    return {Expression::Kind::Global,
            static_cast<int32_t>(
                below(static_cast<unsigned>(Program.Globals.size()))),
            {},
            {}};
  return constant(drawConstant());
}

Expression Drawer::drawValue(unsigned Levels) {
  if (Levels == 0 || chance(30))
    return drawLeaf();
  switch (below(7)) {
  case 0:
    return binary(drawValue(Levels - 1), "+", drawValue(Levels - 1));
  case 1:
    return binary(drawValue(Levels - 1), "-", drawLeaf());
  case 2:
    return binary(drawValue(Levels - 1), "/", constant(1 << (1 + below(5))));
  case 3:
    return binary(binary(drawLeaf(), "%", constant(64)), "*",
                  constant(static_cast<int32_t>(1 + below(8))));
  case 4: {
    Expression Choice{Expression::Kind::Choice, 0, {}, {}};
    Choice.Parts = {drawCondition(1), drawValue(Levels - 1),
                    drawValue(Levels - 1)};
    return Choice;
  }
  case 5: {
    std::vector<unsigned> Callable;
    for (unsigned I = 0; I != Program.Functions.size(); ++I)
      if (!Program.Functions[I].IsVoid && &Program.Functions[I] != Current)
        Callable.push_back(I);
    if (Callable.empty() || Depth > 3)
      return drawLeaf();
    const unsigned Number = pick(Callable);
    Expression Call{
        Expression::Kind::Call, static_cast<int32_t>(Number), {}, {}};
    for (unsigned I = 0; I != Program.Functions[Number].Parameters; ++I)
      Call.Parts.push_back(drawLeaf());
    return Call;
  }
  default:
    return drawLeaf();
  }
}

Expression Drawer::drawCondition(unsigned Levels) {
  static const std::vector<const char *> Comparisons = {"==", "==", "!=", "<",
                                                        ">",  "<=", ">="};
  if (Levels != 0 && chance(20))
    return binary(drawCondition(Levels - 1), chance(50) ? "&&" : "||",
                  drawCondition(Levels - 1));
  if (Levels != 0 && chance(8))
    return {Expression::Kind::Not, 0, {}, {drawCondition(Levels - 1)}};
  if (chance(10))
    return drawLeaf();
  const char *Operator = pick(Comparisons);
  return binary(drawValue(1), Operator,
                chance(80) ? constant(drawConstant()) : drawLeaf());
}

/// Mostly of the kind that programs launch with.
Expression Drawer::drawLength() {
  if (chance(40))
    return constant(pick(std::vector<int32_t>{1, 2, 8, 32, 64, 128, 256}));
  if (chance(60))
    return binary(binary(drawLeaf(), "+", constant(31)), "/", constant(32));
  return drawValue(1);
}

Block Drawer::drawBlock(unsigned Most) {
  Block Result;
  ++Depth;
  for (unsigned I = 0, Count = 1 + below(Most); I != Count; ++I)
    Result.push_back(drawStatement());
  --Depth;
  return Result;
}

Statement Drawer::drawAssignment() {
  Statement S;
  if (Usable == 0 || (!Program.Globals.empty() && chance(12))) {
    S.What = Statement::Kind::AssignGlobal;
    S.Target = below(static_cast<unsigned>(Program.Globals.size()));
  } else {
    S.Target = below(Usable);
  }
  if (chance(25))
    S.Operator = chance(70) ? "+" : "-";
  S.Values = {drawValue(2)};
  return S;
}

Statement Drawer::drawBranch() {
  Statement S;
  S.What = Statement::Kind::If;
  S.Values = {drawCondition(2)};
  S.Blocks.push_back(drawBlock(3));
  if (chance(60))
    S.Blocks.push_back(chance(30) && Depth < 4 ? Block{drawBranch()}
                                               : drawBlock(3));
  return S;
}

Statement Drawer::drawSwitch() {
  Statement S;
  S.What = Statement::Kind::Switch;
  S.Values = {drawLeaf()};
  for (unsigned I = 0, Count = 1 + below(3); I != Count; ++I) {
    const int32_t Label = drawConstant();
    if (std::find(S.Labels.begin(), S.Labels.end(), Label) != S.Labels.end())
      continue;
    S.Labels.push_back(Label);
    S.Blocks.push_back(drawBlock(2));
    S.FallsThrough.push_back(chance(15));
  }
  if (chance(60)) {
    S.Blocks.push_back(drawBlock(2));
    S.FallsThrough.push_back(false);
  }
  S.FallsThrough.back() = false;
  return S;
}

Statement Drawer::drawLoop() {
  // A counter of its own, so that the loop ends.
  const unsigned Counter = Current->Locals++;
  Current->InitialValues.push_back(constant(0));
  Statement S;
  ++LoopDepth;
  const unsigned Kind = below(4);
  if (Kind < 2) {
    S.What = Statement::Kind::For;
    S.Target = Counter;
    S.Values = {chance(50)
                    ? constant(static_cast<int32_t>(1 + below(4)))
                    : binary(drawLeaf(), "%",
                             constant(static_cast<int32_t>(2 + below(4))))};
    S.Blocks.push_back(drawBlock(3));
    if (chance(4)) // more than is walked one by one
      S.Values[0] = constant(static_cast<int32_t>(33 + below(20)));
  } else {
    S.What = Kind == 2 ? Statement::Kind::While : Statement::Kind::DoWhile;
    Expression Limit = binary(local(Counter), "<",
                              constant(static_cast<int32_t>(1 + below(4))));
    S.Values = {chance(50) ? Limit : binary(Limit, "&&", drawCondition(0))};
    Statement Step;
    Step.Target = Counter;
    Step.Operator = "+";
    Step.Values = {constant(1)};
    S.Blocks.push_back({Step});
    for (Statement &Inside : drawBlock(3))
      S.Blocks[0].push_back(std::move(Inside));
  }
  --LoopDepth;
  return S;
}

Statement Drawer::drawShape() {
  Statement S;
  S.Target = below(2);
  if (chance(40)) {
    S.What = Statement::Kind::SetDim;
    for (unsigned I = 0, Count = 1 + below(2); I != Count; ++I)
      S.Values.push_back(drawLength());
  } else {
    S.What = Statement::Kind::SetLength;
    S.Component = chance(80) ? 0 : 1;
    S.Values = {drawLength()};
  }
  return S;
}

Statement Drawer::drawLaunch() {
  Statement S;
  S.What = Statement::Kind::Launch;
  S.Target = Current->Pointers != 0 && chance(40);
  S.HasShapes = Current->Shapes != 0 && chance(60);
  if (!S.HasShapes)
    S.Values = {drawLength(), drawLength()};
  S.Values.push_back(chance(70) ? constant(0)
                                : binary(drawLeaf(), "%", constant(64)));
  S.Values.push_back(drawValue(1));
  if (S.Target == 0)
    S.Values.push_back(drawLeaf());
  else
    S.Reference = below(Current->Pointers);
  --LaunchesLeft;
  return S;
}

std::optional<Statement> Drawer::drawCall() {
  Statement S;
  if (!InLambda && !Current->Lambdas.empty() && chance(50)) {
    S.What = Statement::Kind::CallLambda;
    S.Target = below(static_cast<unsigned>(Current->Lambdas.size()));
    S.Values = {drawLeaf()};
    return S;
  }
  std::vector<unsigned> Callable;
  for (unsigned I = 0; I != Program.Functions.size(); ++I)
    if (Program.Functions[I].IsVoid && &Program.Functions[I] != Current)
      Callable.push_back(I);
  if (Callable.empty() || Usable == 0)
    return std::nullopt;
  S.What = Statement::Kind::CallVoid;
  S.Target = pick(Callable);
  const Function &Called = Program.Functions[S.Target];
  S.Reference = below(Usable);
  for (unsigned I = Called.TakesReference; I < Called.Parameters; ++I)
    S.Values.push_back(drawLeaf());
  return S;
}

Statement Drawer::drawStatement() {
  const unsigned Draw = below(100);
  const bool MayNest = Depth < 4;
  if (Draw < 22 && MayNest)
    return drawBranch();
  if (Draw < 29 && MayNest)
    return drawSwitch();
  if (Draw < 36 && MayNest && LoopDepth < 2 && !InLambda)
    return drawLoop();
  if (Draw < 50 && Current->Shapes != 0)
    return drawShape();
  if (Draw < 62 && LaunchesLeft != 0)
    return drawLaunch();
  if (Draw < 72)
    if (std::optional<Statement> Call = drawCall())
      return *Call;
  Statement S;
  if (Draw < 76 && LoopDepth != 0 && Depth > 1) {
    S.What = chance(60) ? Statement::Kind::Break : Statement::Kind::Continue;
    Statement Guard;
    Guard.What = Statement::Kind::If;
    Guard.Values = {drawCondition(1)};
    Guard.Blocks = {{S}};
    return Guard;
  }
  if (Draw < 80 && Depth > 1) {
    S.What =
        IsMain && chance(30) ? Statement::Kind::Exit : Statement::Kind::Return;
    if (S.What == Statement::Kind::Return && !Current->IsVoid && !InLambda)
      S.Values = {drawValue(1)};
    Statement Guard;
    Guard.What = Statement::Kind::If;
    Guard.Values = {drawCondition(1)};
    if (InLambda)
      S = drawAssignment();
    Guard.Blocks = {{S}};
    return Guard;
  }
  if (Draw < 84 && Current->Pointers != 0) {
    S.What =
        chance(70) ? Statement::Kind::Allocate : Statement::Kind::ClearPointer;
    S.Target = below(Current->Pointers);
    return S;
  }
  if (Draw < 88 && Current->Shapes != 0) {
    S.What = Statement::Kind::SetMember;
    S.Component = below(2);
    S.Values = {drawValue(1)};
    return S;
  }
  return drawAssignment();
}

/// What programs do with their command line.
void Drawer::drawWords() {
  Program.Words = 1 + below(3);
  const bool Demands = chance(50);
  if (Demands) {
    Statement Guard, Leave;
    Leave.What = chance(50) ? Statement::Kind::Return : Statement::Kind::Exit;
    if (Leave.What == Statement::Kind::Return)
      Leave.Values = {constant(1)};
    Guard.What = Statement::Kind::If;
    Guard.Values = {binary({Expression::Kind::Words, 0, {}, {}}, "<",
                           constant(static_cast<int32_t>(Program.Words + 1)))};
    Guard.Blocks = {{Leave}};
    Current->Body.push_back(Guard);
  }
  for (unsigned I = 1; I <= Program.Words; ++I) {
    const Expression Word{
        Expression::Kind::Word, static_cast<int32_t>(I), {}, {}};
    const Expression IsThere = binary({Expression::Kind::Words, 0, {}, {}}, ">",
                                      constant(static_cast<int32_t>(I)));
    Statement Read;
    Read.Target = I - 1;
    Read.Values = {Word};
    if (!Demands && chance(50)) {
      Expression Choice{Expression::Kind::Choice, 0, {}, {}};
      Choice.Parts = {IsThere, Word, constant(drawConstant())};
      Read.Values = {Choice};
    } else if (!Demands) {
      Statement Guard;
      Guard.What = Statement::Kind::If;
      Guard.Values = {IsThere};
      Guard.Blocks = {{Read}};
      Read = Guard;
    }
    Current->Body.push_back(Read);
  }
}

void Drawer::drawFunction(bool Main) {
  Function New;
  Current = &New;
  IsMain = Main;
  Depth = LoopDepth = 0;
  New.IsVoid = !Main && chance(60);
  New.Parameters = Main ? 0 : 1 + below(2);
  New.TakesReference = New.IsVoid && chance(50);
  const unsigned Locals = Main ? 3 + below(3) : below(3);
  for (unsigned I = 0; I != Locals; ++I)
    New.InitialValues.push_back(constant(drawConstant()));
  New.Locals = New.Parameters + Locals;
  Usable = New.Locals;
  const bool Launches = Main || (New.IsVoid && chance(40));
  New.Shapes = Launches ? 2 : 0;
  New.Pointers = Launches ? below(3) : 0;
  LaunchesLeft = Launches ? 1 + below(Main ? 4 : 2) : 0;
  if (Main)
    drawWords();
  if (Launches && chance(30)) {
    InLambda = true;
    New.LambdaParameters.push_back(New.Locals++);
    New.InitialValues.push_back(constant(0));
    const unsigned Outside = Usable;
    New.Lambdas.push_back(drawBlock(3));
    Usable = Outside;
    InLambda = false;
  }
  for (unsigned I = 0, Count = (Main ? 4 : 1) + below(Main ? 7 : 3); I != Count;
       ++I)
    New.Body.push_back(drawStatement());
  if (Main && LaunchesLeft != 0)
    New.Body.push_back(drawLaunch());
  if (!New.IsVoid && !Main) {
    Statement Return;
    Return.What = Statement::Kind::Return;
    Return.Values = {drawValue(1)};
    New.Body.push_back(Return);
  }
  Current = nullptr;
  Program.Functions.push_back(std::move(New));
}

HostProgram Drawer::draw() {
  for (unsigned I = 0, Count = 1 + below(2); I != Count; ++I)
    Program.Globals.push_back(drawConstant());
  for (unsigned I = 0, Count = below(4); I != Count; ++I)
    drawFunction(false);
  drawFunction(true);
  return std::move(Program);
}

} // namespace

HostProgram drawProgram(uint64_t Seed) { return Drawer(Seed).draw(); }

} // namespace warpwise::test

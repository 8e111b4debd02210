//===- RunProgram.cpp - What a drawn host program launches ----------------===//

#include "HostProgram.h"

namespace warpwise::test {
namespace {

struct Frame {
  std::vector<int32_t> Locals;
  std::vector<launch::Dim3> Shapes;
  std::vector<bool> IsAllocated;
  int32_t Size = 1;
  float Scale = 0.5F;
  int32_t Result = 0;
};

class Runner {
public:
  Runner(const HostProgram &Program, const std::vector<int32_t> &Words)
      : Program(Program), Words(Words), Globals(Program.Globals) {}

  std::optional<std::vector<HappenedLaunch>> run() {
    call(static_cast<unsigned>(Program.Functions.size()) - 1, {});
    return TooLong ? std::nullopt : std::optional(std::move(Launches));
  }

private:
  enum class Flow { Next, Break, Continue, Return, End };

  const HostProgram &Program;
  const std::vector<int32_t> &Words;
  std::vector<int32_t> Globals;
  std::vector<HappenedLaunch> Launches;
  bool TooLong = false;
  unsigned Steps = 0;
  bool Exited = false;

  bool stop() {
    constexpr unsigned MostSteps = 3000;
    TooLong |= ++Steps > MostSteps;
    return TooLong || Exited;
  }

  std::pair<int32_t, int32_t> call(unsigned Number,
                                   const std::vector<int32_t> &Arguments);
  int32_t evaluate(const Expression &E, Frame &F);
  int32_t applyBinary(const std::string &Operator, int32_t L, int32_t R);
  Flow walk(const Block &B, Frame &F, const Function &In);
  Flow walk(const Statement &S, Frame &F, const Function &In);
  Flow walkSwitch(const Statement &S, Frame &F, const Function &In);
  Flow walkLoop(const Statement &S, Frame &F, const Function &In);
  void launch(const Statement &S, Frame &F);
};

int32_t Runner::applyBinary(const std::string &Operator, int32_t L, int32_t R) {
  const auto UnsignedL = static_cast<uint32_t>(L),
             UnsignedR = static_cast<uint32_t>(R);
  if (Operator == "+")
    return static_cast<int32_t>(UnsignedL + UnsignedR);
  if (Operator == "-")
    return static_cast<int32_t>(UnsignedL - UnsignedR);
  if (Operator == "*")
    return static_cast<int32_t>(UnsignedL * UnsignedR);
  // By positive constants only, but for a run that is given up.
  if (Operator == "/")
    return R > 0 ? L / R : 0;
  if (Operator == "%")
    return R > 0 ? L % R : 0;
  if (Operator == "<")
    return L < R;
  if (Operator == ">")
    return L > R;
  if (Operator == "<=")
    return L <= R;
  if (Operator == ">=")
    return L >= R;
  if (Operator == "==")
    return L == R;
  if (Operator == "!=")
    return L != R;
  return R;
}

int32_t Runner::evaluate(const Expression &E, Frame &F) {
  using Kind = Expression::Kind;
  if (stop())
    return 0;
  const auto part = [&](size_t I) { return evaluate(E.Parts[I], F); };
  switch (E.What) {
  case Kind::Constant:
    return E.Number;
  case Kind::Variable:
    return F.Locals[size_t(E.Number)];
  case Kind::Global:
    return Globals[size_t(E.Number)];
  case Kind::Words:
    return static_cast<int32_t>(Words.size()) + 1;
  case Kind::Word:
    return Words[size_t(E.Number) - 1];
  case Kind::Not:
    return part(0) == 0;
  case Kind::Choice:
    return part(0) ? part(1) : part(2);
  case Kind::Call: {
    std::vector<int32_t> Arguments;
    for (size_t I = 0; I != E.Parts.size(); ++I)
      Arguments.push_back(part(I));
    return call(static_cast<unsigned>(E.Number), Arguments).first;
  }
  case Kind::Binary:
    if (E.Operator == "&&")
      return part(0) && part(1);
    if (E.Operator == "||")
      return part(0) || part(1);
    const int32_t Left = part(0);
    return applyBinary(E.Operator, Left, part(1));
  }
  return 0;
}

/// The result, and what the reference refers to afterwards.
std::pair<int32_t, int32_t>
Runner::call(unsigned Number, const std::vector<int32_t> &Arguments) {
  const Function &Called = Program.Functions[Number];
  Frame F;
  F.Locals = Arguments;
  F.Locals.resize(Called.Locals);
  F.Shapes.assign(Called.Shapes, {1, 1, 1});
  F.IsAllocated.assign(Called.Pointers, false);
  for (size_t I = 0; I != Called.InitialValues.size(); ++I)
    F.Locals[Called.Parameters + I] = evaluate(Called.InitialValues[I], F);
  walk(Called.Body, F, Called);
  return {F.Result, F.Locals.empty() ? 0 : F.Locals[0]};
}

Runner::Flow Runner::walk(const Block &B, Frame &F, const Function &In) {
  for (const Statement &S : B)
    if (const Flow Next = walk(S, F, In); Next != Flow::Next)
      return Next;
  return stop() ? Flow::End : Flow::Next;
}

Runner::Flow Runner::walkSwitch(const Statement &S, Frame &F,
                                const Function &In) {
  const int32_t Value = evaluate(S.Values[0], F);
  size_t Start = S.Labels.size();
  for (size_t I = 0; I != S.Labels.size(); ++I)
    if (S.Labels[I] == Value)
      Start = I;
  for (size_t I = Start; I < S.Blocks.size(); ++I) {
    const Flow Next = walk(S.Blocks[I], F, In);
    if (Next == Flow::Break)
      return Flow::Next;
    if (Next != Flow::Next)
      return Next;
    if (!S.FallsThrough[I])
      break;
  }
  return Flow::Next;
}

Runner::Flow Runner::walkLoop(const Statement &S, Frame &F,
                              const Function &In) {
  using Kind = Statement::Kind;
  if (S.What == Kind::For)
    F.Locals[S.Target] = 0;
  for (bool First = true;; First = false) {
    if (stop())
      return Flow::End;
    if (S.What == Kind::For && F.Locals[S.Target] >= evaluate(S.Values[0], F))
      return Flow::Next;
    if ((S.What == Kind::While || (S.What == Kind::DoWhile && !First)) &&
        !evaluate(S.Values[0], F))
      return Flow::Next;
    const Flow Next = walk(S.Blocks[0], F, In);
    if (Next == Flow::Break)
      return Flow::Next;
    if (Next == Flow::Return || Next == Flow::End)
      return Next;
    if (S.What == Kind::For)
      ++F.Locals[S.Target];
  }
}

void Runner::launch(const Statement &S, Frame &F) {
  HappenedLaunch L;
  L.Kernel = S.Target;
  size_t Next = 0;
  if (S.HasShapes) {
    L.Grid = F.Shapes[0];
    L.Block = F.Shapes[1];
  } else {
    L.Grid[0] = static_cast<uint32_t>(evaluate(S.Values[Next++], F));
    L.Block[0] = static_cast<uint32_t>(evaluate(S.Values[Next++], F));
  }
  L.SharedBytes = static_cast<uint64_t>(int64_t(evaluate(S.Values[Next++], F)));
  L.Integers[0] = evaluate(S.Values[Next++], F);
  if (S.Target == 0)
    L.Integers[1] = evaluate(S.Values[Next++], F);
  else
    L.IsNull = !F.IsAllocated[S.Reference];
  L.Size = F.Size;
  L.Scale = F.Scale;
  if (!stop())
    Launches.push_back(L);
}

Runner::Flow Runner::walk(const Statement &S, Frame &F, const Function &In) {
  using Kind = Statement::Kind;
  if (stop())
    return Flow::End;
  const auto value = [&](size_t I) { return evaluate(S.Values[I], F); };
  const auto assign = [&](int32_t &Target) {
    const int32_t Right = value(0);
    Target =
        S.Operator.empty() ? Right : applyBinary(S.Operator, Target, Right);
  };
  switch (S.What) {
  case Kind::Assign:
    assign(F.Locals[S.Target]);
    break;
  case Kind::AssignGlobal:
    assign(Globals[S.Target]);
    break;
  case Kind::If:
    if (value(0))
      return walk(S.Blocks[0], F, In);
    return S.Blocks.size() > 1 ? walk(S.Blocks[1], F, In) : Flow::Next;
  case Kind::Switch:
    return walkSwitch(S, F, In);
  case Kind::For:
  case Kind::While:
  case Kind::DoWhile:
    return walkLoop(S, F, In);
  case Kind::Break:
    return Flow::Break;
  case Kind::Continue:
    return Flow::Continue;
  case Kind::Return:
    if (!In.IsVoid)
      F.Result = value(0);
    return Flow::Return;
  case Kind::Exit:
    Exited = true;
    return Flow::End;
  case Kind::CallVoid: {
    std::vector<int32_t> Arguments;
    const Function &Called = Program.Functions[S.Target];
    if (Called.TakesReference)
      Arguments.push_back(F.Locals[S.Reference]);
    for (size_t I = 0; I != S.Values.size(); ++I)
      Arguments.push_back(value(I));
    const int32_t After = call(S.Target, Arguments).second;
    if (Called.TakesReference)
      F.Locals[S.Reference] = After;
    break;
  }
  case Kind::CallLambda:
    F.Locals[In.LambdaParameters[S.Target]] = value(0);
    if (walk(In.Lambdas[S.Target], F, In) == Flow::End)
      return Flow::End;
    break;
  case Kind::SetDim:
    for (size_t I = 0; I != 3; ++I)
      F.Shapes[S.Target][I] =
          I < S.Values.size() ? static_cast<uint32_t>(value(I)) : 1;
    break;
  case Kind::SetLength:
    F.Shapes[S.Target][S.Component] = static_cast<uint32_t>(value(0));
    break;
  case Kind::SetMember:
    if (S.Component == 0)
      F.Size = value(0);
    else
      F.Scale = static_cast<float>(value(0)) / 2;
    break;
  case Kind::Allocate:
    F.IsAllocated[S.Target] = true;
    break;
  case Kind::ClearPointer:
    F.IsAllocated[S.Target] = false;
    break;
  case Kind::Launch:
    launch(S, F);
    break;
  }
  return stop() ? Flow::End : Flow::Next;
}

} // namespace

std::optional<std::vector<HappenedLaunch>>
runProgram(const HostProgram &Program, const std::vector<int32_t> &Words) {
  return Runner(Program, Words).run();
}

} // namespace warpwise::test

//===- PrintProgram.cpp - Drawn host programs as source -------------------===//

#include "HostProgram.h"

#include <fmt/format.h>

namespace warpwise::test {
namespace {

class Printer {
public:
  explicit Printer(const HostProgram &Program) : Program(Program) {}

  std::string print();

private:
  const HostProgram &Program;
  std::string Text;

  std::string textOf(const Expression &E) const;
  std::string listOf(const std::vector<Expression> &All,
                     size_t First = 0) const;
  void line(unsigned Depth, const std::string &What) {
    Text += std::string(2 * size_t(Depth), ' ') + What + "\n";
  }
  void print(const Block &B, unsigned Depth, const Function &In);
  void print(const Statement &S, unsigned Depth, const Function &In);
  void printSwitch(const Statement &S, unsigned Depth, const Function &In);
  void printFunction(size_t Number);
  std::string launch(const Statement &S) const;
};

std::string Printer::listOf(const std::vector<Expression> &All,
                            size_t First) const {
  std::string Result;
  for (size_t I = First; I < All.size(); ++I)
    Result += (I == First ? "" : ", ") + textOf(All[I]);
  return Result;
}

std::string Printer::textOf(const Expression &E) const {
  using Kind = Expression::Kind;
  switch (E.What) {
  case Kind::Constant:
    return fmt::format("{}", E.Number);
  case Kind::Variable:
    return fmt::format("v{}", E.Number);
  case Kind::Global:
    return fmt::format("g{}", E.Number);
  case Kind::Words:
    return "argc";
  case Kind::Word:
    return fmt::format("atoi(argv[{}])", E.Number);
  case Kind::Binary:
    return fmt::format("({} {} {})", textOf(E.Parts[0]), E.Operator,
                       textOf(E.Parts[1]));
  case Kind::Not:
    return fmt::format("!{}", textOf(E.Parts[0]));
  case Kind::Choice:
    return fmt::format("({} ? {} : {})", textOf(E.Parts[0]), textOf(E.Parts[1]),
                       textOf(E.Parts[2]));
  case Kind::Call:
    return fmt::format("f{}({})", E.Number, listOf(E.Parts));
  }
  return "";
}

void Printer::print(const Block &B, unsigned Depth, const Function &In) {
  for (const Statement &S : B)
    print(S, Depth, In);
}

void Printer::printSwitch(const Statement &S, unsigned Depth,
                          const Function &In) {
  line(Depth, fmt::format("switch ({}) {{", textOf(S.Values[0])));
  for (size_t I = 0; I != S.Blocks.size(); ++I) {
    line(Depth, I < S.Labels.size() ? fmt::format("case {}:", S.Labels[I])
                                    : "default:");
    print(S.Blocks[I], Depth + 1, In);
    if (!S.FallsThrough[I])
      line(Depth + 1, "break;");
  }
  line(Depth, "}");
}

std::string Printer::launch(const Statement &S) const {
  size_t Next = 0;
  std::string Shapes = "d0, d1";
  if (!S.HasShapes) {
    Shapes = fmt::format("{}, {}", textOf(S.Values[0]), textOf(S.Values[1]));
    Next = 2;
  }
  const std::string Shared = textOf(S.Values[Next++]);
  return S.Target == 0
             ? fmt::format("k0<<<{}, {}>>>({});", Shapes, Shared,
                           listOf(S.Values, Next))
             : fmt::format("k1<<<{}, {}>>>({}, p{}, r);", Shapes, Shared,
                           textOf(S.Values[Next]), S.Reference);
}

void Printer::print(const Statement &S, unsigned Depth, const Function &In) {
  using Kind = Statement::Kind;
  const auto value = [&] { return textOf(S.Values[0]); };
  switch (S.What) {
  case Kind::Assign:
    return line(Depth,
                fmt::format("v{} {}= {};", S.Target, S.Operator, value()));
  case Kind::AssignGlobal:
    return line(Depth,
                fmt::format("g{} {}= {};", S.Target, S.Operator, value()));
  case Kind::If:
    line(Depth, fmt::format("if ({}) {{", value()));
    print(S.Blocks[0], Depth + 1, In);
    if (S.Blocks.size() > 1) {
      line(Depth, "} else {");
      print(S.Blocks[1], Depth + 1, In);
    }
    return line(Depth, "}");
  case Kind::Switch:
    return printSwitch(S, Depth, In);
  case Kind::For:
    line(Depth, fmt::format("for (v{0} = 0; v{0} < {1}; v{0}++) {{", S.Target,
                            value()));
    print(S.Blocks[0], Depth + 1, In);
    return line(Depth, "}");
  case Kind::While:
    line(Depth, fmt::format("while ({}) {{", value()));
    print(S.Blocks[0], Depth + 1, In);
    return line(Depth, "}");
  case Kind::DoWhile:
    line(Depth, "do {");
    print(S.Blocks[0], Depth + 1, In);
    return line(Depth, fmt::format("}} while ({});", value()));
  case Kind::Break:
    return line(Depth, "break;");
  case Kind::Continue:
    return line(Depth, "continue;");
  case Kind::Return:
    return line(Depth,
                In.IsVoid ? "return;" : fmt::format("return {};", value()));
  case Kind::Exit:
    return line(Depth, "exit(1);");
  case Kind::CallVoid: {
    const bool Refers = Program.Functions[S.Target].TakesReference;
    const std::string First = Refers ? fmt::format("v{}", S.Reference) : "";
    return line(Depth, fmt::format("f{}({}{}{});", S.Target, First,
                                   Refers && !S.Values.empty() ? ", " : "",
                                   listOf(S.Values)));
  }
  case Kind::CallLambda:
    return line(Depth, fmt::format("l{}({});", S.Target, value()));
  case Kind::SetDim:
    return line(Depth,
                fmt::format("d{} = dim3({});", S.Target, listOf(S.Values)));
  case Kind::SetLength:
    return line(Depth, fmt::format("d{}.{} = {};", S.Target, "xyz"[S.Component],
                                   value()));
  case Kind::SetMember:
    return line(Depth, S.Component == 0
                           ? fmt::format("r.Size = {};", value())
                           : fmt::format("r.Scale = {} / 2.0f;", value()));
  case Kind::Allocate:
    return line(Depth,
                fmt::format("cudaMalloc((void **)&p{}, 256);", S.Target));
  case Kind::ClearPointer:
    return line(Depth, fmt::format("p{} = nullptr;", S.Target));
  case Kind::Launch:
    return line(Depth, launch(S));
  }
}

void Printer::printFunction(size_t Number) {
  const Function &F = Program.Functions[Number];
  if (Number + 1 == Program.Functions.size()) {
    line(0, "int main(int argc, char **argv) {");
  } else {
    std::string Parameters;
    for (unsigned I = 0; I != F.Parameters; ++I)
      Parameters += fmt::format("{}int {}v{}", I ? ", " : "",
                                I == 0 && F.TakesReference ? "&" : "", I);
    line(0, fmt::format("{} f{}({}) {{", F.IsVoid ? "void" : "int", Number,
                        Parameters));
  }
  for (size_t I = 0; I != F.InitialValues.size(); ++I)
    line(1, fmt::format("int v{} = {};", F.Parameters + I,
                        textOf(F.InitialValues[I])));
  for (unsigned I = 0; I != F.Shapes; ++I)
    line(1, fmt::format("dim3 d{};", I));
  for (unsigned I = 0; I != F.Pointers; ++I)
    line(1, fmt::format("float *p{} = nullptr;", I));
  if (F.Shapes)
    line(1, "Record r = {1, 0.5f};");
  for (size_t I = 0; I != F.Lambdas.size(); ++I) {
    Function Inside;
    Inside.IsVoid = true;
    line(1,
         fmt::format("auto l{} = [&](int v{}) {{", I, F.LambdaParameters[I]));
    print(F.Lambdas[I], 2, Inside);
    line(1, "};");
  }
  print(F.Body, 1, F);
  if (!F.IsVoid)
    line(1, "return 0;");
  line(0, "}");
}

std::string Printer::print() {
  line(0, "struct Record { int Size; float Scale; };");
  line(0, "__global__ void k0(int a, int b) {}");
  line(0, "__global__ void k1(int a, float *p, Record r) {}");
  for (size_t I = 0; I != Program.Globals.size(); ++I)
    line(0, fmt::format("int g{} = {};", I, Program.Globals[I]));
  for (size_t I = 0; I != Program.Functions.size(); ++I)
    printFunction(I);
  return Text;
}

} // namespace

std::string printProgram(const HostProgram &Program) {
  return Printer(Program).print();
}

} // namespace warpwise::test

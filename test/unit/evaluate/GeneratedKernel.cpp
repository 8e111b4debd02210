//===- GeneratedKernel.cpp - Random kernels as text -----------------------===//

#include "test/unit/evaluate/GeneratedKernel.h"

#include <fmt/format.h>

#include <iterator>

namespace warpwise::test {
namespace {

/// In the order of Op.
constexpr const char *OpNames[] = {
    "?",          "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockDim.x",
    "blockDim.y", "blockDim.z",  "blockIdx.x",  "blockIdx.y",  "blockIdx.z",
    "gridDim.x",  "gridDim.y",   "gridDim.z",   "laneid",      "?",
    "?",          "+",           "-",           "*",           "/u",
    "/s",         "%u",          "%s",          "<<",          ">>u",
    ">>s",        "&",           "|",           "^",           "mins",
    "maxs",       "minu",        "maxu",        "mulhi",       "rotl",
    "sext64",     "zext64",      "trunc32",     "sext8",       "zext16",
    "popc",       "clz",         "brev",        "abs",         "?",
    "==",         "!=",          "<u",          "<=u",         ">u",
    "<s",         ">s",          ">=s",         "&&",          "||",
    "^^",         "!",           "loaded"};
static_assert(std::size(OpNames) == size_t(Op::LoadedByThread) + 1);

const char *nameOf(Op What) { return OpNames[size_t(What)]; }

std::string text(const Expression &E) {
  switch (E.What) {
  case Op::Constant:
    return std::to_string(E.Number);
  case Op::Argument:
    return fmt::format("arg{}", E.Number);
  case Op::Variable:
    return fmt::format("v{}", E.Number);
  case Op::Choose:
    return fmt::format("({} ? {} : {})", text(*E.A), text(*E.B), text(*E.C));
  default:
    break;
  }
  if (!E.A)
    return nameOf(E.What);
  if (!E.B)
    return fmt::format("{}({})", nameOf(E.What), text(*E.A));
  return fmt::format("({} {} {})", text(*E.A), nameOf(E.What), text(*E.B));
}

class Printer {
  const GeneratedKernel &K;
  int Marked;
  std::string Out;

public:
  Printer(const GeneratedKernel &K, int Marked) : K(K), Marked(Marked) {}

  std::string print() {
    list(K.Body, 1);
    return std::move(Out);
  }

private:
  void line(unsigned Depth, const std::string &Text) {
    Out += std::string(2 * Depth, ' ') + Text + '\n';
  }

  void access(unsigned Number, unsigned Depth) {
    const MemoryAccess &A = K.Accesses[Number];
    const char *Verb = A.Op == access::Operation::Load    ? "load"
                       : A.Op == access::Operation::Store ? "store"
                       : A.AddsConstant                   ? "add constant to"
                                                          : "atomic on";
    const std::string Row =
        A.Row ? fmt::format("[{}]", text(*A.Row)) : std::string();
    line(Depth,
         fmt::format("{}{}{} {} bytes of {}{} object{}{}[{}] (rows of {}, "
                     "elements of {}, field at {}, starts at {})",
                     int(Number) == Marked ? "==> " : "",
                     A.Volatile ? "volatile " : "", Verb, A.Bytes,
                     nameOf(A.Memory), A.ThroughGeneric ? " generic" : "",
                     Number, Row, text(*A.Index), A.RowElements, A.Stride,
                     A.Field, A.Offset));
  }

  void loop(const Statement &S, unsigned Depth) {
    std::string First, Next;
    for (const Statement::Variable &V : S.Variables) {
      First += fmt::format(" v{} = {};", V.Number, text(*V.First));
      Next += fmt::format(" v{} = {};", V.Number, text(*V.Next));
    }
    line(Depth, fmt::format("{} {};{}; at the same time:{} {{",
                            S.TestsAtEnd ? "do-for" : "for", First,
                            text(*S.Condition), Next));
    list(S.Then, Depth + 1);
    line(Depth, "}");
  }

  void branch(const Statement &S, unsigned Depth) {
    line(Depth, fmt::format("if ({}) {{", text(*S.Condition)));
    list(S.Then, Depth + 1);
    if (S.Merged >= 0)
      line(Depth + 1, fmt::format("v{} = {}", S.Merged, text(*S.ThenValue)));
    line(Depth, "} else {");
    list(S.Else, Depth + 1);
    if (S.Merged >= 0)
      line(Depth + 1, fmt::format("v{} = {}", S.Merged, text(*S.ElseValue)));
    line(Depth, "}");
  }

  void list(const std::vector<Statement> &Body, unsigned Depth) {
    for (const Statement &S : Body)
      switch (S.What) {
      case Statement::Kind::Access:
        access(S.Access, Depth);
        break;
      case Statement::Kind::If:
        branch(S, Depth);
        break;
      case Statement::Kind::Loop:
        loop(S, Depth);
        break;
      case Statement::Kind::Break:
        line(Depth, fmt::format("if ({}) break", text(*S.Condition)));
        break;
      case Statement::Kind::Continue:
        line(Depth, fmt::format("if ({}) continue", text(*S.Condition)));
        break;
      case Statement::Kind::Return:
        line(Depth, fmt::format("if ({}) return", text(*S.Condition)));
        break;
      }
  }
};

} // namespace

std::string toString(const GeneratedKernel &K, int Marked) {
  return fmt::format("kernel with seed {}:\n{}", K.Seed,
                     Printer(K, Marked).print());
}

std::string toString(const KernelLaunch &Launch) {
  std::string Text = fmt::format(
      "grid {}x{}x{}, block {}x{}x{}", Launch.Grid[0], Launch.Grid[1],
      Launch.Grid[2], Launch.Block[0], Launch.Block[1], Launch.Block[2]);
  for (size_t N = 0; N != Launch.Arguments.size(); ++N)
    Text += fmt::format(", arg{} = {}", N, Launch.Arguments[N]);
  return Text;
}

} // namespace warpwise::test

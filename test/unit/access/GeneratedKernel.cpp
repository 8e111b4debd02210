//===- GeneratedKernel.cpp - Random kernels as text -----------------------===//

#include "test/unit/access/GeneratedKernel.h"

#include <fmt/format.h>

namespace warpwise::test {
namespace {

const char *nameOf(Op What) {
  switch (What) {
  case Op::TidX:
    return "threadIdx.x";
  case Op::TidY:
    return "threadIdx.y";
  case Op::TidZ:
    return "threadIdx.z";
  case Op::NtidX:
    return "blockDim.x";
  case Op::NtidY:
    return "blockDim.y";
  case Op::NtidZ:
    return "blockDim.z";
  case Op::CtaidX:
    return "blockIdx.x";
  case Op::CtaidY:
    return "blockIdx.y";
  case Op::CtaidZ:
    return "blockIdx.z";
  case Op::NctaidX:
    return "gridDim.x";
  case Op::NctaidY:
    return "gridDim.y";
  case Op::NctaidZ:
    return "gridDim.z";
  case Op::LaneId:
    return "laneid";
  case Op::Add:
    return "+";
  case Op::Sub:
    return "-";
  case Op::Mul:
    return "*";
  case Op::UDiv:
    return "/u";
  case Op::SDiv:
    return "/s";
  case Op::URem:
    return "%u";
  case Op::SRem:
    return "%s";
  case Op::Shl:
    return "<<";
  case Op::LShr:
    return ">>u";
  case Op::AShr:
    return ">>s";
  case Op::And:
    return "&";
  case Op::Or:
    return "|";
  case Op::Xor:
    return "^";
  case Op::MinS:
    return "mins";
  case Op::MaxS:
    return "maxs";
  case Op::MinU:
    return "minu";
  case Op::MaxU:
    return "maxu";
  case Op::MulHighU:
    return "mulhi";
  case Op::RotateLeft:
    return "rotl";
  case Op::SignExtend:
    return "sext64";
  case Op::ZeroExtend:
    return "zext64";
  case Op::Truncate:
    return "trunc32";
  case Op::SignExtend8:
    return "sext8";
  case Op::ZeroExtend16:
    return "zext16";
  case Op::CountOnes:
    return "popc";
  case Op::LeadingZeros:
    return "clz";
  case Op::ReverseBits:
    return "brev";
  case Op::Absolute:
    return "abs";
  case Op::Equal:
    return "==";
  case Op::NotEqual:
    return "!=";
  case Op::LessU:
    return "<u";
  case Op::LessEqualU:
    return "<=u";
  case Op::GreaterU:
    return ">u";
  case Op::LessS:
    return "<s";
  case Op::GreaterS:
    return ">s";
  case Op::GreaterEqualS:
    return ">=s";
  case Op::BothOf:
    return "&&";
  case Op::EitherOf:
    return "||";
  case Op::OneOf:
    return "^^";
  case Op::Not:
    return "!";
  case Op::LoadedByThread:
    return "loaded";
  case Op::Constant:
  case Op::Argument:
  case Op::Variable:
  case Op::Choose:
    break;
  }
  return "?";
}

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

const char *nameOf(access::Space Memory) {
  return Memory == access::Space::Shared     ? "shared"
         : Memory == access::Space::Constant ? "constant"
                                             : "global";
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

//===- ThreadRun.cpp - One thread of a generated kernel -------------------===//

#include "test/unit/evaluate/ThreadRun.h"

#include <algorithm>
#include <bit>

namespace warpwise::test {
namespace {

constexpr unsigned MostRounds = 40;     ///< of a loop; longer ones are redrawn
constexpr unsigned MostAccesses = 1200; ///< of a thread
constexpr int64_t FarIndex = 1 << 16;

using Wide = __int128;
using UnsignedWide = unsigned __int128;

/// The low \p Bits of \p Value, read as a signed number.
int64_t asSigned(uint64_t Value, unsigned Bits) {
  return Bits == 64 ? int64_t(Value) : int64_t(int32_t(uint32_t(Value)));
}

uint64_t cut(uint64_t Value, unsigned Bits) {
  return Bits == 64 ? Value : Bits == 32 ? uint32_t(Value) : Value & 1;
}

/// What an operation gives before it is cut to its width.
struct Unbounded {
  Wide Signed;
  bool WrapsUnsigned;
};

/// The operations that may leave their width.
Unbounded arithmetic(const Expression &E, uint64_t A, uint64_t B) {
  const Wide SA = asSigned(A, E.Bits), SB = asSigned(B, E.Bits);
  const UnsignedWide UA = A, UB = B;
  auto tooWide = [&](UnsignedWide Value) { return Value >> E.Bits != 0; };
  switch (E.What) {
  case Op::Add:
    return {SA + SB, tooWide(UA + UB)};
  case Op::Sub:
    return {SA - SB, A < B};
  case Op::Mul:
    return {SA * SB, tooWide(UA * UB)};
  default: // Shl
    return {SA << B, tooWide(UA << B)};
  }
}

uint64_t bitwise(const Expression &E, uint64_t A, uint64_t B) {
  const unsigned W = E.Bits;
  const int64_t SA = asSigned(A, W), SB = asSigned(B, W);
  switch (E.What) {
  case Op::UDiv:
    return A / B;
  case Op::URem:
    return A % B;
  case Op::SDiv:
    return uint64_t(SA / SB);
  case Op::SRem:
    return uint64_t(SA % SB);
  case Op::LShr:
    return A >> B;
  case Op::AShr:
    return uint64_t(SA >> B);
  case Op::And:
    return A & B;
  case Op::Or:
    return A | B;
  case Op::Xor:
  case Op::OneOf:
    return A ^ B;
  case Op::MinS:
    return SA < SB ? A : B;
  case Op::MaxS:
    return SA > SB ? A : B;
  case Op::MinU:
    return std::min(A, B);
  case Op::MaxU:
    return std::max(A, B);
  case Op::MulHighU:
    return uint64_t(A * B >> 32);
  case Op::RotateLeft:
    return W == 64 ? std::rotl(A, int(B)) : std::rotl(uint32_t(A), int(B));
  default:
    return 0;
  }
}

uint64_t oneOperand(const Expression &E, uint64_t A) {
  switch (E.What) {
  case Op::SignExtend:
    return uint64_t(asSigned(A, 32));
  case Op::ZeroExtend:
  case Op::Truncate:
    return A;
  case Op::SignExtend8:
    return uint64_t(int64_t(int8_t(uint8_t(A))));
  case Op::ZeroExtend16:
    return uint16_t(A);
  case Op::CountOnes:
    return uint64_t(std::popcount(A));
  case Op::LeadingZeros:
    return uint64_t(E.Bits == 64 ? std::countl_zero(A)
                                 : std::countl_zero(uint32_t(A)));
  case Op::ReverseBits: {
    uint64_t Reversed = 0;
    for (unsigned N = 0; N != E.Bits; ++N)
      if (A & (uint64_t(1) << N))
        Reversed |= uint64_t(1) << (E.Bits - 1 - N);
    return Reversed;
  }
  case Op::Absolute:
    return asSigned(A, E.Bits) < 0 ? 0 - A : A;
  default: // Not
    return !A;
  }
}

/// \p W: the width of the operands.
bool compare(Op What, uint64_t A, uint64_t B, unsigned W) {
  const int64_t SA = asSigned(A, W), SB = asSigned(B, W);
  switch (What) {
  case Op::Equal:
    return A == B;
  case Op::NotEqual:
    return A != B;
  case Op::LessU:
    return A < B;
  case Op::LessEqualU:
    return A <= B;
  case Op::GreaterU:
    return A > B;
  case Op::LessS:
    return SA < SB;
  case Op::GreaterS:
    return SA > SB;
  default: // GreaterEqualS
    return SA >= SB;
  }
}

} // namespace

/// Memory as programs have it: all the same, a permutation, small numbers,
/// sorted ones, anything.
uint32_t ThreadRun::loaded(uint32_t Index) const {
  const uint64_t Seed = Launch.Memory / 5;
  const uint64_t Mixed = (Seed + Index + 1) * 0x9e3779b97f4a7c15;
  switch (Launch.Memory % 5) {
  case 0:
    return uint32_t(Seed % 100);
  case 1:
    return Index ^ uint32_t(Seed % 64);
  case 2:
    return uint32_t(Mixed >> 40) % 64;
  case 3:
    return Index / 3 + uint32_t(Seed % 50);
  default:
    return uint32_t(Mixed >> 29);
  }
}

uint64_t ThreadRun::leaf(const Expression &E) const {
  switch (E.What) {
  case Op::TidX:
  case Op::TidY:
  case Op::TidZ:
    return Thread[size_t(E.What) - size_t(Op::TidX)];
  case Op::NtidX:
  case Op::NtidY:
  case Op::NtidZ:
    return Launch.Block[size_t(E.What) - size_t(Op::NtidX)];
  case Op::CtaidX:
  case Op::CtaidY:
  case Op::CtaidZ:
    return Block[size_t(E.What) - size_t(Op::CtaidX)];
  case Op::NctaidX:
  case Op::NctaidY:
  case Op::NctaidZ:
    return Launch.Grid[size_t(E.What) - size_t(Op::NctaidX)];
  case Op::LaneId:
    return (Thread[0] +
            Launch.Block[0] * (Thread[1] + Launch.Block[1] * Thread[2])) %
           32;
  case Op::LoadedByThread:
    return loaded(uint32_t(Block[0] * Launch.Block[0] + Thread[0]));
  case Op::Argument:
    return uint64_t(Launch.Arguments[E.Number]);
  case Op::Variable:
    return Variables[E.Number];
  default:
    return uint64_t(E.Number);
  }
}

uint64_t ThreadRun::value(const Expression &E) const {
  if (!E.A)
    return cut(leaf(E), E.Bits);
  const uint64_t A = value(*E.A);
  switch (E.What) {
  case Op::Choose:
    return value(A ? *E.B : *E.C);
  case Op::BothOf:
    return A && value(*E.B);
  case Op::EitherOf:
    return A || value(*E.B);
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Shl: {
    const Unbounded Full = arithmetic(E, A, value(*E.B));
    const Wide Half = Wide(1) << (E.Bits - 1);
    E.WrapsSigned |= Full.Signed < -Half || Full.Signed >= Half;
    E.WrapsUnsigned |= Full.WrapsUnsigned;
    return cut(uint64_t(Full.Signed), E.Bits);
  }
  case Op::Equal:
  case Op::NotEqual:
  case Op::LessU:
  case Op::LessEqualU:
  case Op::GreaterU:
  case Op::LessS:
  case Op::GreaterS:
  case Op::GreaterEqualS:
    return compare(E.What, A, value(*E.B), E.A->Bits);
  default:
    return cut(E.B ? bitwise(E, A, value(*E.B)) : oneOperand(E, A), E.Bits);
  }
}

void ThreadRun::access(unsigned Number, uint64_t Iterations) {
  if (++Count > MostAccesses)
    TooLong = true;
  const MemoryAccess &A = K.Accesses[Number];
  auto indexOf = [&](const Expression &E) {
    const int64_t Index = asSigned(value(E), E.Bits);
    if (Index < 0 || Index >= FarIndex)
      A.StaysInBounds = false;
    return uint64_t(Index);
  };
  // Each object lies far from all others, at an address that the unit of
  // every count divides.
  uint64_t Address = (uint64_t(Number) + 1) << 40;
  Address += uint64_t(A.Offset) + A.Field;
  Address += indexOf(*A.Index) * A.Stride;
  if (A.Row)
    Address += indexOf(*A.Row) * A.RowElements * A.Stride;
  Made.push_back({Number, Iterations, Address});
}

ThreadRun::After ThreadRun::loop(const Statement &S, uint64_t Outer) {
  for (const Statement::Variable &V : S.Variables)
    Variables[V.Number] = value(*V.First);
  for (unsigned Round = 0;; ++Round) {
    if (!S.TestsAtEnd && !holds(S.Condition))
      return After::GoOn;
    if (Round == MostRounds)
      TooLong = true;
    if (TooLong)
      return After::Return;
    const After Left = execute(S.Then, Outer << 8 | Round);
    if (Left == After::Return)
      return Left;
    if (Left == After::Break)
      return After::GoOn;
    std::vector<uint64_t> Next;
    for (const Statement::Variable &V : S.Variables)
      Next.push_back(value(*V.Next));
    for (size_t N = 0; N != Next.size(); ++N)
      Variables[S.Variables[N].Number] = Next[N];
    if (S.TestsAtEnd && !holds(S.Condition))
      return After::GoOn;
  }
}

ThreadRun::After ThreadRun::execute(const std::vector<Statement> &List,
                                    uint64_t Iterations) {
  for (const Statement &S : List) {
    After Next = After::GoOn;
    switch (S.What) {
    case Statement::Kind::Access:
      access(S.Access, Iterations);
      break;
    case Statement::Kind::If: {
      const bool Taken = holds(S.Condition);
      Next = execute(Taken ? S.Then : S.Else, Iterations);
      if (Next == After::GoOn && S.Merged >= 0)
        Variables[S.Merged] = value(Taken ? *S.ThenValue : *S.ElseValue);
      break;
    }
    case Statement::Kind::Loop:
      Next = loop(S, Iterations);
      break;
    case Statement::Kind::Break:
      Next = holds(S.Condition) ? After::Break : After::GoOn;
      break;
    case Statement::Kind::Continue:
      Next = holds(S.Condition) ? After::Continue : After::GoOn;
      break;
    case Statement::Kind::Return:
      Next = holds(S.Condition) ? After::Return : After::GoOn;
      break;
    }
    if (Next != After::GoOn || TooLong)
      return TooLong ? After::Return : Next;
  }
  return After::GoOn;
}

bool ThreadRun::run(const std::array<uint32_t, 3> &InBlock,
                    const std::array<uint32_t, 3> &As) {
  Block = InBlock;
  Thread = As;
  Variables.assign(K.VariableBits.size(), 0);
  Count = 0;
  TooLong = false;
  execute(K.Body, 0);
  return !TooLong;
}

} // namespace warpwise::test

//===- Generator.cpp - Draws random kernels -------------------------------===//

#include "test/unit/evaluate/Generator.h"

#include "test/unit/evaluate/ExpressionGenerator.h"
#include "test/unit/evaluate/LaunchGenerator.h"

namespace warpwise::test {
namespace {

using access::Operation;
using access::Space;

constexpr unsigned MostAccesses = 10;
constexpr unsigned LaunchesOfKernel = 2;

class KernelGenerator {
  GeneratedKernel K;
  Dice Random;
  ExpressionGenerator Expressions{K, Random};
  unsigned AccessesLeft = 0;
  bool InLoop = false;
  /// Loads that are not volatile may stay in registers. Whether they do is
  /// clear only when nothing is written between them.
  enum class Contents {
    Volatile,
    LoadsOnly,
    WritesOnly
  } Sort = Contents::Volatile;

public:
  explicit KernelGenerator(uint64_t Seed) : Random(Seed) { K.Seed = Seed; }

  GeneratedKernel drawKnown() {
    Sort = Random.oneOf({Contents::Volatile, Contents::Volatile,
                         Contents::LoadsOnly, Contents::WritesOnly});
    drawArguments();
    AccessesLeft = unsigned(Random.between(4, MostAccesses));
    while (AccessesLeft > 0)
      drawList(K.Body, 0, 0);
    for (unsigned N = 0; N != LaunchesOfKernel; ++N)
      K.Launches.push_back(drawLaunch(Random, K.ArgumentBits, 1));
    return std::move(K);
  }

  GeneratedKernel drawDataDependent() {
    drawArguments();
    const Expression *Loaded = Expressions.make(Op::LoadedByThread, 32);
    switch (Random.below(4)) {
    case 0:
      addAccess(K.Body, mixedWith(Loaded));
      break;
    case 1:
      guard(Loaded);
      break;
    case 2:
      loopUntil(Loaded);
      break;
    default:
      exitValueOf(Loaded);
      break;
    }
    K.Launches.push_back(drawLaunch(Random, K.ArgumentBits, 2));
    return std::move(K);
  }

private:
  //===--------------------------------------------------------------------===//
  // Arguments
  //===--------------------------------------------------------------------===//

  void drawArguments() {
    for (unsigned N = 0; N != 3; ++N)
      K.ArgumentBits.push_back(Random.percent(75) ? 32 : 64);
  }

  //===--------------------------------------------------------------------===//
  // Accesses
  //===--------------------------------------------------------------------===//

  /// The index of most accesses: affine, or something more twisted.
  const Expression *drawIndex() {
    const unsigned Bits = Random.percent(75) ? 32 : 64;
    const Expression *Index =
        Random.percent(35)
            ? Expressions.drawAffine(Bits)
            : Expressions.draw(Bits, unsigned(Random.between(1, 4)));
    if (Random.percent(25)) // into a tile or a table
      Index = Expressions.make(
          Op::And, Bits, Index,
          Expressions.constant(Random.oneOf({31, 63, 255, 1023}), Bits));
    if (Bits == 32 && Random.percent(70))
      Index = Expressions.make(
          Random.percent(60) ? Op::SignExtend : Op::ZeroExtend, 64, Index);
    return Index;
  }

  void addAccess(std::vector<Statement> &List, const Expression *Index) {
    MemoryAccess A;
    A.Memory = Random.oneOf({Space::Global, Space::Global, Space::Shared,
                             Space::Shared, Space::Constant});
    if (Sort == Contents::WritesOnly && A.Memory == Space::Constant)
      A.Memory = Space::Shared;
    drawOperation(A);
    A.Bytes = A.Op == Operation::Atomic
                  ? Random.oneOf({4u, 8u})
                  : Random.oneOf({1u, 2u, 4u, 4u, 4u, 8u, 8u, 16u});
    A.AddsConstant = A.Op == Operation::Atomic && Random.percent(40);
    // Shared memory has no additions of 8 bytes: SwapLoopTest.
    A.AddsConstant &= A.Memory != Space::Shared || A.Bytes == 4;
    A.Volatile = Sort == Contents::Volatile && A.Op != Operation::Atomic;
    A.Stride = A.Bytes;
    if (Random.percent(20)) {
      A.Stride = A.Bytes * unsigned(Random.between(2, 5));
      A.Field = A.Bytes * unsigned(Random.below(A.Stride / A.Bytes));
    }
    A.Index = Index;
    if (Random.percent(20)) {
      A.RowElements = Random.oneOf({16u, 17u, 32u, 33u, 64u, 20u});
      A.Row = drawIndex();
    }
    if (A.Memory == Space::Global)
      A.Offset = int64_t(Random.percent(30) ? Random.below(40) * A.Bytes : 0);
    A.ThroughGeneric = Random.percent(50);
    A.ThroughBytes = Random.percent(15);
    Statement S(Statement::Kind::Access);
    S.Access = unsigned(K.Accesses.size());
    List.push_back(std::move(S));
    K.Accesses.push_back(A);
  }

  void drawOperation(MemoryAccess &A) {
    if (A.Memory == Space::Constant || Sort == Contents::LoadsOnly)
      A.Op = Operation::Load;
    else if (Sort == Contents::WritesOnly)
      A.Op = Random.oneOf({Operation::Store, Operation::Atomic});
    else
      A.Op = Random.oneOf({Operation::Load, Operation::Load, Operation::Store,
                           Operation::Store, Operation::Atomic});
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  int newVariable(unsigned Bits) {
    K.VariableBits.push_back(Bits);
    return int(K.VariableBits.size()) - 1;
  }

  void drawList(std::vector<Statement> &List, unsigned Depth, unsigned Loops) {
    const unsigned Count = unsigned(Random.between(1, 4));
    for (unsigned N = 0; N != Count && AccessesLeft > 0; ++N) {
      const unsigned At = unsigned(Random.below(100));
      if (At < 24 && Depth < 3) {
        drawIf(List, Depth, Loops);
      } else if (At < 48 && Loops < 3 && Depth < 4) {
        drawLoop(List, Depth, Loops);
      } else if (At < 51 && Depth > 0) {
        addJump(List, Statement::Kind::Return);
      } else if (At < 57 && InLoop) {
        addJump(List, Random.oneOf(
                          {Statement::Kind::Break, Statement::Kind::Continue}));
      } else {
        --AccessesLeft;
        addAccess(List, drawIndex());
        K.Accesses.back().LoopDepth = Loops;
      }
    }
  }

  void addJump(std::vector<Statement> &List, Statement::Kind What) {
    Statement S(What);
    // Mostly one that few lanes meet: what follows is to be reached.
    S.Condition = Expressions.drawCondition(1);
    if (Random.percent(70))
      S.Condition =
          Expressions.make(Op::Equal, 1, Expressions.drawAffine(32),
                           Expressions.constant(Random.between(0, 40)));
    List.push_back(std::move(S));
  }

  void drawIf(std::vector<Statement> &List, unsigned Depth, unsigned Loops) {
    Statement S(Statement::Kind::If);
    S.Condition = Expressions.drawCondition(2);
    const std::vector<int> Outside = Expressions.Scope;
    drawList(S.Then, Depth + 1, Loops);
    const bool Merges = Random.percent(40);
    if (Merges)
      S.ThenValue = Expressions.draw(32, 2);
    Expressions.Scope = Outside;
    if (Random.percent(40))
      drawList(S.Else, Depth + 1, Loops);
    if (Merges) {
      S.ElseValue = Expressions.draw(32, 2);
      S.Merged = newVariable(32);
    }
    Expressions.Scope = Outside;
    if (Merges)
      Expressions.Scope.push_back(S.Merged);
    List.push_back(std::move(S));
  }

  void drawLoop(std::vector<Statement> &List, unsigned Depth, unsigned Loops) {
    Statement S(Statement::Kind::Loop);
    S.TestsAtEnd = Random.percent(30);
    const size_t Outside = Expressions.Scope.size();
    const unsigned Bits = Random.percent(85) ? 32 : 64;
    const int Counter = newVariable(Bits);
    drawCounter(S, Counter, Bits);
    Expressions.Scope.push_back(Counter);
    if (Random.percent(30)) { // a second variable, such as an offset
      const int Carried = newVariable(32);
      Expressions.Scope.pop_back();
      const Expression *First = Expressions.draw(32, 1);
      Expressions.Scope.push_back(Carried);
      Expressions.Scope.push_back(Counter);
      const Op What = Random.oneOf({Op::Add, Op::Add, Op::Xor, Op::Sub});
      const Expression *Next = Expressions.make(
          What, 32, Expressions.variable(Carried), Expressions.draw(32, 1));
      S.Variables.push_back({Carried, First, Next});
    }
    const size_t Inside = Expressions.Scope.size();
    const bool Before = InLoop;
    InLoop = true;
    drawList(S.Then, Depth + 1, Loops + 1);
    InLoop = Before;
    // What the body made is gone; the loop's own variables keep their last
    // values, unless there may be none.
    Expressions.Scope.resize(Inside);
    if (Random.percent(30))
      Expressions.Scope.resize(Outside);
    List.push_back(std::move(S));
  }

  /// First value, condition and step of a loop, of the forms that are common.
  void drawCounter(Statement &S, int Counter, unsigned Bits) {
    auto wide = [&](const Expression *E) {
      return Bits == 64 ? Expressions.make(Op::ZeroExtend, 64, E) : E;
    };
    auto number = [&](int64_t Value) {
      return Expressions.constant(Value, Bits);
    };
    const Expression *I = Expressions.variable(Counter);
    const Op Less = Random.percent(70) ? Op::LessS : Op::LessU;
    const Expression *First = number(Random.percent(70) ? 0 : Random.below(9));
    const Expression *Next = nullptr;
    switch (Random.below(7)) {
    case 0: { // a known number of rounds
      const int64_t Step = Random.oneOf({1, 1, 1, 2, 3, 4, 16, 32});
      Next = Expressions.make(Op::Add, Bits, I, number(Step));
      S.Condition = Expressions.make(
          Less, 1, I, number(First->Number + Step * Random.between(0, 6)));
      break;
    }
    case 1: // as many as the lane says
      Next = Expressions.make(Op::Add, Bits, I, number(1));
      S.Condition = Expressions.make(
          Less, 1, I, wide(Expressions.drawSmall(Random.oneOf({1u, 3u, 7u}))));
      break;
    case 2: // i >>= 1
      First = number(int64_t(1) << Random.between(0, 6));
      if (Random.percent(30))
        First = wide(Expressions.drawSmall(63));
      Next = Expressions.make(Random.percent(50) ? Op::LShr : Op::AShr, Bits, I,
                              number(1));
      S.Condition =
          Expressions.make(Op::GreaterS, 1, I, number(Random.below(2)));
      break;
    case 3: // i <<= 1
      First = number(1);
      Next = Random.percent(50) ? Expressions.make(Op::Shl, Bits, I, number(1))
                                : Expressions.make(Op::Mul, Bits, I, number(2));
      S.Condition = Expressions.make(Less, 1, I, number(Random.between(1, 70)));
      break;
    case 4: { // i = threadIdx.x; i < n; i += blockDim.x
      First = wide(Expressions.make(Op::TidX, 32));
      Next = Expressions.make(Op::Add, Bits, I,
                              wide(Expressions.make(Op::NtidX, 32)));
      const Expression *Bound =
          Expressions.make(Op::Mul, 32, Expressions.make(Op::NtidX, 32),
                           Expressions.constant(Random.between(1, 3)));
      Bound = Expressions.make(Op::Add, 32, Bound,
                               Expressions.constant(Random.between(-5, 20)));
      S.Condition = Expressions.make(
          Less, 1, I,
          wide(Random.percent(70)
                   ? Bound
                   : Expressions.constant(Random.between(10, 200))));
      break;
    }
    case 5: // i != 0; --i
      First = wide(Expressions.drawSmall(7));
      Next = Expressions.make(Op::Sub, Bits, I, number(1));
      S.Condition = Expressions.make(Op::NotEqual, 1, I, number(0));
      break;
    default: // from an outer variable or a lane number upwards
      First = Expressions.drawLeaf(Bits);
      Next = Expressions.make(Op::Add, Bits, I, number(Random.between(1, 9)));
      S.Condition = Expressions.make(Less, 1, I, number(Random.between(8, 40)));
    }
    S.Variables.push_back({Counter, First, Next});
  }

  //===--------------------------------------------------------------------===//
  // Data dependence
  //===--------------------------------------------------------------------===//

  const Expression *mixedWith(const Expression *Loaded) {
    const Expression *Known = Expressions.draw(32, 2);
    switch (Random.below(8)) {
    case 0:
      return Expressions.make(Op::Xor, 32, Loaded, Known);
    case 1:
      return Expressions.make(Op::SignExtend, 64,
                              Expressions.make(Op::Add, 32, Loaded, Known));
    case 2:
      return Expressions.make(
          Op::Add, 32,
          Expressions.make(Op::Mul, 32, Loaded, Expressions.constant(3)),
          Known);
    case 3:
      return Expressions.make(
          Op::Add, 32, Known,
          Expressions.make(Op::And, 32, Loaded, Expressions.constant(255)));
    case 4:
    case 5: {
      const Expression *Small = withinReach(Loaded);
      return Random.percent(60) ? Small
                                : Expressions.make(Op::Add, 32, Known, Small);
    }
    default:
      return inRowOf(Loaded);
    }
  }

  /// What is known of a loaded number is that it lies within some bounds: "X &
  /// 15", "X % 10 * 4", "X < 0 ? 3 : 8".
  const Expression *withinReach(const Expression *Loaded) {
    const auto number = [&](int64_t Value) {
      return Expressions.constant(Value, 32);
    };
    const auto apply = [&](const Expression *E) {
      switch (Random.below(11)) {
      case 0:
      case 1:
        return Expressions.make(
            Op::And, 32, E, number(Random.oneOf({1, 3, 15, 63, 6, 24, 0x50})));
      case 2:
        return Expressions.make(Random.oneOf({Op::URem, Op::SRem}), 32, E,
                                number(Random.oneOf({2, 3, 8, 10, 31})));
      case 3:
        return Expressions.make(Random.oneOf({Op::LShr, Op::AShr}), 32, E,
                                number(Random.oneOf({1, 4, 16, 24, 28, 31})));
      case 4:
        return Expressions.make(Random.oneOf({Op::UDiv, Op::SDiv}), 32, E,
                                number(Random.oneOf({2, 3, 100, 1 << 24})));
      case 5:
        return Expressions.make(
            Random.oneOf({Op::MinS, Op::MaxS, Op::MinU, Op::MaxU}), 32, E,
            number(Random.oneOf({-3, 0, 1, 7, 20, 255})));
      case 6:
        return Expressions.make(
            Random.oneOf({Op::SignExtend8, Op::ZeroExtend16}), 32, E);
      case 7:
        return Expressions.make(Op::Mul, 32, E,
                                number(Random.oneOf({2, 3, 8, 12, 33, -1})));
      case 8:
        return Expressions.make(Random.oneOf({Op::Add, Op::Sub, Op::Or}), 32, E,
                                number(Random.between(-20, 40)));
      case 9:
        return Expressions.make(Op::Shl, 32, E, number(Random.between(0, 6)));
      default: {
        const Expression *If = Expressions.make(Op::LessS, 1, Loaded,
                                                number(Random.between(-5, 5)));
        const Expression *Else = Random.percent(60)
                                     ? number(Random.between(0, 40))
                                     : Expressions.drawLeaf(32);
        return Expressions.make(Op::Choose, 32, If, E, Else);
      }
      }
    };
    const Expression *E = Loaded;
    for (int64_t N = Random.between(1, 4); N > 0; --N)
      E = apply(E);
    return E;
  }

  /// A row for each lane, which is loaded, and a place in it that is known: a
  /// histogram for each thread, a record for each.
  const Expression *inRowOf(const Expression *Loaded) {
    const Expression *Row = Loaded, *Place = Random.percent(50)
                                                 ? Expressions.drawLeaf(32)
                                                 : Expressions.drawAffine(32);
    if (Random.percent(50))
      Row = Expressions.make(
          Op::And, 32, Row,
          Expressions.constant(Random.oneOf({3, 63, 255, 0x70, -8})));
    Row = Random.percent(70)
              ? Expressions.make(Op::Mul, 32, Row,
                                 Expressions.constant(Random.oneOf(
                                     {8, 16, 32, 64, 128, 24, 33, -32})))
              : Expressions.make(Op::Shl, 32, Row,
                                 Expressions.constant(Random.between(0, 12)));
    const Expression *Index = Expressions.make(
        Random.oneOf({Op::Add, Op::Add, Op::Sub, Op::Or}), 32, Row, Place);
    if (Random.percent(30))
      Index = Expressions.make(
          Op::And, 32, Index,
          Expressions.constant(Random.oneOf({31, 255, 1023, 8191, -32})));
    return Random.percent(30) ? Expressions.make(Op::SignExtend, 64, Index)
                              : Index;
  }

  void guard(const Expression *Loaded) {
    Statement S(Statement::Kind::If);
    const Op What = Random.oneOf({Op::LessS, Op::Equal});
    S.Condition = Expressions.make(What, 1, Loaded, Expressions.drawLeaf(32));
    std::vector<Statement> &Guarded = Random.percent(70) ? S.Then : S.Else;
    addAccess(Guarded, drawIndex());
    K.Body.push_back(std::move(S));
  }

  /// for (i = 0; i < loaded; ++i) access
  void loopUntil(const Expression *Loaded) {
    Statement S(Statement::Kind::Loop);
    const int Counter = newVariable(32);
    const Expression *I = Expressions.variable(Counter);
    S.Variables.push_back(
        {Counter, Expressions.constant(0),
         Expressions.make(Op::Add, 32, I, Expressions.constant(1))});
    S.Condition = Expressions.make(Op::LessS, 1, I, Loaded);
    Expressions.Scope.push_back(Counter);
    addAccess(S.Then, drawIndex());
    K.Body.push_back(std::move(S));
  }

  /// for (i = loaded; i != 0; i >>= 1) ++n; access [n]
  void exitValueOf(const Expression *Loaded) {
    Statement S(Statement::Kind::Loop);
    S.TestsAtEnd = Random.percent(50);
    const int Counter = newVariable(32), Count = newVariable(32);
    const Expression *I = Expressions.variable(Counter);
    S.Variables.push_back(
        {Counter, Loaded,
         Expressions.make(Op::LShr, 32, I, Expressions.constant(1))});
    S.Variables.push_back(
        {Count, Expressions.constant(0),
         Expressions.make(Op::Add, 32, Expressions.variable(Count),
                          Expressions.constant(1))});
    S.Condition = Expressions.make(Op::NotEqual, 1, I, Expressions.constant(0));
    K.Body.push_back(std::move(S));
    addAccess(K.Body, mixedWith(Expressions.variable(Count)));
  }
};

} // namespace

GeneratedKernel drawKernel(uint64_t Seed) {
  return KernelGenerator(Seed).drawKnown();
}

GeneratedKernel drawDataDependentKernel(uint64_t Seed) {
  return KernelGenerator(Seed).drawDataDependent();
}

} // namespace warpwise::test

//===- Arithmetic.cpp - Operators over values -----------------------------===//
//
// C's integer rules (width, sign, division) on 64-bit carriers, reals, and
// pointer comparisons. Anything that would be undefined is unknown.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/Arithmetic.h"

#include "analyzer/launch/facts/LaunchFacts.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace clang;

namespace warpwise::launch {

int64_t wrapTo64(const llvm::APSInt &V) {
  return int64_t(V.extOrTrunc(64).getZExtValue());
}

std::optional<int64_t> constantOf(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Result;
  if (!E || E->isValueDependent() || E->containsErrors() ||
      !E->getType()->isIntegralOrEnumerationType() ||
      !E->EvaluateAsInt(Result, Context) ||
      Result.Val.getInt().getSignificantBits() > 65)
    return std::nullopt;
  return wrapTo64(Result.Val.getInt());
}

int64_t wrapInteger(const ASTContext &Context, int64_t V, QualType Type) {
  if (Type->isBooleanType())
    return V & 1;
  unsigned Width = Context.getIntWidth(Type);
  if (Width >= 64)
    return V;
  return Type->isSignedIntegerOrEnumerationType()
             ? llvm::SignExtend64(static_cast<uint64_t>(V), Width)
             : static_cast<int64_t>(static_cast<uint64_t>(V) &
                                    llvm::maskTrailingOnes<uint64_t>(Width));
}

std::optional<bool> holdsTrue(const Value &V) {
  if (const int64_t *Integer = V.getInteger())
    return *Integer != 0;
  if (const double *Real = V.getReal())
    return *Real != 0;
  if (V.getAddress() || V.getFunctions())
    return true;
  if (const std::optional<bool> IsZero =
          V.Within ? V.Within->isZero() : std::nullopt)
    return !*IsZero;
  return std::nullopt;
}

template <typename T>
static std::optional<int64_t> compare(BinaryOperatorKind Op, T Left, T Right) {
  switch (Op) {
  case BO_LT:
    return Left < Right;
  case BO_GT:
    return Left > Right;
  case BO_LE:
    return Left <= Right;
  case BO_GE:
    return Left >= Right;
  case BO_EQ:
    return Left == Right;
  case BO_NE:
    return Left != Right;
  default:
    return std::nullopt;
  }
}

static std::optional<int64_t> divide(BinaryOperatorKind Op, int64_t Left,
                                     int64_t Right, bool Signed) {
  if (Right == 0 || (Signed && Left == INT64_MIN && Right == -1))
    return std::nullopt;
  auto UnsignedLeft = static_cast<uint64_t>(Left);
  auto UnsignedRight = static_cast<uint64_t>(Right);
  if (Op == BO_Div)
    return Signed ? Left / Right
                  : static_cast<int64_t>(UnsignedLeft / UnsignedRight);
  return Signed ? Left % Right
                : static_cast<int64_t>(UnsignedLeft % UnsignedRight);
}

static std::optional<int64_t> applyInteger(BinaryOperatorKind Op, int64_t Left,
                                           int64_t Right, bool Signed) {
  auto L = static_cast<uint64_t>(Left), R = static_cast<uint64_t>(Right);
  switch (Op) {
  case BO_Add:
    return static_cast<int64_t>(L + R);
  case BO_Sub:
    return static_cast<int64_t>(L - R);
  case BO_Mul:
    return static_cast<int64_t>(L * R);
  case BO_Div:
  case BO_Rem:
    return divide(Op, Left, Right, Signed);
  case BO_And:
    return Left & Right;
  case BO_Or:
    return Left | Right;
  case BO_Xor:
    return Left ^ Right;
  case BO_Shl:
    return R < 64 ? std::optional(static_cast<int64_t>(L << R)) : std::nullopt;
  case BO_Shr:
    if (R >= 64)
      return std::nullopt;
    return Signed ? Left >> R : static_cast<int64_t>(L >> R);
  default:
    return Signed ? compare(Op, Left, Right) : compare(Op, L, R);
  }
}

static std::optional<double> applyReal(BinaryOperatorKind Op, double Left,
                                       double Right) {
  switch (Op) {
  case BO_Add:
    return Left + Right;
  case BO_Sub:
    return Left - Right;
  case BO_Mul:
    return Left * Right;
  case BO_Div:
    return Right != 0 ? std::optional(Left / Right) : std::nullopt;
  default:
    return std::nullopt;
  }
}

static std::optional<int64_t>
compareAddresses(BinaryOperatorKind Op, const Value &Left, const Value &Right) {
  const Address *L = Left.getAddress(), *R = Right.getAddress();
  if (L && R && L->Object && L->Object == R->Object && L->Offset && R->Offset)
    return compare(Op, *L->Offset, *R->Offset);
  bool Distinct = L && R ? L->Object && R->Object && L->Object != R->Object
                         : holdsTrue(Left) && holdsTrue(Right) &&
                               *holdsTrue(Left) != *holdsTrue(Right);
  if (Distinct && (Op == BO_EQ || Op == BO_NE))
    return Op == BO_NE;
  return std::nullopt;
}

/// As llvm::CmpInst has it, if it is a comparison.
static std::optional<llvm::CmpInst::Predicate>
predicateOf(BinaryOperatorKind Op, bool Signed) {
  using llvm::CmpInst;
  switch (Op) {
  case BO_LT:
    return Signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
  case BO_GT:
    return Signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT;
  case BO_LE:
    return Signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  case BO_GE:
    return Signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE;
  case BO_EQ:
    return CmpInst::ICMP_EQ;
  case BO_NE:
    return CmpInst::ICMP_NE;
  default:
    return std::nullopt;
  }
}

std::optional<Limits> findLimits(const ASTContext &Context,
                                 BinaryOperatorKind Op, bool Holds,
                                 int64_t With, QualType Type) {
  if (Type->isBooleanType() || !Type->isIntegralOrEnumerationType())
    return std::nullopt;
  auto Compared = predicateOf(Op, Type->isSignedIntegerOrEnumerationType());
  if (!Compared)
    return std::nullopt;
  if (!Holds)
    Compared = llvm::CmpInst::getInversePredicate(*Compared);
  const unsigned Width = Context.getIntWidth(Type);
  return limitsOf(*Compared,
                  llvm::APInt(64, uint64_t(With)).sextOrTrunc(Width));
}

/// What is known of the result where one operand is known, and something of
/// the other.
static Value applyLimits(const ASTContext &Context, BinaryOperatorKind Op,
                         const Value &Left, const Value &Right, QualType Type) {
  if (Type->isBooleanType() || !Type->isIntegralOrEnumerationType())
    return Value();
  const unsigned Width = Context.getIntWidth(Type);
  const bool Signed = Type->isSignedIntegerOrEnumerationType();
  const auto limitsOf = [&](const Value &V) -> std::optional<Limits> {
    if (V.Within)
      return V.Within->Range.getBitWidth() == Width ? std::optional(*V.Within)
                                                    : std::nullopt;
    if (const int64_t *Integer = V.getInteger())
      return Limits(llvm::ConstantRange(
          llvm::APInt(64, uint64_t(*Integer)).sextOrTrunc(Width)));
    return std::nullopt;
  };
  const DoubtSet Doubts = Left.Doubts | Right.Doubts;
  const std::optional<Limits> L = limitsOf(Left), R = limitsOf(Right);
  if (!L || !R)
    return Value();
  if (const auto Compared = predicateOf(Op, Signed)) {
    const std::optional<bool> True = launch::compare(*Compared, *L, *R);
    return True ? Value(int64_t(*True), Doubts) : Value();
  }
  const bool Commutes = Op == BO_Add || Op == BO_Mul;
  const int64_t *Number = Right.getInteger();
  const Limits *Its = &*L;
  if (!Number && Commutes) {
    Number = Left.getInteger();
    Its = &*R;
  }
  if (!Number || Doubts) // another number, other limits
    return Value();
  std::optional<Limits> Result;
  if (Op == BO_Add)
    Result = add(*Its, *Number, Signed);
  else if (Op == BO_Sub && *Number != INT64_MIN)
    Result = add(*Its, -*Number, Signed);
  else if (*Number > 0 && Op == BO_Mul)
    Result = multiply(*Its, uint64_t(*Number), Signed);
  else if (*Number > 0 && Op == BO_Div)
    Result = divide(*Its, uint64_t(*Number), Signed);
  else if (*Number > 0 && Op == BO_Rem)
    Result = remainder(*Its, uint64_t(*Number), Signed);
  if (!Result || Result->areOpen() || Result->areEmpty())
    return Value();
  if (Result->isZero() == true)
    return Value(int64_t(0));
  Value V;
  V.Within = std::make_shared<Limits>(*Result);
  return V;
}

/// 0 times anything and anything and 0 are the only facts about half-known
/// operands that host code uses on the way to a launch.
static bool isAbsorbed(BinaryOperatorKind Op, const Value &V) {
  const int64_t *Integer = V.getInteger();
  return (Op == BO_Mul || Op == BO_And) && Integer && *Integer == 0;
}

static Value applyToKnown(ASTContext &Context, BinaryOperatorKind Op,
                          const Value &Left, const Value &Right, QualType Type,
                          QualType Result) {
  DoubtSet Doubts = Left.Doubts | Right.Doubts;
  if (isAbsorbed(Op, Left))
    return Left;
  if (isAbsorbed(Op, Right))
    return Right;
  if (Left.Within || Right.Within)
    return applyLimits(Context, Op, Left, Right, Type);
  const int64_t *L = Left.getInteger(), *R = Right.getInteger();
  if (L && R && Type->isRealFloatingType())
    return Value();
  if (L && R) {
    bool Signed = Type->isSignedIntegerOrEnumerationType();
    std::optional<int64_t> V = applyInteger(Op, *L, *R, Signed);
    return V ? Value(wrapInteger(Context, *V, Result), Doubts) : Value();
  }
  if (Left.getReal() && Right.getReal()) {
    if (std::optional<int64_t> V =
            compare(Op, *Left.getReal(), *Right.getReal()))
      return Value(*V, Doubts);
    std::optional<double> V = applyReal(Op, *Left.getReal(), *Right.getReal());
    if (!V)
      return Value();
    return Value(Context.getTypeSize(Type) == 32
                     ? static_cast<double>(static_cast<float>(*V))
                     : *V,
                 Doubts);
  }
  std::optional<int64_t> V = compareAddresses(Op, Left, Right);
  return V ? Value(*V, Doubts) : Value();
}

//===--- What unknown numbers are computed from ---------------------------===//

/// An operand that is a whole number, integer or real, within what is used for
/// sizes: products of two are no overflow.
static std::optional<int64_t> sizeIn(const Value &V) {
  constexpr double Most = 1 << 30;
  if (V.Doubts)
    return std::nullopt;
  if (const int64_t *Integer = V.getInteger())
    return std::abs(double(*Integer)) <= Most ? std::optional(*Integer)
                                              : std::nullopt;
  const double *Real = V.getReal();
  if (Real && std::abs(*Real) <= Most && *Real == std::floor(*Real))
    return static_cast<int64_t>(*Real);
  return std::nullopt;
}

/// Whether it is small enough to be computed with once more.
static bool isOfUsualSize(const Quotient &Q) {
  constexpr int64_t Most = FromArgument::Most;
  return std::abs(Q.Times) <= Most && std::abs(Q.Plus) <= Most && Q.By <= Most;
}

/// What a number is computed from that is \p Left \p Op \p Right, one of them a
/// number that is not known, where it can be told from that one. \p IsInteger:
/// it is rounded towards 0.
static SharedQuotient quotientOf(BinaryOperatorKind Op, const Value &Left,
                                 const Value &Right, bool IsInteger) {
  const bool IsLeft = Left.Is != nullptr;
  const std::optional<int64_t> Number = sizeIn(IsLeft ? Right : Left);
  const bool Commutes = Op == BO_Add || Op == BO_Mul;
  if ((IsLeft ? Right : Left).Is || !Number || (!IsLeft && !Commutes) ||
      !(IsLeft || Right.Is))
    return nullptr;
  Quotient Q = IsLeft ? *Left.Is : *Right.Is;
  switch (Op) {
  case BO_Add:
    Q.Plus += *Number * Q.By;
    break;
  case BO_Sub:
    Q.Plus -= *Number * Q.By;
    break;
  case BO_Mul:
    if (*Number <= 0 || (IsInteger && Q.By != 1))
      return nullptr;
    Q.Times *= *Number;
    Q.Plus *= *Number;
    break;
  case BO_Div:
    if (*Number <= 0)
      return nullptr;
    Q.By *= *Number;
    break;
  case BO_Shr:
    if (*Number < 0 || *Number > 30)
      return nullptr;
    Q.By <<= *Number;
    break;
  default:
    return nullptr;
  }
  return isOfUsualSize(Q) ? std::make_shared<const Quotient>(Q) : nullptr;
}

SharedQuotient roundUp(const SharedQuotient &Its) {
  if (!Its)
    return nullptr;
  Quotient Up = *Its;
  Up.Plus += Up.By - 1;
  return std::make_shared<const Quotient>(Up);
}

Value applyBinary(ASTContext &Context, BinaryOperatorKind Op, const Value &Left,
                  const Value &Right, QualType Type, QualType Result) {
  Value V = applyToKnown(Context, Op, Left, Right, Type, Result);
  if (!V.isKnown())
    V.Is = quotientOf(Op, Left, Right, Type->isIntegralOrEnumerationType());
  return V;
}

} // namespace warpwise::launch

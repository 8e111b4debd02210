//===- Algebra.cpp - Arithmetic on forms ----------------------------------===//

#include "analyzer/evaluate/proof/Algebra.h"

#include "analyzer/evaluate/LaneArithmetic.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Casting.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace warpwise::access::proof {
namespace {

int64_t wrapMultiply(int64_t A, int64_t B) {
  return int64_t(uint64_t(A) * uint64_t(B));
}
int64_t wrapAdd(int64_t A, int64_t B) {
  return int64_t(uint64_t(A) + uint64_t(B));
}

int64_t floorDivide(int64_t A, int64_t D) {
  const int64_t Q = A / D;
  return Q - (A % D != 0 && (A < 0) != (D < 0));
}
int64_t floorRemainder(int64_t A, int64_t D) {
  return A - floorDivide(A, D) * D;
}

/// Low bits beyond these are not kept: lanes that are torn apart move by
/// multiples of 2^32.
constexpr unsigned MostLowBits = 32;

/// Form::LowBits of what is put together of the lanes \p OfA of \p A and \p OfB
/// of \p B.
uint8_t commonLowBits(const Form &A, uint32_t OfA, const Form &B,
                      uint32_t OfB) {
  const bool FromA = A.Top & OfA, FromB = B.Top & OfB;
  if (FromA && FromB)
    return std::min(A.LowBits, B.LowBits);
  return FromA ? A.LowBits : FromB ? B.LowBits : uint8_t(0);
}

/// Form::Reach of a sum of the lanes \p OfA of \p A and \p OfB of \p B.
uint64_t reachOfSum(const Form &A, uint32_t OfA, const Form &B, uint32_t OfB) {
  uint64_t Sum = 0;
  for (const Form *F : {A.Top & OfA ? &A : nullptr, B.Top & OfB ? &B : nullptr})
    if (F && !F->isBounded())
      return Form::Unbounded;
    else if (F)
      Sum += F->Reach;
  return Sum <= Form::MostReach ? Sum : Form::Unbounded;
}

/// Form::Reach of a multiple.
uint64_t reachTimes(uint64_t Reach, int64_t Factor) {
  uint64_t Product;
  if (Reach == Form::Unbounded || Factor < 0 ||
      __builtin_mul_overflow(Reach, uint64_t(Factor), &Product) ||
      Product > Form::MostReach)
    return Form::Unbounded;
  return Product;
}

/// What all lanes of Lanes & Top hold lies in this, read as signed numbers,
/// whose whole range it is if nothing is known.
Interval rangeOfTop(const Form &F, uint32_t Lanes) {
  const Interval All = signedRange(F.Bits);
  if (!F.isBounded() || !F.Terms.empty() || F.Torn)
    return All;
  Interval I{All.High, All.Low};
  forEach(Lanes & F.Top, [&](unsigned L) {
    I.Low = std::min<Wide>(I.Low, F.Base[L]);
    I.High = std::max<Wide>(I.High, Wide(F.Base[L]) + Wide(F.Reach));
  });
  return I.Low >= All.Low && I.High <= All.High ? I : All;
}

/// Low bits of a multiple of a value of \p Known of them.
uint8_t lowBitsTimes(unsigned Known, int64_t Factor, unsigned Bits) {
  const unsigned More = Factor == 0 ? 64 : std::countr_zero(uint64_t(Factor));
  return uint8_t(std::min({Known + More, MostLowBits, Bits}));
}

/// Its result may be known in part (Form::LowBits, Form::Reach) where the
/// operands are not.
bool knowsParts(Code What) {
  switch (What) {
  case Code::Add:
  case Code::Sub:
  case Code::AddScaled:
  case Code::Mul:
  case Code::Shl:
  case Code::LShr:
  case Code::AShr:
  case Code::UDiv:
  case Code::SDiv:
  case Code::URem:
  case Code::SRem:
  case Code::MinS:
  case Code::MaxS:
  case Code::MinU:
  case Code::MaxU:
  case Code::And:
  case Code::Or:
  case Code::Copy:
  case Code::ZeroExtend:
  case Code::SignExtend:
  case Code::Truncate:
  case Code::Select:
    return true;
  default:
    return false;
  }
}

/// \p A - \p B as terms; the readings are for the caller to think about.
Form difference(const Form &A, const Form &B) {
  Form D = A;
  D.LowBits = commonLowBits(A, ~0u, B, ~0u);
  D.Reach = B.Top ? Form::Unbounded : A.Reach;
  D.Top |= B.Top;
  D.From |= B.From;
  D.Torn = uint8_t(std::min(255, A.Torn + B.Torn));
  for (unsigned L = 0; L != WarpLanes; ++L)
    D.Base[L] = int64_t(uint64_t(A.Base[L]) - uint64_t(B.Base[L]));
  for (const Term &T : B.Terms) {
    auto Mine =
        std::find_if(D.Terms.begin(), D.Terms.end(),
                     [&](const Term &M) { return M.Symbol == T.Symbol; });
    if (Mine == D.Terms.end()) {
      D.Terms.push_back({T.Symbol, {}});
      Mine = std::prev(D.Terms.end());
    }
    for (unsigned L = 0; L != WarpLanes; ++L)
      Mine->Factor[L] =
          int64_t(uint64_t(Mine->Factor[L]) - uint64_t(T.Factor[L]));
  }
  std::erase_if(D.Terms, [](const Term &T) {
    return isUniformTerm(T, ~0u) && T.Factor[0] == 0;
  });
  return D;
}

/// Form::TornAt of A + Sign * B.
int8_t tornAt(const Form &A, const Form &B, int Sign) {
  if (!A.Torn && !B.Torn)
    return 0;
  if (A.Torn && B.Torn)
    return Form::AnyLanes;
  const Form &Torn = A.Torn ? A : B, &Other = A.Torn ? B : A;
  if (Torn.TornAt == Form::AnyLanes || !isUniform(Other, ~0u))
    return Form::AnyLanes;
  const bool Known =
      std::all_of(Other.Terms.begin(), Other.Terms.end(),
                  [](const Term &T) { return isDivisible(T, 32, ~0u); });
  if (!Known || Torn.TornAt == Form::AnyPlace || (B.Torn && Sign < 0))
    return Form::AnyPlace;
  return int8_t(floorRemainder(
      Torn.TornAt + Sign * floorRemainder(Other.Base[0], 32), 32));
}

bool promisesNoWrap(const Step &S, bool Signed) {
  auto *I = llvm::dyn_cast_or_null<llvm::OverflowingBinaryOperator>(S.From);
  if (!I)
    return false;
  return Signed ? I->hasNoSignedWrap() : I->hasNoUnsignedWrap();
}

} // namespace

int64_t Algebra::contentOf(const Form &F, uint32_t Lanes) {
  const unsigned L = std::countr_zero(Lanes);
  uint64_t G = F.Base[L] < 0 ? -uint64_t(F.Base[L]) : uint64_t(F.Base[L]);
  for (const Term &T : F.Terms)
    G = std::gcd(G, T.Factor[L] < 0 ? -uint64_t(T.Factor[L])
                                    : uint64_t(T.Factor[L]));
  return int64_t(std::min<uint64_t>(G, uint64_t(1) << 62));
}

//===----------------------------------------------------------------------===//
// Putting lanes together
//===----------------------------------------------------------------------===//

Form Algebra::blend(const Form &A, const Form &B, uint32_t Lanes) {
  Form R;
  R.Bits = A.Bits;
  R.From = A.From | B.From;
  R.Top = (A.Top & Lanes) | (B.Top & ~Lanes);
  R.LowBits = commonLowBits(A, Lanes, B, ~Lanes);
  const uint64_t OfA = A.Top & Lanes ? A.Reach : 0,
                 OfB = B.Top & ~Lanes ? B.Reach : 0;
  R.Reach = R.Top ? std::max(OfA, OfB) : Form::Unbounded;
  R.Torn = std::max(A.Torn, B.Torn);
  R.TornAt =
      A.Torn && B.Torn && A.TornAt == B.TornAt ? A.TornAt : Form::AnyLanes;
  R.Signed = A.Signed && B.Signed;
  R.Unsigned = A.Unsigned && B.Unsigned;
  for (unsigned L = 0; L != WarpLanes; ++L)
    R.Base[L] = Lanes >> L & 1 ? A.Base[L] : B.Base[L];
  auto take = [&](const Form &F, uint32_t Mine) {
    for (const Term &T : F.Terms) {
      auto Into =
          std::find_if(R.Terms.begin(), R.Terms.end(),
                       [&](const Term &M) { return M.Symbol == T.Symbol; });
      if (Into == R.Terms.end()) {
        R.Terms.push_back({T.Symbol, {}});
        Into = std::prev(R.Terms.end());
      }
      forEach(Mine, [&](unsigned L) { Into->Factor[L] = T.Factor[L]; });
    }
  };
  take(A, Lanes);
  take(B, ~Lanes);
  settle(R);
  return R;
}

Form Algebra::either(const Form &A, const Form &B, uint32_t Active,
                     bool Together) {
  if (isSame(A, B, Active))
    return A;
  if (!Together) {
    Form R = A;
    R.From |= B.From;
    const Form D = difference(A, B);
    unsigned Common = R.Top ? R.LowBits : MostLowBits;
    uint64_t Reach = R.Top ? R.Reach : 0;
    forEach(Active, [&](unsigned L) {
      if (isSame(A, B, 1u << L))
        return;
      // From the lesser of the two to the greater.
      const uint64_t OfA = A.Top >> L & 1 ? A.Reach : 0,
                     OfB = B.Top >> L & 1 ? B.Reach : 0;
      const bool IsNumber =
          D.Torn == 0 &&
          std::none_of(D.Terms.begin(), D.Terms.end(),
                       [L](const Term &T) { return T.Factor[L] != 0; });
      if (!IsNumber || std::max(OfA, OfB) > Form::MostReach)
        Reach = Form::Unbounded;
      if (Reach != Form::Unbounded) {
        const Wide Low = std::min(A.Base[L], B.Base[L]),
                   High = std::max(Wide(A.Base[L]) + Wide(OfA),
                                   Wide(B.Base[L]) + Wide(OfB));
        R.Base[L] = int64_t(Low);
        Reach = High - Low <= Wide(Form::MostReach)
                    ? std::max(Reach, uint64_t(High - Low))
                    : Form::Unbounded;
      }
      R.Top |= 1u << L;
      if (D.Top >> L & 1)
        Common = std::min<unsigned>(Common, D.LowBits);
      Common = std::min<unsigned>(Common, lowBitsTimes(0, D.Base[L], A.Bits));
      for (const Term &T : D.Terms)
        Common =
            std::min<unsigned>(Common, lowBitsTimes(0, T.Factor[L], A.Bits));
    });
    R.LowBits = uint8_t(R.Top ? Common : 0);
    R.Reach = R.Top ? Reach : Form::Unbounded;
    if (R.Top)
      R.From |= OriginAssumed;
    return R;
  }
  if ((A.Top | B.Top) & Active)
    return either(A, B, Active, false);
  const Form D = difference(A, B);
  const uint32_t From = A.From | B.From;
  if (D.isNumber()) {
    // B + s * (A - B), where s is 0 or 1.
    Form R = B;
    R.From = From;
    R.Signed = A.Signed && B.Signed;
    R.Unsigned = A.Unsigned && B.Unsigned;
    Form Which = fresh({0, 1}, 1, From);
    for (unsigned L = 0; L != WarpLanes; ++L)
      Which.Terms[0].Factor[L] = D.Base[L];
    R.Terms.push_back(Which.Terms[0]);
    settle(R, Active);
    return R;
  }
  if (!isUniform(D, Active) || D.Torn)
    return either(A, B, Active, false);
  if (isUniform(A, Active)) {
    const unsigned L = std::countr_zero(Active);
    const Interval X = rangeOf(A, L), Y = rangeOf(B, L);
    if (A.Signed && B.Signed) {
      Form R = fresh({std::min(X.Low, Y.Low), std::max(X.High, Y.High)}, A.Bits,
                     From);
      return R;
    }
    return fresh(A.Bits, From);
  }
  // B + a multiple of what divides the difference.
  Form R = B;
  R.From = From;
  R.Signed = A.Signed && B.Signed;
  R.Unsigned = A.Unsigned && B.Unsigned;
  R.Terms.push_back(
      symbol(Anything, From, std::max<int64_t>(1, contentOf(D, Active))));
  settle(R, Active);
  return R;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

Form Algebra::add(const Form &A, const Form &B, unsigned Bits,
                  bool NoSignedWrap, bool NoUnsignedWrap, bool Subtract) {
  Form R;
  if (Subtract) {
    R = difference(A, B);
    R.TornAt = tornAt(A, B, -1);
  } else {
    R = A;
    R.LowBits = commonLowBits(A, ~0u, B, ~0u);
    R.Reach = A.Top | B.Top ? reachOfSum(A, ~0u, B, ~0u) : Form::Unbounded;
    R.Top |= B.Top;
    R.Torn = uint8_t(std::min(255, A.Torn + B.Torn));
    R.TornAt = tornAt(A, B, 1);
    for (unsigned L = 0; L != WarpLanes; ++L)
      R.Base[L] = wrapAdd(A.Base[L], B.Base[L]);
    for (const Term &T : B.Terms) {
      auto Mine =
          std::find_if(R.Terms.begin(), R.Terms.end(),
                       [&](const Term &M) { return M.Symbol == T.Symbol; });
      if (Mine == R.Terms.end())
        R.Terms.push_back(T);
      else
        for (unsigned L = 0; L != WarpLanes; ++L)
          Mine->Factor[L] = wrapAdd(Mine->Factor[L], T.Factor[L]);
    }
  }
  R.Bits = uint8_t(Bits);
  R.From = A.From | B.From;
  const Interval S = signedRange(Bits);
  R.Signed = A.Signed && B.Signed;
  R.Unsigned = A.Unsigned && B.Unsigned;
  // The sum over the integers is what the operands say; whether it still fits
  // is another matter.
  if (R.Signed) {
    const bool Fits = NoSignedWrap || fits(R, ~0u, S.Low, S.High);
    if (!Fits && R.Unsigned)
      R.Unsigned = NoUnsignedWrap || fits(R, ~0u, 0, 2 * S.High + 1);
    else
      R.Unsigned = false;
    R.Signed = Fits;
  } else if (R.Unsigned) {
    R.Unsigned = NoUnsignedWrap || fits(R, ~0u, 0, 2 * S.High + 1);
  }
  settle(R);
  return R;
}

Form Algebra::scale(const Form &A, int64_t Factor, unsigned Bits,
                    bool NoSignedWrap) {
  Form R = A;
  R.Bits = uint8_t(Bits);
  if (R.TornAt > 0)
    R.TornAt = int8_t(floorRemainder(wrapMultiply(R.TornAt, Factor), 32));
  bool Overflows = false;
  auto times = [&](int64_t V) {
    int64_t Product;
    Overflows |= __builtin_mul_overflow(V, Factor, &Product);
    return wrapMultiply(V, Factor);
  };
  for (unsigned L = 0; L != WarpLanes; ++L)
    R.Base[L] = (A.Top >> L & 1) && A.LowBits == 0 && !A.isBounded()
                    ? 0
                    : times(A.Base[L]);
  for (Term &T : R.Terms)
    for (int64_t &F : T.Factor)
      F = times(F);
  R.LowBits = A.Top ? lowBitsTimes(A.LowBits, Factor, Bits) : uint8_t(0);
  R.Reach = reachTimes(A.Reach, Factor);
  const Interval S = signedRange(Bits);
  R.Unsigned &= Factor >= 0 && !Overflows;
  R.Signed &= !Overflows;
  if (R.Unsigned)
    R.Unsigned = fits(R, ~0u, 0, 2 * S.High + 1);
  if (R.Signed)
    R.Signed = NoSignedWrap || fits(R, ~0u, S.Low, S.High);
  settle(R);
  return R;
}

/// Each lane's form times a number of its own: factors and numbers are
/// multiplied, and where that overflows the sum holds modulo 2^Bits only.
Form Algebra::multiplyByNumbers(const Step &S, const Form &A, const Form &B,
                                uint32_t Active) {
  Form R = A;
  R.Bits = S.Bits;
  R.From = A.From | B.From;
  R.Top = A.Top | B.Top;
  if (R.Torn) {
    const bool AllMove = isUniform(B, Active);
    R.TornAt =
        AllMove && R.TornAt != Form::AnyLanes ? Form::AnyPlace : Form::AnyLanes;
    // Those beyond the tear each go as far as their own number takes them.
    if (!AllMove)
      R.Torn = WarpLanes - 1;
  }
  bool Overflows = false, Negative = false;
  unsigned Low = R.Top & Active && !(B.Top & Active) ? MostLowBits : 0;
  R.Reach = Low == 0 ? Form::Unbounded : 0;
  forEach(R.Top & Active, [&](unsigned L) {
    Low = std::min<unsigned>(Low, lowBitsTimes(A.LowBits, B.Base[L], S.Bits));
    R.Reach = std::max(R.Reach, reachTimes(A.Reach, B.Base[L]));
  });
  R.LowBits = uint8_t(Low);
  auto times = [&](int64_t V, unsigned L) {
    if (!(Active >> L & 1) ||
        (R.Top >> L & 1 && A.LowBits == 0 && !R.isBounded()))
      return int64_t(0);
    const bool Counts = !(R.Top >> L & 1);
    int64_t Product;
    Overflows |= __builtin_mul_overflow(V, B.Base[L], &Product) && Counts;
    Negative |= B.Base[L] < 0 && Counts;
    return wrapMultiply(V, B.Base[L]);
  };
  for (unsigned L = 0; L != WarpLanes; ++L)
    R.Base[L] = times(A.Base[L], L);
  for (Term &T : R.Terms)
    for (unsigned L = 0; L != WarpLanes; ++L)
      T.Factor[L] = times(T.Factor[L], L);
  forEach(Active & R.Top, [&](unsigned L) {
    // Nothing times zero is zero.
    if (!(B.Top >> L & 1) && B.Base[L] == 0)
      R.Top &= ~(1u << L);
  });
  const Interval Within = signedRange(S.Bits);
  R.Unsigned &= B.Unsigned && !Overflows && !Negative;
  R.Signed &= B.Signed && !Overflows;
  if (R.Unsigned)
    R.Unsigned =
        promisesNoWrap(S, false) || fits(R, Active, 0, 2 * Within.High + 1);
  if (R.Signed)
    R.Signed =
        promisesNoWrap(S, true) || fits(R, Active, Within.Low, Within.High);
  settle(R, Active);
  return R;
}

/// The product of two forms that are the same in all lanes, which is no form of
/// theirs: a new symbol, times what divides both for certain.
Form Algebra::uniformProduct(const Step &S, const Form &X, const Form &Y,
                             uint32_t Active) {
  const unsigned L = std::countr_zero(Active);
  const int64_t G = wrapMultiply(std::max<int64_t>(1, contentOf(X, Active)),
                                 std::max<int64_t>(1, contentOf(Y, Active)));
  const Interval I = rangeOf(X, L), J = rangeOf(Y, L);
  Interval Product = Anything;
  if (std::max({-I.Low, I.High, -J.Low, J.High}) < power(49)) {
    const Wide Ends[] = {I.Low * J.Low, I.Low * J.High, I.High * J.Low,
                         I.High * J.High};
    const auto [Low, High] = std::minmax_element(Ends, Ends + 4);
    Product = {*Low, *High};
    // The symbol is the product over G, rounded outwards.
    if (G != 1)
      Product = {*Low / G - 1, *High / G + 1};
    if (*Low >= 0)
      Product.Low = std::max<Wide>(0, Product.Low);
  }
  Form R;
  R.Bits = S.Bits;
  R.From = X.From | Y.From;
  R.Terms.push_back(symbol(Product, R.From, G));
  const Interval Within = signedRange(S.Bits);
  R.Signed = X.Signed && Y.Signed;
  R.Signed &= promisesNoWrap(S, true) || fits(R, ~0u, Within.Low, Within.High);
  R.Unsigned = X.Unsigned && Y.Unsigned && fits(R, ~0u, 0, 2 * Within.High + 1);
  return R;
}

/// By what is known of the factors: numbers in one of them, the same in all
/// lanes, or a number of each lane beside what all lanes share.
Form Algebra::multiply(const Step &S, const Form &A, const Form &B,
                       uint32_t Active) {
  if (isNumberIn(A, Active & ~A.Top) &&
      (!isNumberIn(B, Active & ~B.Top) ||
       (!(A.Top & Active) && (B.Top & Active))))
    return multiply(S, B, A, Active);
  if (isNumberIn(B, Active & ~B.Top))
    return multiplyByNumbers(S, A, B, Active);
  if ((A.Top | B.Top) & Active || A.Torn || B.Torn)
    return opaque(S, Active, A, &B, nullptr);
  const bool UniformA = isUniform(A, Active), UniformB = isUniform(B, Active);
  if (UniformA && UniformB) {
    Form R = uniformProduct(S, A, B, Active);
    settle(R, Active);
    return R;
  }
  // (number of the lane + what all lanes share) * what all lanes share.
  const Form &Lanes = UniformB ? A : B, &Shared = UniformB ? B : A;
  const bool Splits =
      (UniformA || UniformB) &&
      std::all_of(Lanes.Terms.begin(), Lanes.Terms.end(),
                  [&](const Term &T) { return isUniformTerm(T, Active); });
  if (!Splits)
    return opaque(S, Active, A, &B, nullptr);
  Form Rest = Lanes;
  Rest.Base.fill(0);
  settle(Rest, Active);
  Form Own = Shared; // times the lane's number
  bool Overflows = false;
  for (unsigned L = 0; L != WarpLanes; ++L) {
    const int64_t K = Lanes.Base[L];
    auto times = [&](int64_t V) {
      int64_t Product;
      Overflows |= __builtin_mul_overflow(V, K, &Product);
      return wrapMultiply(V, K);
    };
    Own.Base[L] = times(Shared.Base[L]);
    for (size_t N = 0; N != Own.Terms.size(); ++N)
      Own.Terms[N].Factor[L] = times(Shared.Terms[N].Factor[L]);
  }
  Own.Bits = S.Bits;
  Form R = Rest.isNumber() ? Own
                           : add(Own, uniformProduct(S, Rest, Shared, Active),
                                 S.Bits, false, false, false);
  R.From = A.From | B.From;
  const Interval Within = signedRange(S.Bits);
  R.Signed = A.Signed && B.Signed && !Overflows;
  R.Signed &=
      promisesNoWrap(S, true) || fits(R, Active, Within.Low, Within.High);
  R.Unsigned = false;
  settle(R, Active);
  return R;
}

//===----------------------------------------------------------------------===//
// Quotients, remainders, bits
//===----------------------------------------------------------------------===//

Form Algebra::divide(const Step &S, const Form &A, const Form &B,
                     uint32_t Active) {
  const bool Shifts = S.What == Code::LShr || S.What == Code::AShr;
  const bool Signed = S.What == Code::SDiv || S.What == Code::AShr;
  const unsigned First = std::countr_zero(Active);
  if (!isNumberIn(B, Active) || !isUniform(B, Active) || B.Base[First] < 0 ||
      (Shifts ? B.Base[First] >= S.Bits || B.Base[First] > 62
              : B.Base[First] == 0) ||
      A.Torn)
    return opaque(S, Active, A, &B, nullptr);
  const int64_t D = Shifts ? int64_t(1) << B.Base[First] : B.Base[First];
  if (A.Top & Active) {
    Form R = opaque(S, Active, A, &B, nullptr);
    const Interval I = rangeOfTop(A, Active);
    if (I.Low >= 0)
      R.bound(int64_t(I.Low / D), int64_t(I.High / D));
    else if (!Signed && S.Bits < 64)
      R.bound(0, int64_t(~uint64_t(0) >> (64 - S.Bits)) / D);
    return R;
  }
  if (!(Signed ? A.Signed : A.Unsigned))
    return opaque(S, Active, A, &B, nullptr);
  const bool RoundsToZero =
      S.What == Code::SDiv && !fits(A, Active, 0, Endless);
  Form Whole = A, Rest = A; // Whole: terms that D divides
  std::erase_if(Whole.Terms,
                [&](const Term &T) { return !isDivisible(T, D, Active); });
  std::erase_if(Rest.Terms,
                [&](const Term &T) { return isDivisible(T, D, Active); });
  Form R;
  R.Bits = S.Bits;
  R.From = A.From | B.From;
  R.Signed = Signed || fits(A, Active, 0, signedRange(S.Bits).High);
  R.Unsigned = !Signed || fits(A, Active, 0, Endless);
  for (Term &T : Whole.Terms)
    for (unsigned L = 0; L != WarpLanes; ++L)
      T.Factor[L] = Active >> L & 1 ? T.Factor[L] / D : 0;
  if (Rest.Terms.empty()) {
    if (RoundsToZero &&
        !all(Active, [&](unsigned L) { return A.Base[L] % D == 0; }))
      return opaque(S, Active, A, &B, nullptr);
    R.Terms = std::move(Whole.Terms);
    for (unsigned L = 0; L != WarpLanes; ++L)
      R.Base[L] = floorDivide(A.Base[L], D);
    settle(R, Active);
    return R;
  }
  // What does not divide is a multiple of G: what lanes have below G cannot
  // make a difference, and if they agree above, so do the quotients.
  uint64_t G = uint64_t(D);
  for (const Term &T : Rest.Terms)
    forEach(Active, [&](unsigned L) {
      G = std::gcd(G, T.Factor[L] < 0 ? -uint64_t(T.Factor[L])
                                      : uint64_t(T.Factor[L]));
    });
  const int64_t Above = floorDivide(A.Base[First], int64_t(G));
  const bool Agree =
      !RoundsToZero &&
      std::all_of(Rest.Terms.begin(), Rest.Terms.end(),
                  [&](const Term &T) { return isUniformTerm(T, Active); }) &&
      all(Active, [&](unsigned L) {
        return floorDivide(A.Base[L], int64_t(G)) == Above;
      });
  if (!Agree)
    return opaque(S, Active, A, &B, nullptr);
  Interval I{};
  for (const Term &T : Rest.Terms)
    I = plus(I, rangeOf(T, First));
  const Wide From = plus(I, {Above * Wide(G), Above * Wide(G)}).Low;
  const Wide To = plus(I, {Above * Wide(G), Above * Wide(G)}).High;
  Interval Quotient = From <= -Endless || To >= Endless
                          ? Anything
                          : Interval{From / D - 1, To / D + 1};
  if (From >= 0)
    Quotient = {From / D, To >= Endless ? Endless : To / D};
  R.Terms = std::move(Whole.Terms);
  R.Terms.push_back(symbol(Quotient, R.From));
  settle(R, Active);
  return R;
}

/// The remainder of \p A modulo \p D, which has to be meaningful: \p A is not
/// negative, or \p D a power of two.
static bool splitRemainder(const Form &A, int64_t D, uint32_t Active,
                           LaneNumbers &Low, int64_t &G) {
  uint64_t Common = uint64_t(D);
  for (const Term &T : A.Terms) {
    if (isDivisible(T, D, Active))
      continue;
    if (!isUniformTerm(T, Active))
      return false;
    Common =
        std::gcd(Common, T.Factor[std::countr_zero(Active)] < 0
                             ? -uint64_t(T.Factor[std::countr_zero(Active)])
                             : uint64_t(T.Factor[std::countr_zero(Active)]));
  }
  G = int64_t(Common);
  if (G != D) {
    const int64_t Above = floorDivide(A.Base[std::countr_zero(Active)], G);
    if (!all(Active,
             [&](unsigned L) { return floorDivide(A.Base[L], G) == Above; }))
      return false;
  }
  for (unsigned L = 0; L != WarpLanes; ++L)
    Low[L] = floorRemainder(A.Base[L], G);
  return true;
}

Form Algebra::lowBits(const Step &S, const Form &A, unsigned Count,
                      uint32_t Active) {
  int64_t G = 1;
  LaneNumbers Low{};
  const bool IsSmall = A.Top & Active && Count <= 62;
  const int64_t Most = IsSmall ? (int64_t(1) << Count) - 1 : 0;
  const Interval Own = rangeOfTop(A, Active);
  if (IsSmall && !(Active & ~A.Top) && Own.Low >= 0 && Own.High <= Most) {
    Form R = A; // there are no other bits
    R.Bits = S.Bits;
    return R;
  }
  // Tearing moves lanes by multiples of 2^32, which only low bits do not see.
  if ((A.Top & Active) && 0 < A.LowBits && A.LowBits < Count) {
    // What the lanes of Top have of their own may stand above these.
    Form R = lowBits(S, A, A.LowBits, Active);
    if (R.Top & Active) { // and not even those below are known
      R = Form::unknown(R.From, S.Bits);
      if (IsSmall)
        R.bound(0, Most);
      return R;
    }
    R.Top = Active;
    R.LowBits = A.LowBits;
    R.Reach =
        IsSmall ? uint64_t(Most) & ~uint64_t(0) << A.LowBits : Form::Unbounded;
    if (R.Reach > Form::MostReach)
      R.Reach = Form::Unbounded;
    R.From |= OriginAssumed;
    return R;
  }
  const bool Splits = (!(A.Top & Active) || Count <= A.LowBits) &&
                      Count <= 62 && !(A.Torn && Count > 32) &&
                      splitRemainder(A, int64_t(1) << Count, Active, Low, G);
  if (!Splits && isUniform(A, Active))
    return fresh(S.Bits, A.From);
  if (!Splits) {
    Form R = Form::unknown(A.From | OriginAssumed, S.Bits);
    if (IsSmall)
      R.bound(0, Most);
    return R;
  }
  const int64_t D = int64_t(1) << Count;
  Form R;
  R.Bits = S.Bits;
  R.From = A.From;
  R.Base = Low;
  R.Unsigned = true;
  if (G != D) {
    R.Terms.push_back(symbol({0, D / G - 1}, R.From, G));
  }
  settle(R, Active);
  return R;
}

Form Algebra::remainder(const Step &S, const Form &A, const Form &B,
                        uint32_t Active) {
  const unsigned First = std::countr_zero(Active);
  if (!isNumberIn(B, Active) || !isUniform(B, Active) || B.Base[First] <= 0 ||
      A.Torn)
    return opaque(S, Active, A, &B, nullptr);
  const int64_t D = B.Base[First];
  if (A.Top & Active) {
    Form R = opaque(S, Active, A, &B, nullptr);
    const bool IsPositive =
        S.What == Code::URem || rangeOfTop(A, Active).Low >= 0;
    R.bound(IsPositive ? 0 : 1 - D, D - 1);
    return R;
  }
  const bool Plain = S.What == Code::URem
                         ? A.Unsigned || std::has_single_bit(uint64_t(D))
                         : A.Signed && fits(A, Active, 0, Endless);
  LaneNumbers Low{};
  int64_t G = 1;
  if (!Plain || !splitRemainder(A, D, Active, Low, G))
    return opaque(S, Active, A, &B, nullptr);
  Form R;
  R.Bits = S.Bits;
  R.From = A.From | B.From;
  R.Base = Low;
  R.Unsigned = true;
  if (G != D) {
    R.Terms.push_back(symbol({0, D / G - 1}, R.From, G));
  }
  settle(R, Active);
  return R;
}

Form Algebra::bitwise(const Step &S, const Form &A, const Form &B,
                      uint32_t Active) {
  auto *Disjoint = llvm::dyn_cast_or_null<llvm::PossiblyDisjointInst>(S.From);
  if (S.What == Code::Or && Disjoint && Disjoint->isDisjoint())
    return add(A, B, S.Bits, true, true, false);
  if (isNumberIn(A, Active) && !isNumberIn(B, Active))
    return bitwise(S, B, A, Active);
  const unsigned First = std::countr_zero(Active);
  if (S.What == Code::And && isNumberIn(B, Active) && isUniform(B, Active)) {
    const uint64_t Mask = truncateTo(uint64_t(B.Base[First]), S.Bits);
    if (std::has_single_bit(Mask + 1))
      return lowBits(S, A, std::countr_one(Mask), Active);
    if (A.Top & Active) {
      // The mask clears the bits below it, and keeps what is known above them.
      const unsigned Cleared = std::min<unsigned>(
          {unsigned(std::countr_zero(Mask)), MostLowBits, S.Bits});
      Form R = A.LowBits > Cleared
                   ? bitwise(S, lowBits(S, A, A.LowBits, Active), B, Active)
                   : Form::number(0, S.Bits);
      // Taking the low bits can lose some of them.
      const unsigned Kept =
          R.Top & Active ? std::min(R.LowBits, A.LowBits) : A.LowBits;
      R.Top = Active;
      R.LowBits = uint8_t(std::max(Kept, Cleared));
      R.Reach = Mask <= Form::MostReach ? Mask : Form::Unbounded;
      R.From |= A.From | OriginAssumed;
      R.Signed = R.Unsigned = false;
      return R;
    }
  }
  if ((A.Top | B.Top) & Active)
    return opaque(S, Active, A, &B, nullptr);
  if (isNumberIn(B, Active)) {
    if (S.What == Code::And) {
      if (!isUniform(B, Active))
        return opaque(S, Active, A, &B, nullptr);
      const uint64_t Mask = truncateTo(uint64_t(B.Base[First]), S.Bits);
      const uint64_t Cleared = truncateTo(~Mask, S.Bits);
      if (!std::has_single_bit(Cleared + 1))
        return opaque(S, Active, A, &B, nullptr);
      const Form Low = lowBits(S, A, std::countr_one(Cleared), Active);
      // Without its low bits a number stays on its side of zero.
      return add(A, Low, S.Bits, true, true, true);
    }
    // Bits that lie below all symbols are numbers.
    uint64_t Most = 0;
    bool Negative = false;
    forEach(Active, [&](unsigned L) {
      Negative |= B.Base[L] < 0;
      Most = std::max(Most, uint64_t(B.Base[L]));
    });
    const unsigned Count = std::bit_width(Most);
    const int64_t D = int64_t(1) << std::min(62u, Count);
    if (Negative || Count > 62 ||
        !std::all_of(A.Terms.begin(), A.Terms.end(),
                     [&](const Term &T) { return isDivisible(T, D, Active); }))
      return opaque(S, Active, A, &B, nullptr);
    Form R = A;
    R.From |= B.From;
    forEach(Active, [&](unsigned L) {
      const int64_t Low = floorRemainder(A.Base[L], D);
      R.Base[L] +=
          (S.What == Code::Or ? Low | B.Base[L] : Low ^ B.Base[L]) - Low;
    });
    settle(R, Active);
    return R;
  }
  if (S.What == Code::Or || S.What == Code::Xor)
    for (const auto &[High, Low] : {std::pair(&A, &B), std::pair(&B, &A)}) {
      // One of them is a multiple of a power of two above the other.
      Wide Most = 0;
      bool Known = true;
      forEach(Active, [&](unsigned L) {
        const Interval I = rangeOf(*Low, L);
        Known &= I.Low >= 0 && I.High < power(62);
        Most = std::max(Most, I.High);
      });
      if (!Known)
        continue;
      const int64_t D = int64_t(1) << std::bit_width(uint64_t(Most));
      if (D > 0 &&
          std::all_of(
              High->Terms.begin(), High->Terms.end(),
              [&](const Term &T) { return isDivisible(T, D, Active); }) &&
          all(Active, [&](unsigned L) { return High->Base[L] % D == 0; }))
        return add(A, B, S.Bits, true, true, false);
    }
  return opaque(S, Active, A, &B, nullptr);
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

Form Algebra::truth(const Step &S, const Form &A, const Form &B,
                    uint32_t Active) {
  if (!isNumberIn(B, Active) && !isNumberIn(A, Active) &&
      isUniform(A, Active) && isUniform(B, Active))
    return fresh({0, 1}, 1, A.From | B.From);
  // Lane by lane: a number, one of the operands, its contrary, or unknown.
  Form R = Form::number(0, 1);
  R.From = A.From | B.From;
  R.Signed = R.Unsigned = true;
  auto copy = [&](const Form &F, unsigned L, bool Contrary) {
    if (F.Top >> L & 1) {
      R.Top |= 1u << L;
      return;
    }
    R.Base[L] = Contrary ? 1 - F.Base[L] : F.Base[L];
    for (const Term &T : F.Terms) {
      if (T.Factor[L] == 0)
        continue;
      auto Into =
          std::find_if(R.Terms.begin(), R.Terms.end(),
                       [&](const Term &M) { return M.Symbol == T.Symbol; });
      if (Into == R.Terms.end()) {
        R.Terms.push_back({T.Symbol, {}});
        Into = std::prev(R.Terms.end());
      }
      Into->Factor[L] = Contrary ? -T.Factor[L] : T.Factor[L];
    }
  };
  forEach(Active, [&](unsigned L) {
    const uint32_t Lane = 1u << L;
    const bool KnowsA = isNumberIn(A, Lane), KnowsB = isNumberIn(B, Lane);
    if (!KnowsA && !KnowsB) {
      if (S.What != Code::Xor && isSame(A, B, Lane))
        copy(A, L, false);
      else
        R.Top |= Lane;
      return;
    }
    const Form &Other = KnowsA ? B : A;
    const int64_t Known = KnowsA ? A.Base[L] : B.Base[L];
    if (S.What == Code::Xor)
      copy(Other, L, Known);
    else if ((S.What == Code::And) == (Known != 0))
      copy(Other, L, false);
    else
      R.Base[L] = Known;
  });
  settle(R, Active);
  return R;
}

/// True when what the lanes \p Open of \p D are compared to 0 for can go both
/// ways in every single block and warp, too.
bool Algebra::isOpenEverywhere(const Form &D, uint32_t Open,
                               bool Equality) const {
  if (placeOf(D, Open) == 0)
    return true;
  return !(D.Top & Open) && !D.Torn && !Equality && all(Open, [&](unsigned L) {
    // Of what differs from place to place, and of the rest.
    Interval There{D.Base[L], D.Base[L]}, Anywhere{};
    for (const Term &T : D.Terms) {
      if (T.Factor[L] == 0)
        continue;
      if (placeOf(T) && !isUniformTerm(T, Open))
        return false;
      Interval &Its = placeOf(T) ? There : Anywhere;
      Its = plus(Its, rangeOf(T, L));
    }
    return plus({There.High, There.High}, Anywhere).Low < 0 &&
           plus({There.Low, There.Low}, Anywhere).High > 0;
  });
}

Form Algebra::compare(const Step &S, const Form &A, const Form &B,
                      uint32_t Active) {
  const Form D = difference(A, B);
  const bool Equality = S.What == Code::Equal || S.What == Code::NotEqual;
  const bool Signed = S.What == Code::LessS || S.What == Code::LessEqualS;
  const bool Whole = Equality
                         ? (A.Signed && B.Signed) || (A.Unsigned && B.Unsigned)
                     : Signed ? A.Signed && B.Signed
                              : A.Unsigned && B.Unsigned;
  Form R = Form::number(0, 1);
  R.Signed = R.Unsigned = true;
  uint32_t Open = 0;
  forEach(Active, [&](unsigned L) {
    const uint32_t Lane = 1u << L;
    if (D.Top & Lane) {
      Open |= Lane;
      return;
    }
    if (Equality && D.Torn == 0) {
      uint64_t G = uint64_t(1) << std::min(62u, unsigned(A.Bits));
      for (const Term &T : D.Terms)
        G = std::gcd(G, T.Factor[L] < 0 ? -uint64_t(T.Factor[L])
                                        : uint64_t(T.Factor[L]));
      const bool Constant = isNumberIn(D, Lane);
      const bool Differs = Constant
                               ? canonical(uint64_t(D.Base[L]), A.Bits) != 0
                               : floorRemainder(D.Base[L], int64_t(G)) != 0;
      if (Constant || Differs) {
        R.Base[L] = (S.What == Code::NotEqual) == Differs;
        return;
      }
    }
    if (!Whole || D.Torn) {
      Open |= Lane;
      return;
    }
    Interval I{D.Base[L], D.Base[L]};
    for (const Term &T : D.Terms)
      if (T.Factor[L] != 0)
        I = plus(I, rangeOf(T, L));
    if (Equality) {
      if (I.Low > 0 || I.High < 0)
        R.Base[L] = S.What == Code::NotEqual;
      else
        Open |= Lane;
      return;
    }
    const bool OrEqual =
        S.What == Code::LessEqualS || S.What == Code::LessEqualU;
    if (OrEqual ? I.High <= 0 : I.High < 0)
      R.Base[L] = 1;
    else if (OrEqual ? I.Low > 0 : I.Low >= 0)
      R.Base[L] = 0;
    else
      Open |= Lane;
  });
  R.From = A.From | B.From;
  if (Open == 0 || (Whole && isOpenEverywhere(D, Open, Equality)))
    R.From &= ~OriginPlace;
  if (Open == 0)
    return R;
  // Lanes that compare the same are told the same. (Not so if some of the sums
  // have wrapped around: then less is more.)
  if (((Whole || Equality) && D.Torn == 0 && isUniform(D, Open)) ||
      (isUniform(A, Open) && isUniform(B, Open))) {
    Form Which = fresh({0, 1}, 1, R.From);
    for (unsigned L = 0; L != WarpLanes; ++L)
      Which.Terms[0].Factor[L] = Open >> L & 1;
    R.Terms.push_back(Which.Terms[0]);
    return R;
  }
  R.Top = Open;
  R.From |= OriginAssumed;
  return R;
}

Form Algebra::extreme(const Step &S, const Form &A, const Form &B,
                      uint32_t Active) {
  const bool Signed = S.What == Code::MinS || S.What == Code::MaxS;
  const bool Least = S.What == Code::MinS || S.What == Code::MinU;
  if ((A.Top & Active) && !(B.Top & Active))
    return extreme(S, B, A, Active);
  if ((B.Top & Active) && isNumberIn(A, Active) && isUniform(A, Active)) {
    Form R = opaque(S, Active, A, &B, nullptr);
    const Wide Limit = A.Base[std::countr_zero(Active)];
    const Interval I = rangeOfTop(B, Active);
    const auto Pick = [&](Wide P) {
      return int64_t(Least ? std::min(P, Limit) : std::max(P, Limit));
    };
    if (Signed || (I.Low >= 0 && Limit >= 0))
      R.bound(Pick(I.Low), Pick(I.High));
    else if (Least && Limit >= 0)
      R.bound(0, int64_t(Limit));
    return R;
  }
  if ((A.Top | B.Top) & Active || A.Torn || B.Torn ||
      !(Signed ? A.Signed && B.Signed : A.Unsigned && B.Unsigned))
    return opaque(S, Active, A, &B, nullptr);
  const Form D = difference(A, B);
  uint32_t TakesA = 0, Open = 0;
  forEach(Active, [&](unsigned L) {
    Interval I{D.Base[L], D.Base[L]};
    for (const Term &T : D.Terms)
      if (T.Factor[L] != 0)
        I = plus(I, rangeOf(T, L));
    if (I.High <= 0)
      TakesA |= uint32_t(Least) << L;
    else if (I.Low >= 0)
      TakesA |= uint32_t(!Least) << L;
    else
      Open |= 1u << L;
  });
  Form R = blend(A, B, TakesA);
  R.Bits = S.Bits;
  if (Open == 0)
    return R;
  if (Open == Active && isUniform(A, Active) && isUniform(B, Active)) {
    const unsigned L = std::countr_zero(Active);
    const Interval X = rangeOf(A, L), Y = rangeOf(B, L);
    const auto Pick = [&](Wide P, Wide Q) {
      return Least ? std::min(P, Q) : std::max(P, Q);
    };
    return fresh({Pick(X.Low, Y.Low), Pick(X.High, Y.High)}, S.Bits,
                 A.From | B.From);
  }
  R.forget(Open);
  R.From |= OriginAssumed;
  return R;
}

Form Algebra::select(const Form &Condition, const Form &A, const Form &B,
                     uint32_t Active) {
  uint32_t Known = 0, Chosen = 0;
  forEach(Active, [&](unsigned L) {
    if (isNumberIn(Condition, 1u << L)) {
      Known |= 1u << L;
      Chosen |= uint32_t(Condition.Base[L] & 1) << L;
    }
  });
  Form R = blend(A, B, Chosen);
  if (const uint32_t Open = Active & ~Known) {
    const Form Either = either(A, B, Open, isUniform(Condition, Open));
    R = Known ? blend(R, Either, Known) : Either;
  }
  R.From |= Condition.From;
  return R;
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

Form Algebra::extend(const Form &A, unsigned Bits, bool Signed,
                     uint32_t Active) {
  if (A.Bits >= Bits)
    return A;
  Form R = A;
  R.Bits = uint8_t(Bits);
  if (A.Bits == 1 && Signed)
    return scale(R, -1, Bits, true);
  if (A.Top & Active) {
    // Where it may have wrapped around it may be anywhere.
    const Interval I = rangeOfTop(A, Active), All = signedRange(A.Bits);
    const bool IsKnown = I.Low > All.Low || I.High < All.High;
    if (!IsKnown || (!Signed && I.Low < 0))
      R.Reach = Form::Unbounded;
    if (!R.isBounded() && A.LowBits == 0 && A.Terms.empty() && A.Bits < 64)
      R.bound(Signed ? int64_t(All.Low) : 0,
              int64_t(Signed || A.Bits == 1 ? All.High : 2 * All.High + 1));
  }
  if (Signed ? A.Signed : A.Unsigned) {
    R.Signed = true;
    R.Unsigned = !Signed;
    settle(R, Active);
    return R;
  }
  if (!(Active & ~A.Top)) {
    R.Signed = R.Unsigned = false;
    return R; // the low bits stay what they are
  }
  // The sum may have wrapped around. All lanes have if they share everything
  // above the greatest power of two that divides what is unknown: where it
  // wraps is a multiple of that.
  uint64_t G = uint64_t(1) << std::min(62u, unsigned(A.Bits));
  bool SameTerms = true;
  for (const Term &T : A.Terms) {
    SameTerms &= isUniformTerm(T, Active);
    forEach(Active, [&](unsigned L) {
      G = std::gcd(G, T.Factor[L] < 0 ? -uint64_t(T.Factor[L])
                                      : uint64_t(T.Factor[L]));
    });
  }
  const int64_t Above =
      floorDivide(A.Base[std::countr_zero(Active)], int64_t(G));
  const bool Whole = SameTerms && !(A.Top & Active) && A.Torn == 0 &&
                     all(Active, [&](unsigned L) {
                       return floorDivide(A.Base[L], int64_t(G)) == Above;
                     });
  if (Whole && A.Bits < 63) {
    R.Terms.push_back(symbol(Anything, A.From, int64_t(1) << A.Bits));
    R.Signed = true;
    R.Unsigned = !Signed;
    settle(R, Active);
    return R;
  }
  // Lanes that lie far from each other, or are narrow, may meet when they wrap.
  int64_t Least = INT64_MAX, Most = INT64_MIN;
  forEach(Active & ~A.Top, [&](unsigned L) {
    Least = std::min(Least, A.Base[L]);
    Most = std::max(Most, A.Base[L]);
  });
  if (A.Bits < 32 || Wide(Most) - Least > power(A.Bits - 1))
    return Form::unknown(A.From | OriginAssumed, Bits);
  R.TornAt = A.Torn == 0 ? 0 : Form::AnyLanes;
  R.Torn = uint8_t(std::min(255, A.Torn + 1));
  R.Signed = R.Unsigned = false;
  settle(R, Active);
  return R;
}

Form Algebra::truncate(const Form &A, unsigned Bits, uint32_t Active) {
  if (Bits == 1) {
    Step S{Code::And};
    S.Bits = 1;
    return lowBits(S, A, 1, Active);
  }
  Form R = A;
  R.Bits = uint8_t(Bits);
  R.LowBits = std::min(R.LowBits, R.Bits);
  const Interval Within = signedRange(Bits);
  if (Bits <= 32)
    R.Torn = 0;
  R.Signed = A.Signed && fits(A, Active, Within.Low, Within.High);
  R.Unsigned = A.Unsigned && fits(A, Active, 0, 2 * Within.High + 1);
  settle(R, Active);
  return R;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// What is the same for all lanes stays so whatever is computed of it; the rest
/// is not known, but for lanes whose operands are numbers.
Form Algebra::opaque(const Step &S, uint32_t Active, const Form &A,
                     const Form *B, const Form *C) {
  uint32_t From = A.From | (B ? B->From : 0) | (C ? C->From : 0);
  const bool Uniform = isUniform(A, Active) && (!B || isUniform(*B, Active)) &&
                       (!C || isUniform(*C, Active));
  if (Uniform)
    return fresh(S.Bits, From);
  auto asNumbers = [](const Form &F) {
    Form N = F;
    for (unsigned L = 0; L != WarpLanes; ++L)
      if (!isNumberIn(F, 1u << L))
        N.Top |= 1u << L;
    N.Terms.clear();
    N.Torn = 0;
    return N.toLaneValue();
  };
  const LaneValue X = asNumbers(A);
  LaneValue Y, Z, R;
  if (B)
    Y = asNumbers(*B);
  if (C)
    Z = asNumbers(*C);
  evaluate(S, X, B ? &Y : nullptr, C ? &Z : nullptr, R);
  Form Made = Form::of(R, S.Bits);
  Made.From = From | (Made.Top ? OriginAssumed : 0);
  return Made;
}

Form Algebra::apply(const Step &S, const Form &A, const Form *B, const Form *C,
                    uint32_t Active) {
  assert(isLanewise(S.What) && Active != 0);
  const uint32_t Top = A.Top | (B ? B->Top : 0) | (C ? C->Top : 0);
  if (A.isNumber() && (!B || B->isNumber()) && (!C || C->isNumber()) &&
      !((Top & Active) && knowsParts(S.What))) {
    const LaneValue X = A.toLaneValue();
    LaneValue Y, Z, R;
    if (B)
      Y = B->toLaneValue();
    if (C)
      Z = C->toLaneValue();
    evaluate(S, X, B ? &Y : nullptr, C ? &Z : nullptr, R);
    Form Made = Form::of(R, S.Bits);
    if (Made.Top)
      Made.From |=
          (A.From | (B ? B->From : 0) | (C ? C->From : 0)) & OriginPlace;
    return Made;
  }
  switch (S.What) {
  case Code::Add:
  case Code::Sub:
    return add(A, *B, S.Bits, promisesNoWrap(S, true), promisesNoWrap(S, false),
               S.What == Code::Sub);
  case Code::AddScaled: {
    const Form Index = extend(*B, 64, true, Active);
    return add(A, scale(Index, S.Immediate, 64, true), 64, true, false, false);
  }
  case Code::Mul:
    return multiply(S, A, *B, Active);
  case Code::Shl: {
    if (!isNumberIn(*B, Active) || !all(Active, [&](unsigned L) {
          return B->Base[L] >= 0 && B->Base[L] < std::min<int64_t>(62, S.Bits);
        }))
      return opaque(S, Active, A, B, C);
    Form Power = *B;
    forEach(Active,
            [&](unsigned L) { Power.Base[L] = int64_t(1) << B->Base[L]; });
    forEach(~Active, [&](unsigned L) { Power.Base[L] = 1; });
    Power.Top = 0;
    Power.Signed = Power.Unsigned = true;
    return multiply(S, A, Power, Active);
  }
  case Code::UDiv:
  case Code::SDiv:
  case Code::LShr:
  case Code::AShr:
    return divide(S, A, *B, Active);
  case Code::URem:
  case Code::SRem:
    return remainder(S, A, *B, Active);
  case Code::And:
  case Code::Or:
  case Code::Xor:
    return S.Bits == 1 ? truth(S, A, *B, Active) : bitwise(S, A, *B, Active);
  case Code::MinS:
  case Code::MaxS:
  case Code::MinU:
  case Code::MaxU:
    return extreme(S, A, *B, Active);
  case Code::Equal:
  case Code::NotEqual:
  case Code::LessU:
  case Code::LessEqualU:
  case Code::LessS:
  case Code::LessEqualS:
    return compare(S, A, *B, Active);
  case Code::Copy:
    if (S.Bits == A.Bits)
      return A;
    return S.Bits < A.Bits ? truncate(A, S.Bits, Active)
                           : extend(A, S.Bits, false, Active);
  case Code::ZeroExtend:
    return extend(A, S.Bits, false, Active);
  case Code::SignExtend:
    return extend(A, S.Bits, true, Active);
  case Code::Truncate:
    return truncate(A, S.Bits, Active);
  case Code::Select:
    return select(A, *B, *C, Active);
  default:
    return opaque(S, Active, A, B, C);
  }
}

} // namespace warpwise::access::proof

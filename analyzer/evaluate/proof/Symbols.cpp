//===- Symbols.cpp - What nobody knows, and its limits --------------------===//

#include "analyzer/evaluate/proof/Symbols.h"

#include <algorithm>
#include <numeric>

namespace warpwise::access::proof {

/// A form of more terms than these is simplified: kernels add up few unknowns,
/// and each one costs 256 bytes.
constexpr size_t MostTerms = 7;

Term Symbols::symbol(Interval Within, uint32_t From, int64_t Factor) {
  Term T{uint32_t(Known.size()), {}};
  T.Factor.fill(Factor);
  Known.push_back({Within, From & OriginPlace});
  return T;
}

static bool takesPart(const Term &T, uint32_t Lanes) {
  return !all(Lanes, [&](unsigned L) { return T.Factor[L] == 0; });
}

uint32_t Symbols::placeOf(const Form &F, uint32_t Lanes) const {
  uint32_t Place = (F.Top & Lanes) || F.Torn ? F.From & OriginPlace : 0;
  for (const Term &T : F.Terms)
    if (takesPart(T, Lanes))
      Place |= placeOf(T);
  return Place;
}

uint32_t Symbols::placeOfDifference(const Form &A, const Form &B,
                                    uint32_t Lanes) const {
  uint32_t Place = 0;
  for (const auto &[F, Other] : {std::pair(&A, &B), std::pair(&B, &A)}) {
    if ((F->Top & Lanes) || F->Torn)
      Place |= F->From & OriginPlace;
    for (const Term &T : F->Terms)
      if (placeOf(T) && !all(Lanes, [&](unsigned L) {
            return factorOf(*Other, T.Symbol, L) == T.Factor[L];
          }))
        Place |= placeOf(T);
  }
  return Place;
}

bool Symbols::isOpenAnywhere(const Form &F, uint32_t Lanes) const {
  if (((F.Top & Lanes) || F.Torn) && !(F.From & OriginPlace))
    return true;
  return std::any_of(F.Terms.begin(), F.Terms.end(), [&](const Term &T) {
    return !placeOf(T) && takesPart(T, Lanes);
  });
}

Interval Symbols::rangeOf(const Term &T, unsigned Lane) const {
  return times(Known[T.Symbol].Within, T.Factor[Lane]);
}

Form Symbols::fresh(unsigned Bits, uint32_t From) {
  return fresh(signedRange(Bits), Bits, From);
}

Form Symbols::fresh(Interval Within, unsigned Bits, uint32_t From) {
  const Interval All = signedRange(Bits);
  Form F;
  F.Bits = uint8_t(Bits);
  F.From = From;
  Within.Low = std::max(Within.Low, All.Low);
  if (Bits > 1 && Within.Low >= 0)
    Within.High = std::min(Within.High, 2 * All.High + 1);
  else
    Within.High = std::min(Within.High, All.High);
  F.Terms.push_back(symbol(Within, From));
  F.Signed = Within.High <= All.High;
  F.Unsigned = Within.Low >= 0;
  return F;
}

Interval Symbols::rangeOf(const Form &F, unsigned Lane) const {
  if ((F.Top >> Lane & 1) || !(F.Signed || F.Unsigned) || F.Torn)
    return Anything;
  Interval I{F.Base[Lane], F.Base[Lane]};
  for (const Term &T : F.Terms)
    if (T.Factor[Lane] != 0)
      I = plus(I, rangeOf(T, Lane));
  return I;
}

bool Symbols::fits(const Form &F, uint32_t Lanes, Wide Low, Wide High) const {
  Lanes &= ~F.Top;
  const auto fitsIn = [&](unsigned L) {
    const Interval I = rangeOf(F, L);
    return I.Low >= Low && I.High <= High;
  };
  if (Lanes == 0 ||
      !std::all_of(F.Terms.begin(), F.Terms.end(),
                   [&](const Term &T) { return isUniformTerm(T, Lanes); }))
    return all(Lanes, fitsIn);
  // What the lanes share moves the least and the greatest like all between.
  unsigned Least = std::countr_zero(Lanes), Most = Least;
  forEach(Lanes, [&](unsigned L) {
    Least = F.Base[L] < F.Base[Least] ? L : Least;
    Most = F.Base[L] > F.Base[Most] ? L : Most;
  });
  return fitsIn(Least) && fitsIn(Most);
}

void Symbols::settle(Form &F, uint32_t Lanes) {
  std::erase_if(F.Terms, [](const Term &T) { return !takesPart(T, ~0u); });
  if (F.Terms.empty()) {
    if (F.Torn) { // what tore it has cancelled out, where it tore is unknown
      F.forget(~0u);
      F.Torn = 0;
    }
    F.Signed = true;
    F.Unsigned = makeCanonical(F.Base, F.Bits, Lanes);
    return;
  }
  if (F.Terms.size() > MostTerms) {
    // What is the same in all lanes can be one symbol.
    uint64_t Common = 0;
    uint32_t Place = 0;
    std::vector<Term> Kept;
    for (const Term &T : F.Terms)
      if (isUniformTerm(T, ~0u)) {
        Common = std::gcd(Common, T.Factor[0] < 0 ? -uint64_t(T.Factor[0])
                                                  : uint64_t(T.Factor[0]));
        Place |= placeOf(T);
      } else {
        Kept.push_back(T);
      }
    if (Kept.size() >= MostTerms) {
      F = Form::unknown(F.From | OriginAssumed, F.Bits);
      return;
    }
    Kept.push_back(symbol(Anything, Place, int64_t(Common)));
    F.Terms = std::move(Kept);
  }
  if (F.Torn)
    F.Signed = F.Unsigned = false;
  const Interval S = signedRange(F.Bits);
  if (F.Signed && !F.Unsigned)
    F.Unsigned = fits(F, Lanes, 0, Endless - 1);
  else if (F.Unsigned && !F.Signed)
    F.Signed = fits(F, Lanes, 0, S.High);
}

} // namespace warpwise::access::proof

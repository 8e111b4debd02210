//===- FullestBank.cpp - How often groups meet in one bank ----------------===//

#include "profiler/warp/FullestBank.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace warpwise::warp {
namespace {

/// A polynomial in a few variables, cut off behind a degree in each. The
/// coefficients count in mixed radix.
class Series {
  const std::vector<unsigned> *Degrees;
  std::vector<double> Coefficients;

public:
  explicit Series(const std::vector<unsigned> &Degrees)
      : Degrees(&Degrees),
        Coefficients(std::accumulate(Degrees.begin(), Degrees.end(), size_t(1),
                                     [](size_t Size, unsigned Degree) {
                                       return Size * (Degree + 1);
                                     })) {}

  double &operator[](size_t N) { return Coefficients[N]; }
  size_t size() const { return Coefficients.size(); }
  double last() const { return Coefficients.back(); }

  /// The exponents of coefficient \p N.
  std::vector<unsigned> exponents(size_t N) const {
    std::vector<unsigned> Of;
    for (unsigned Degree : *Degrees) {
      Of.push_back(unsigned(N % (Degree + 1)));
      N /= Degree + 1;
    }
    return Of;
  }

  Series operator*(const Series &Other) const {
    Series Product(*Degrees);
    for (size_t A = 0; A != size(); ++A) {
      if (Coefficients[A] == 0)
        continue;
      for (size_t B = 0; A + B < size(); ++B)
        if (Other.Coefficients[B] != 0 && !carries(A, B))
          Product.Coefficients[A + B] +=
              Coefficients[A] * Other.Coefficients[B];
    }
    return Product;
  }

  Series power(uint64_t Exponent) const {
    Series Result(*Degrees), Square = *this;
    Result.Coefficients[0] = 1;
    for (; Exponent != 0; Exponent >>= 1) {
      if (Exponent & 1)
        Result = Result * Square;
      if (Exponent > 1)
        Square = Square * Square;
    }
    return Result;
  }

private:
  bool carries(size_t A, size_t B) const {
    if (Degrees->size() == 1)
      return false;
    for (unsigned Degree : *Degrees) {
      if (A % (Degree + 1) + B % (Degree + 1) > Degree)
        return true;
      A /= Degree + 1;
      B /= Degree + 1;
    }
    return false;
  }
};

double factorial(unsigned N) { return std::tgamma(double(N) + 1); }

/// By number of groups and of passes: in how many ways the groups fall to just
/// these, S(groups, passes).
const std::array<std::array<double, 33>, 33> &stirling() {
  static const auto Numbers = [] {
    std::array<std::array<double, 33>, 33> S{};
    S[0][0] = 1;
    for (unsigned N = 1; N != 33; ++N)
      for (unsigned K = 1; K <= N; ++K)
        S[N][K] = K * S[N - 1][K] + S[N - 1][K - 1];
    return S;
  }();
  return Numbers;
}

/// The expectation of a number of which \p atMost tells the probability that it
/// is not above k, by summing over k.
template <typename Fn> double expectationOf(unsigned Highest, Fn atMost) {
  constexpr double Negligible = 1e-10;
  double Expected = 0;
  for (unsigned K = 0; K < Highest; ++K) {
    const double Above = 1 - atMost(K);
    Expected += Above;
    if (Above < Negligible)
      break;
  }
  return Expected;
}

/// What may happen in one bin of a table, as the groups fall to it.
class TableBin {
  /// [d][j]: that j given groups fall to d of the passes that are full; and
  /// [j]: to the pass that is not. Both are probabilities over j!.
  std::array<std::array<double, 33>, 33> Full{};
  std::array<double, 33> Tail{};

public:
  TableBin(const BankMap &Map, uint64_t Filled, uint64_t Elements,
           unsigned Groups) {
    const uint64_t FullPasses = Filled / Map.PerPass;
    const double Share = double(Map.PerPass) / double(Elements);
    const double InTail = double(Filled % Map.PerPass) / double(Elements);
    double OneOver = 1; // over j!
    for (unsigned J = 0; J <= Groups; ++J) {
      OneOver /= std::max(J, 1u);
      Tail[J] = J == 0 ? 0 : std::pow(InTail, J) * OneOver;
      double Choices = std::pow(Share, J) * OneOver;
      for (unsigned D = 0; D <= std::min<uint64_t>(J, FullPasses); ++D) {
        Full[D][J] = Choices * stirling()[J][D];
        Choices *= double(FullPasses - D);
      }
    }
  }

  /// At most \p Most passes.
  Series atMost(unsigned Most, const std::vector<unsigned> &Degrees) const {
    const unsigned Groups = Degrees[0];
    Series All(Degrees), InTail(Degrees), Others(Degrees);
    bool HasTail = false;
    for (unsigned J = 0; J <= Groups; ++J) {
      for (unsigned D = 0; D <= std::min(J, Most); ++D) {
        All[J] += Full[D][J];
        if (D != Most)
          Others[J] += Full[D][J];
      }
      InTail[J] = Tail[J];
      HasTail |= Tail[J] != 0;
    }
    if (!HasTail)
      return All;
    Series With = InTail * Others;
    for (unsigned J = 0; J <= Groups; ++J)
      All[J] += With[J];
    return All;
  }
};

} // namespace

std::optional<BankMap> BankMap::of(const RequestLaw &Law,
                                   const RandomRequest &R) {
  const auto First = unsigned(std::countr_zero(R.active()));
  for (uint32_t Left = R.active(); Left != 0; Left &= Left - 1)
    if (R.Offsets[std::countr_zero(Left)] != R.Offsets[First])
      return std::nullopt;
  BankMap Map;
  if (R.Stride < Law.BankBytes && Law.BankBytes % R.Stride == 0) {
    Map.PerWord = Law.BankBytes / R.Stride;
    Map.Bins = Law.Banks;
    Map.PerPass = Map.PerWord * Law.RowsPerPass;
    return Map;
  }
  const uint64_t Wide = std::max(Law.BankBytes, R.Bytes);
  if (R.Stride % Wide != 0)
    return std::nullopt;
  const uint64_t Row = uint64_t(Law.Banks) * Law.BankBytes;
  const uint64_t Sets = std::max<uint64_t>(1, Row / Wide);
  Map.Bins = Sets / std::gcd(R.Stride / Wide, Sets);
  if (Law.RowsPerPass == 1)
    return Map;
  if (R.Stride * Map.Bins != Row)
    return std::nullopt;
  Map.PerPass = Law.RowsPerPass;
  return Map;
}

std::map<uint64_t, uint64_t> BankMap::fill(uint64_t Elements) const {
  const uint64_t Turn = Bins * PerWord, Full = Elements / Turn * PerWord;
  const uint64_t Rest = Elements % Turn;
  std::map<uint64_t, uint64_t> Fill;
  const uint64_t More = Rest / PerWord, Last = Rest % PerWord;
  if (More != 0)
    Fill[Full + PerWord] += More;
  if (Last != 0)
    Fill[Full + Last] += 1;
  if (const uint64_t Others = Bins - More - (Last != 0))
    Fill[Full] += Others;
  return Fill;
}

uint64_t BankMap::passesOfFullestBin(uint64_t Elements) const {
  const uint64_t Most = fill(Elements).rbegin()->first;
  return (Most + PerPass - 1) / PerPass;
}

double expectedPasses(const BankMap &Map, std::optional<uint64_t> Elements,
                      unsigned Groups) {
  const std::vector<unsigned> Degrees = {Groups};
  const double Orders = factorial(Groups);
  if (!Elements)
    return expectationOf(Groups, [&](unsigned Most) {
      Series Bin(Degrees);
      for (unsigned J = 0; J <= std::min(Groups, Most); ++J)
        Bin[J] = std::pow(double(Map.Bins), -double(J)) / factorial(J);
      return Bin.power(Map.Bins).last() * Orders;
    });
  std::vector<std::pair<TableBin, uint64_t>> Kinds;
  for (const auto &[Filled, Bins] : Map.fill(*Elements))
    Kinds.emplace_back(TableBin(Map, Filled, *Elements, Groups), Bins);
  return expectationOf(Groups, [&](unsigned Most) {
    Series All(Degrees);
    All[0] = 1;
    for (const auto &[Bin, Count] : Kinds)
      All = All * Bin.atMost(Most, Degrees).power(Count);
    return All.last() * Orders;
  });
}

bool hasManySizes(const std::vector<uint32_t> &Groups) {
  std::map<int, unsigned> Sizes;
  for (uint32_t Group : Groups)
    ++Sizes[std::popcount(Group)];
  return std::accumulate(Sizes.begin(), Sizes.end(), 1u,
                         [](unsigned Terms, const auto &Size) {
                           return Terms * (Size.second + 1);
                         }) > 48;
}

double expectedTurns(const BankMap &Map, std::optional<uint64_t> Elements,
                     const std::vector<uint32_t> &Groups) {
  std::map<unsigned, unsigned> Sizes; // by lanes of a group: how many groups
  unsigned Lanes = 0;
  for (uint32_t Group : Groups) {
    ++Sizes[unsigned(std::popcount(Group))];
    Lanes += unsigned(std::popcount(Group));
  }
  std::vector<unsigned> Degrees;
  double Orders = 1;
  for (const auto &[Size, Count] : Sizes) {
    Degrees.push_back(Count);
    Orders *= factorial(Count);
  }
  const auto bin = [&](double Share, unsigned Most) {
    Series S(Degrees);
    for (size_t N = 0; N != S.size(); ++N) {
      const std::vector<unsigned> Taken = S.exponents(N);
      unsigned Load = 0, At = 0;
      double Ways = 1;
      for (const auto &[Size, Count] : Sizes) {
        Load += Size * Taken[At];
        Ways *= std::pow(Share, Taken[At]) / factorial(Taken[At]);
        ++At;
      }
      S[N] = Load <= Most ? Ways : 0;
    }
    return S;
  };
  return expectationOf(Lanes, [&](unsigned Most) {
    if (!Elements)
      return bin(1 / double(Map.Bins), Most).power(Map.Bins).last() * Orders;
    Series All(Degrees);
    All[0] = 1;
    for (const auto &[Filled, Bins] : Map.fill(*Elements))
      All = All * bin(double(Filled) / double(*Elements), Most).power(Bins);
    return All.last() * Orders;
  });
}

} // namespace warpwise::warp

//===- Expectation.cpp - What a warp with random indices costs ------------===//
//
// Sectors and words: the expected number of distinct units is the sum over the
// units of the probability that some group touches them. Wavefronts: the
// probability that no bank has more than k words is a coefficient of a product
// of generating functions, one for each bank.
//
//===----------------------------------------------------------------------===//

#include "profiler/warp/Expectation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace warpwise::warp {

uint32_t RandomRequest::active() const {
  uint32_t All = 0;
  for (uint32_t Group : Groups)
    All |= Group;
  return All;
}

std::optional<uint64_t> RandomRequest::elements() const {
  if (!ObjectBytes)
    return std::nullopt;
  // The last element may be cut off behind its field.
  return std::max<uint64_t>(1, (*ObjectBytes + Stride - Bytes) / Stride);
}

std::vector<uint32_t> neighbourGroups(uint32_t Active, unsigned GroupLanes) {
  std::vector<uint32_t> Groups;
  for (unsigned First = 0; First < RequestLaw::Lanes; First += GroupLanes) {
    const unsigned Count = std::min(GroupLanes, RequestLaw::Lanes - First);
    const uint32_t Mask = Count == RequestLaw::Lanes ? ~0u : (1u << Count) - 1;
    if (const uint32_t Group = Active & Mask << First)
      Groups.push_back(Group);
  }
  return Groups;
}

namespace {

//===----------------------------------------------------------------------===//
// Distinct units
//===----------------------------------------------------------------------===//

/// Objects up to this many elements are looked at element by element. Of longer
/// ones both ends are taken for part of the middle.
constexpr uint64_t ShortObject = 1024;

/// Distinct units of \p Unit bytes under a request.
class UnitCounter {
  const RandomRequest &R;
  const unsigned Unit;
  const std::optional<uint64_t> Elements = R.elements();
  /// Elements after which their places within the units repeat.
  const uint64_t Period = Unit / std::gcd<uint64_t>(R.Stride, Unit);
  /// By kind of group: the offsets of its lanes, each once, and the groups.
  std::map<std::vector<uint32_t>, unsigned> Kinds;

public:
  UnitCounter(const RandomRequest &R, unsigned Unit) : R(R), Unit(Unit) {
    for (uint32_t Group : R.Groups) {
      std::vector<uint32_t> Offsets;
      for (uint32_t Left = Group; Left != 0; Left &= Left - 1)
        Offsets.push_back(R.Offsets[std::countr_zero(Left)]);
      std::sort(Offsets.begin(), Offsets.end());
      Offsets.erase(std::unique(Offsets.begin(), Offsets.end()), Offsets.end());
      ++Kinds[std::move(Offsets)];
    }
  }

  Expectation count() const {
    Expectation Result;
    const uint64_t Places = std::min(Period, Elements.value_or(Period));
    for (const auto &[Offsets, Groups] : Kinds) {
      double Sum = 0, Least = INFINITY, Most = 0;
      for (uint64_t E = 0; E != Places; ++E) {
        const auto Size = double(unitsOf(Offsets, E).size());
        Sum += Size;
        Least = std::min(Least, Size);
        Most = std::max(Most, Size);
      }
      Result.Expected += Groups * Sum / double(Places);
      Result.Low = std::max(Result.Low, Least);
      Result.High += Groups * Most;
    }
    if (Elements && *Elements <= ShortObject) {
      const auto [Expected, Touched] = sumOver(*Elements, ~uint64_t(0), 1);
      Result.Expected = Expected;
      Result.High = std::min(Result.High, Touched);
    } else if (Elements) {
      const uint64_t Wrap = Period * R.Stride / Unit;
      Result.Expected =
          sumOver(Period, Wrap, double(*Elements) / double(Period)).first;
    }
    return Result;
  }

private:
  /// Units that lanes with \p Offsets touch with index \p Index, each once.
  std::vector<uint64_t> unitsOf(const std::vector<uint32_t> &Offsets,
                                uint64_t Index) const {
    std::vector<uint64_t> Units;
    for (uint32_t Offset : Offsets) {
      const uint64_t At = Index * R.Stride + Offset;
      for (uint64_t U = At / Unit; U <= (At + R.Bytes - 1) / Unit; ++U)
        if (Units.empty() || U > Units.back()) // offsets ascend
          Units.push_back(U);
    }
    return Units;
  }

  /// Over the units that indices below \p Count reach, their numbers taken
  /// modulo \p Wrap and each standing for \p Times: the expected number of
  /// those that are touched, and of those that can be.
  std::pair<double, double> sumOver(uint64_t Count, uint64_t Wrap,
                                    double Times) const {
    const double All = double(Count) * Times;
    std::map<uint64_t, double> Missed; // by unit: the probability
    for (const auto &[Offsets, Groups] : Kinds) {
      std::map<uint64_t, unsigned> Indices; // by unit: how many lead to it
      for (uint64_t E = 0; E != Count; ++E)
        for (uint64_t U : unitsOf(Offsets, E))
          ++Indices[U % Wrap];
      for (const auto &[U, N] : Indices)
        Missed.emplace(U, 1).first->second *=
            std::pow(std::max(0.0, 1 - N / All), Groups);
    }
    double Expected = 0;
    for (const auto &[U, Probability] : Missed)
      Expected += 1 - Probability;
    return {Times * Expected, Times * double(Missed.size())};
  }
};

//===----------------------------------------------------------------------===//
// The fullest bank
//===----------------------------------------------------------------------===//

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

/// Where the elements of an object lie in the banks. An element that is wider
/// than a bank takes several side by side: such a set is one bin.
struct BankMap {
  uint64_t Bins = 1;
  /// Neighbours in one bank word; and elements of a bin that come out of it
  /// in one pass.
  uint64_t PerWord = 1, PerPass = 1;

  /// Nothing where the elements lie in no such order.
  static std::optional<BankMap> of(const RequestLaw &Law,
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

  /// How many bins have so many of \p Elements.
  std::map<uint64_t, uint64_t> fill(uint64_t Elements) const {
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

  uint64_t passesOfFullestBin(uint64_t Elements) const {
    const uint64_t Most = fill(Elements).rbegin()->first;
    return (Most + PerPass - 1) / PerPass;
  }
};

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

/// Expected passes for \p Groups of lanes that are served together, those with
/// one word at once: the most distinct words in a bin.
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

/// True when so many sizes of groups are mixed that their series is long.
bool hasManySizes(const std::vector<uint32_t> &Groups) {
  std::map<int, unsigned> Sizes;
  for (uint32_t Group : Groups)
    ++Sizes[std::popcount(Group)];
  return std::accumulate(Sizes.begin(), Sizes.end(), 1u,
                         [](unsigned Terms, const auto &Size) {
                           return Terms * (Size.second + 1);
                         }) > 48;
}

/// Expected turns of an atomic: the most lanes in a bin.
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

//===----------------------------------------------------------------------===//
// Requests to shared memory
//===----------------------------------------------------------------------===//

uint32_t lanesFrom(unsigned First, unsigned Count) {
  return Count >= RequestLaw::Lanes ? ~0u : ((1u << Count) - 1) << First;
}

unsigned groupsIn(const std::vector<uint32_t> &Groups, uint32_t Lanes) {
  return unsigned(
      std::count_if(Groups.begin(), Groups.end(),
                    [&](uint32_t Group) { return (Group & Lanes) != 0; }));
}

/// True when neighbours by \p Flip are of one group, or one is inactive.
bool neighboursShare(const RandomRequest &R, uint32_t Lanes, unsigned Flip) {
  for (uint32_t Group : R.Groups)
    for (uint32_t Left = Group & Lanes; Left != 0; Left &= Left - 1) {
      const uint32_t Partner = 1u << (unsigned(std::countr_zero(Left)) ^ Flip);
      if ((R.active() & Partner) && !(Group & Partner))
        return false;
    }
  return true;
}

/// Groups of lanes that go through the banks together.
std::vector<uint32_t> phasesOf(const RequestLaw &Law, const RandomRequest &R,
                               SharedOperation Op) {
  const unsigned Size = Law.lanesOfPass(R.Bytes);
  std::vector<uint32_t> Phases;
  for (unsigned First = 0; First < RequestLaw::Lanes; First += 2 * Size) {
    const uint32_t Pair = lanesFrom(First, 2 * Size) & R.active();
    if (Op == SharedOperation::Load &&
        (neighboursShare(R, Pair, 1) || neighboursShare(R, Pair, 2))) {
      Phases.push_back(Pair);
      continue;
    }
    Phases.push_back(Pair & lanesFrom(First, Size));
    if (Size != RequestLaw::Lanes)
      Phases.push_back(Pair & ~lanesFrom(First, Size));
  }
  std::erase(Phases, 0u);
  return Phases;
}

Expectation expectLoads(const RequestLaw &Law, const RandomRequest &R,
                        const BankMap &Map, SharedOperation Op) {
  Expectation Result;
  const std::optional<uint64_t> Elements = R.elements();
  for (uint32_t Phase : phasesOf(Law, R, Op)) {
    const unsigned Groups = groupsIn(R.Groups, Phase);
    Result.Expected += expectedPasses(Map, Elements, Groups);
    Result.High += Elements ? double(std::min<uint64_t>(
                                  Groups, Map.passesOfFullestBin(*Elements)))
                            : Groups;
  }
  // All lanes at one address: phases of a load join two by two.
  RandomRequest Same = R;
  Same.Groups = {R.active()};
  Result.Low = double(phasesOf(Law, Same, Op).size());
  return Result;
}

Expectation expectAtomics(const RandomRequest &R, const BankMap &Map) {
  const std::optional<uint64_t> Elements = R.elements();
  Expectation Result;
  Result.Expected = expectedTurns(Map, Elements, R.Groups);
  const auto Lanes = unsigned(std::popcount(R.active()));
  const uint64_t Bins =
      Elements ? std::min(Map.Bins, (*Elements + Map.PerWord - 1) / Map.PerWord)
               : Map.Bins;
  Result.Low = double((Lanes + Bins - 1) / Bins);
  for (uint32_t Group : R.Groups)
    Result.Low = std::max(Result.Low, double(std::popcount(Group)));
  Result.High = Lanes;
  return Result;
}

using Counter = unsigned (*)(const RequestLaw &, const LaneAddresses &,
                             uint32_t, unsigned);

Counter counterOf(SharedOperation Op) {
  return Op == SharedOperation::Load    ? wavefronts
         : Op == SharedOperation::Store ? storeWavefronts
                                        : atomicWavefronts;
}

/// Requests whose lanes have offsets of their own. What one group costs repeats
/// after a few elements and is counted; of several groups a set of draws that
/// is always the same is taken.
class DrawnRequests {
  static constexpr unsigned Draws = 2048;

  const RequestLaw &Law;
  const RandomRequest &R;
  const SharedOperation Op;
  const std::optional<uint64_t> Elements = R.elements();
  const uint64_t Period =
      Law.period() / std::gcd<uint64_t>(R.Stride, Law.period());
  LaneAddresses Addresses{};

public:
  DrawnRequests(const RequestLaw &Law, const RandomRequest &R,
                SharedOperation Op)
      : Law(Law), R(R), Op(Op) {}

  Expectation count() {
    Expectation Result;
    for (uint32_t Group : R.Groups) {
      // Phases that join are the exception that High must not rely on.
      const Expectation Alone = alone(Group, counterOf(Op));
      const Expectation Apart =
          Op == SharedOperation::Load ? alone(Group, storeWavefronts) : Alone;
      Result.Expected = Alone.Expected; // kept for a single group
      Result.Low = std::max(Result.Low, Alone.Low);
      Result.High += Apart.High;
    }
    if (R.Groups.size() != 1)
      Result.Expected = meanOfDraws();
    return Result;
  }

private:
  void place(uint32_t Group, uint64_t Index) {
    for (uint32_t Left = Group; Left != 0; Left &= Left - 1) {
      const auto Lane = unsigned(std::countr_zero(Left));
      Addresses[Lane] = Index * R.Stride + R.Offsets[Lane];
    }
  }

  Expectation alone(uint32_t Group, Counter Count) {
    const uint64_t Places = Elements && *Elements <= ShortObject
                                ? *Elements
                                : std::min(Period, Elements.value_or(Period));
    Expectation Result;
    Result.Low = INFINITY;
    for (uint64_t E = 0; E != Places; ++E) {
      place(Group, E);
      const double Passes = Count(Law, Addresses, Group, R.Bytes);
      Result.Expected += Passes / double(Places);
      Result.Low = std::min(Result.Low, Passes);
      Result.High = std::max(Result.High, Passes);
    }
    return Result;
  }

  double meanOfDraws() {
    uint64_t State = 0;
    // splitmix64 (Steele et al., OOPSLA 2014)
    const auto next = [&] {
      uint64_t Z = State += 0x9E3779B97F4A7C15;
      Z = (Z ^ Z >> 30) * 0xBF58476D1CE4E5B9;
      Z = (Z ^ Z >> 27) * 0x94D049BB133111EB;
      return Z ^ Z >> 31;
    };
    double Sum = 0;
    for (unsigned N = 0; N != Draws; ++N) {
      for (uint32_t Group : R.Groups)
        place(Group, next() % Elements.value_or(uint64_t(1) << 32));
      Sum += counterOf(Op)(Law, Addresses, R.active(), R.Bytes);
    }
    return Sum / Draws;
  }
};

} // namespace

Expectation expectSectors(const RequestLaw &Law, const RandomRequest &R) {
  return UnitCounter(R, Law.SectorBytes).count();
}

Expectation expectWords(const RequestLaw &Law, const RandomRequest &R) {
  return UnitCounter(R, Law.ConstantWordBytes).count();
}

Expectation expectWavefronts(const RequestLaw &Law, const RandomRequest &R,
                             SharedOperation Op) {
  if (R.Groups.empty())
    return {};
  if (R.elements() == 1 && R.Groups.size() != 1) {
    RandomRequest Same = R;
    Same.Groups = {R.active()};
    return expectWavefronts(Law, Same, Op);
  }
  const std::optional<BankMap> Map = BankMap::of(Law, R);
  if (!Map || (Op == SharedOperation::Atomic && hasManySizes(R.Groups)))
    return DrawnRequests(Law, R, Op).count();
  return Op == SharedOperation::Atomic ? expectAtomics(R, *Map)
                                       : expectLoads(Law, R, *Map, Op);
}

} // namespace warpwise::warp

//===- SiteVerdict.cpp - One verdict over all launches of a site ----------===//

#include "rules/SiteVerdict.h"

#include <algorithm>

namespace warpwise::rules {

using access::Cost;
using access::Proof;
using launch::ShapeSource;

namespace {

/// One launch under which the access was executed.
struct Judged {
  const Cost *C = nullptr;
  std::optional<Demand> Need; ///< unset: not known
  bool Wasteful = false;
};

bool reaches(const Demand &D, const Threshold &Worth) {
  return D.asserted() >= Worth.MinWaste * D.Ideal &&
         D.asserted() - D.Ideal >= Worth.MinExtra;
}

/// Whether a number is known for \p C. What random indices would cost is none;
/// the least that any indices cost is.
bool isSure(const Cost &C) {
  switch (C.State) {
  case Proof::Exact:
  case Proof::Bounded:
  case Proof::Estimated:
    return true;
  case Proof::DataDependent:
    return C.Low.has_value();
  case Proof::Unknown:
    return false;
  }
  return false;
}

/// The launches that count: known ones if there is any, else all that were
/// tried. Launches under which no request is executed say nothing.
std::vector<Judged> judgeLaunches(const access::Kernel &K,
                                  const access::Access &A, const Measure &Read,
                                  const Threshold &Worth, bool Known) {
  std::vector<Judged> All;
  for (const Cost &C : A.PerLaunch) {
    if (C.Launch >= K.Launches.size() || isKnown(K.Launches[C.Launch]) != Known)
      continue;
    const bool Sure = isSure(C);
    if (Sure && C.Requests == 0)
      continue;
    Judged J{&C, Sure ? Read(C) : std::nullopt, false};
    J.Wasteful = J.Need && reaches(*J.Need, Worth);
    All.push_back(J);
  }
  return All;
}

bool costsLess(const Judged &A, const Judged &B) {
  return A.Need->asserted() - A.Need->Ideal <
         B.Need->asserted() - B.Need->Ideal;
}

/// Whether two shapes lead to about the same waste, so that others likely do.
bool agree(const Demand &Least, const Demand &Most) {
  constexpr double Tolerance = 1.25;
  return Most.asserted() * Least.Ideal <=
         Tolerance * Least.asserted() * Most.Ideal;
}

/// Leaves out the launches for one value of a variable where the general one
/// has something to say.
void keepGeneral(std::vector<Judged> &Bad, const access::Kernel &K) {
  const auto IsSpecial = [&](const Judged &J) {
    return K.Launches[J.C->Launch].IsSpecial;
  };
  if (!std::all_of(Bad.begin(), Bad.end(), IsSpecial))
    std::erase_if(Bad, IsSpecial);
}

} // namespace

bool isKnown(const launch::Shape &S) {
  return S.Source == ShapeSource::Launch || S.Source == ShapeSource::Option;
}

std::optional<Demand> Demand::of(const Cost &C, std::optional<double> Likely,
                                 std::optional<double> Ideal) {
  if (!Ideal)
    return std::nullopt;
  const double Actual = Likely.value_or(0);
  if (C.State == Proof::Exact)
    return Demand{Actual, *Ideal, Actual, Actual, false, true};
  if (C.State == Proof::Estimated)
    return Demand{Actual,
                  *Ideal,
                  std::min(Actual, C.Low.value_or(Actual)),
                  std::max(Actual, C.High.value_or(Actual)),
                  true,
                  true};
  if (C.State == Proof::Unknown || !C.Low || !C.High)
    return std::nullopt;
  return Demand{Actual, *Ideal, *C.Low, *C.High, false, true};
}

std::optional<SiteVerdict> judge(const access::Kernel &K,
                                 const access::Access &A, const Measure &Read,
                                 const Threshold &Worth) {
  // Nothing of it is left in nvcc's code: a value that is stored over.
  if (A.Kept <= 0)
    return std::nullopt;
  SiteVerdict V;
  V.Assumed = std::none_of(K.Launches.begin(), K.Launches.end(), isKnown);
  const auto All = judgeLaunches(K, A, Read, Worth, !V.Assumed);
  std::vector<Judged> Bad;
  for (const Judged &J : All) {
    if (J.Wasteful) {
      V.Wasteful.push_back(J.C->Launch);
      Bad.push_back(J);
    } else if (J.Need && J.Need->Actual <= J.Need->Ideal * Worth.MinWaste) {
      V.Clean.push_back(J.C->Launch);
    }
  }
  if (Bad.empty() || (V.Assumed && Bad.size() != All.size()))
    return std::nullopt;

  if (!V.Assumed)
    keepGeneral(Bad, K);
  const auto [Least, Most] =
      std::minmax_element(Bad.begin(), Bad.end(), costsLess);
  // A number that hangs on the shape is not known while the shape is not.
  if (V.Assumed && !agree(*Least->Need, *Most->Need))
    return std::nullopt;
  V.Shown = V.Assumed ? Least->C : Most->C;
  V.Need = V.Assumed ? *Least->Need : *Most->Need;
  if (V.Assumed)
    V.Need.High = std::max(V.Need.High, Most->Need->High);
  V.AtLeast = !V.Need.IsLikely && V.Need.Low < V.Need.High;
  return V;
}

} // namespace warpwise::rules

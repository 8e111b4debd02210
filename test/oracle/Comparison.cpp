//===- Comparison.cpp - The evaluator against the oracle ------------------===//

#include "Comparison.h"

#include "analyzer/execution/Instrument.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace warpwise::oracle {
namespace {

using access::Cost;
using access::Proof;
using access::Site;
using access::Space;

constexpr double Tolerance = 1e-6;

bool isSame(double A, double B) {
  return std::abs(A - B) <= Tolerance * std::max(std::abs(A), std::abs(B));
}

/// The numbers that count in a space, per request.
struct Means {
  double Headline = 0, Ideal = 0, Lanes = 0, Requests = 0;
};

Means meansOf(const Site &S, const Cost &C) {
  switch (S.Memory) {
  case Space::Shared:
    return {C.Wavefronts.value_or(0), C.IdealWavefronts.value_or(0),
            C.ActiveLanes, C.Weight};
  case Space::Constant:
    return {C.Words.value_or(0), 0, C.ActiveLanes, C.Weight};
  default:
    return {C.Sectors.value_or(0), C.IdealSectors.value_or(0), C.ActiveLanes,
            C.Weight};
  }
}

Means meansOf(const Site &S, const Sums &T) {
  const double N = double(T.Requests);
  if (T.Requests == 0)
    return {};
  switch (S.Memory) {
  case Space::Shared:
    return {T.Wavefronts / N, T.IdealWavefronts / N, T.Lanes / N, N};
  case Space::Constant:
    return {T.Words / N, 0, T.Lanes / N, N};
  default:
    return {T.Sectors / N, T.IdealSectors / N, T.Lanes / N, N};
  }
}

bool isSameEach(const Means &A, const Means &B) {
  return isSame(A.Headline, B.Headline) && isSame(A.Ideal, B.Ideal) &&
         isSame(A.Lanes, B.Lanes);
}

/// Where the addresses lead must be where the evaluator says.
bool isSpaceRight(const Site &S, const Sums &T) {
  switch (S.Memory) {
  case Space::Global:
    return !T.Shared && !T.Constant;
  case Space::Shared:
    return !T.Global && !T.Constant;
  case Space::Constant:
    return !T.Global && !T.Shared;
  default:
    return true;
  }
}

Request requestOf(const Site &S) {
  switch (S.Op) {
  case access::Operation::Load:
    return Request::Load;
  case access::Operation::Store:
    return Request::Store;
  case access::Operation::Atomic:
    break;
  }
  return S.Serialises ? Request::TakingTurns : Request::Atomic;
}

/// A condition on data decides which lanes are on, and the cost is the same
/// whatever it decides: what is exact is the headline.
bool isSameWithFewerLanes(const Means &Evaluated, const Means &Ran) {
  return isSame(Evaluated.Headline, Ran.Headline) &&
         Ran.Ideal <= Evaluated.Ideal && Ran.Lanes < Evaluated.Lanes;
}

/// Close enough for a mean over some of the iterations.
bool isNear(const Means &A, const Means &B) {
  constexpr double Nearly = 0.02;
  auto near = [](double X, double Y) {
    return std::abs(X - Y) <= Nearly * std::max(X, Y);
  };
  return near(A.Headline, B.Headline) && near(A.Ideal, B.Ideal) &&
         near(A.Lanes, B.Lanes) && near(A.Requests, B.Requests);
}

std::string describe(const Means &M) {
  return fmt::format("{:.6g}/{:.6g} lanes {:.6g} x{:.0f}", M.Headline, M.Ideal,
                     M.Lanes, M.Requests);
}

bool isWithin(const Cost &C, double Headline) {
  return Headline >= C.Low.value_or(0) * (1 - Tolerance) &&
         Headline <= C.High.value_or(1e9) * (1 + Tolerance);
}

/// An estimate claims no more than the bounds that hold without its
/// assumptions.
bool isPossible(const Cost &C, double Headline) {
  return !C.Possible || (Headline >= (*C.Possible)[0] * (1 - Tolerance) &&
                         Headline <= (*C.Possible)[1] * (1 + Tolerance));
}

class Comparer {
  const access::Program &Code;
  const access::LaunchResult &Result;
  const std::vector<std::vector<View>> &Views;
  const RequestCounter &Counted;
  /// Each view can stand for one site.
  std::set<View> Taken;

public:
  Comparer(const access::Program &Code, const access::LaunchResult &Result,
           const std::vector<std::vector<View>> &Views,
           const RequestCounter &Counted)
      : Code(Code), Result(Result), Views(Views), Counted(Counted) {}

  std::vector<Outcome> compare() {
    std::vector<Outcome> Outcomes;
    for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
      Outcome O;
      O.Site = N;
      compareSite(Code.Sites[N], Result.Sites[N], Views[N], O);
      Outcomes.push_back(std::move(O));
    }
    return Outcomes;
  }

private:
  void compareSite(const Site &S, const access::SiteResult &Given,
                   const std::vector<View> &Candidates, Outcome &O) {
    if (S.Sort == access::Access::Kind::TensorCore) {
      O.Found = Verdict::NotCovered;
      return;
    }
    if (Candidates.empty())
      return;
    const Sums *Ran = nullptr;
    for (const View &V : Candidates)
      if (!Ran && Counted.sums(V).Requests > 0)
        Ran = &Counted.sums(V);
    if (!Ran) {
      O.Found = Given.Value ? Verdict::NotReached : Verdict::NeverReached;
      return;
    }
    O.Text = fmt::format("ran {}", describe(meansOf(S, *Ran)));
    if (!Given.Value) {
      O.Found = Verdict::Differs;
      O.Text += ", evaluated as never reached";
      return;
    }
    judge(S, *Given.Value, Candidates, O);
    if (O.Found == Verdict::Differs) {
      O.Text = fmt::format("evaluated {}, {}",
                           describe(meansOf(S, *Given.Value)), O.Text);
      if (Given.Value->State == Proof::Bounded)
        O.Text += fmt::format(
            " not in [{:.6g}, {:.6g}]: {}", Given.Value->Low.value_or(0),
            Given.Value->High.value_or(0), Given.Value->Reason);
      if (!Given.Trips)
        O.Found = Verdict::Truncated;
    }
  }

  void judge(const Site &S, const Cost &C, const std::vector<View> &Candidates,
             Outcome &O) {
    if (C.State == Proof::DataDependent || C.State == Proof::Unknown) {
      O.Found = Verdict::DataDependent;
      return;
    }
    O.Found = Verdict::Differs;
    for (const View &V : Candidates) {
      const Sums &T = Counted.sums(V);
      if (T.Requests == 0 || Taken.count(V))
        continue;
      if (!isSpaceRight(S, T)) {
        O.Text += ", in another space";
        return;
      }
      const Means Seen = meansOf(S, T);
      if (C.State == Proof::Bounded && isWithin(C, Seen.Headline))
        O.Found = Verdict::WithinBounds;
      else if (C.State == Proof::Estimated && isPossible(C, Seen.Headline))
        O.Found = Verdict::Estimated;
      else if (C.State == Proof::Exact && isSameEach(meansOf(S, C), Seen))
        O.Found = isSame(C.Weight, Seen.Requests) ? Verdict::Agrees
                                                  : Verdict::OtherCount;
      else if (C.State == Proof::Exact &&
               isSameWithFewerLanes(meansOf(S, C), Seen))
        O.Found = Verdict::FewerLanes;
      else if (C.State == Proof::Exact && double(C.Requests) < C.Weight &&
               isNear(meansOf(S, C), Seen))
        O.Found = Verdict::Sampled;
      if (O.Found == Verdict::Differs)
        continue;
      if (O.Found == Verdict::OtherCount && hasEqual(S, C, Candidates)) {
        O.Found = Verdict::Differs;
        continue; // another copy of the access fits better
      }
      Taken.insert(V);
      return;
    }
  }

  /// True when one of the views that are left agrees in every number.
  bool hasEqual(const Site &S, const Cost &C,
                const std::vector<View> &Candidates) const {
    for (const View &V : Candidates) {
      const Means Seen = meansOf(S, Counted.sums(V));
      if (!Taken.count(V) && isSameEach(meansOf(S, C), Seen) &&
          isSame(C.Weight, Seen.Requests))
        return true;
    }
    return false;
  }
};

} // namespace

const char *nameOf(Verdict V) {
  switch (V) {
  case Verdict::Agrees:
    return "agrees";
  case Verdict::FewerLanes:
    return "agrees with fewer lanes";
  case Verdict::WithinBounds:
    return "within bounds";
  case Verdict::Estimated:
    return "estimated";
  case Verdict::DataDependent:
    return "data-dependent";
  case Verdict::NeverReached:
    return "never reached";
  case Verdict::NotReached:
    return "not reached";
  case Verdict::NoCounterpart:
    return "no counterpart";
  case Verdict::NotCovered:
    return "not covered";
  case Verdict::OtherCount:
    return "other count";
  case Verdict::Sampled:
    return "sampled";
  case Verdict::Truncated:
    return "truncated";
  case Verdict::Differs:
    return "differs";
  }
  return "";
}

std::vector<std::vector<View>> viewsOf(const access::Program &Code,
                                       const Numbering &Numbers) {
  const std::string Kernel = Code.Kernel->getName().str();
  std::vector<std::vector<View>> Views;
  for (const Site &S : Code.Sites) {
    const std::string Place =
        execution::placeOf(S.Instruction->getDebugLoc().get());
    std::vector<View> Natural, Parts;
    for (uint32_t N = 0; N != Numbers.Points.size(); ++N) {
      const Point &P = Numbers.Points[N];
      if (P.What != Point::Kind::Access || P.Kernel != Kernel || P.Op != S.Op ||
          P.Place != Place)
        continue;
      View V{N,
             0,
             S.Bytes,
             P.Bytes < S.Bytes,
             requestOf(S),
             S.Sort == access::Access::Kind::Plain};
      if (P.Bytes <= S.Bytes) {
        (P.Bytes == S.Bytes ? Natural : Parts).push_back(V);
        continue;
      }
      for (; V.Offset + S.Bytes <= P.Bytes; V.Offset += S.Bytes)
        Parts.push_back(V);
    }
    Natural.insert(Natural.end(), Parts.begin(), Parts.end());
    Views.push_back(std::move(Natural));
  }
  return Views;
}

std::vector<Outcome> compare(const access::Program &Code,
                             const access::LaunchResult &Result,
                             const std::vector<std::vector<View>> &Views,
                             const RequestCounter &Counted) {
  return Comparer(Code, Result, Views, Counted).compare();
}

} // namespace warpwise::oracle

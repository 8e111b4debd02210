//===- WarpCostModel.cpp - What a warp's request costs --------------------===//
//
// Every subset of the features in either form is fitted, and negative prices
// are refused: with four features that is the exact non-negative least squares
// solution, since its support is one of the subsets.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/WarpCostModel.h"

#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

using Points = std::vector<WarpCostPoint>;

constexpr size_t LeastPoints = 3;
constexpr size_t Folds = 10;
/// Rounds of reweighting against outliers, and of reassigning the points to the
/// feature that dominates; either settles in fewer.
constexpr unsigned MostRounds = 12;
/// Errors this close are the same: a part of the least, and an absolute one.
constexpr double SameError = 1.1, SameErrorFloor = 0.001;
/// What a negative price may be by rounding.
constexpr double Rounding = 1e-9;

/// A form over the features in Mask (bit i: feature i).
struct Candidate {
  CostForm Form;
  unsigned Mask;
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> All{{CostForm::Constant, 0}};
  for (unsigned Mask = 1; Mask != 1u << WarpFeatureCount; ++Mask) {
    if (std::has_single_bit(Mask)) {
      All.push_back({CostForm::Single, Mask});
      continue;
    }
    All.push_back({CostForm::Additive, Mask});
    All.push_back({CostForm::Maximum, Mask});
  }
  return All;
}

double relativeError(const WarpCostModel &M, const WarpCostPoint &P) {
  return std::abs(M.predict(P.Features) - P.Cycles) / P.Cycles;
}

/// The feature of \p Mask that costs most at \p P.
size_t dominant(const WarpCostModel &M, unsigned Mask, const WarpCostPoint &P) {
  size_t Best = std::countr_zero(Mask);
  for (size_t F = Best + 1; F != WarpFeatureCount; ++F)
    if (Mask >> F & 1 &&
        M.PerUnit[F] * P.Features[F] > M.PerUnit[Best] * P.Features[Best])
      Best = F;
  return Best;
}

/// Weighted least squares of relative errors. \p Owner says for each point
/// which feature counts, if only one does.
bool solve(const Points &Ps, unsigned Mask, const std::vector<size_t> *Owner,
           const std::vector<double> &Weights, WarpCostModel &M,
           bool WithBase = true) {
  std::vector<std::vector<double>> Columns;
  std::vector<double> Y;
  for (size_t I = 0; I != Ps.size(); ++I)
    Y.push_back(Weights[I]);
  if (WithBase) {
    std::vector<double> &Ones = Columns.emplace_back();
    for (size_t I = 0; I != Ps.size(); ++I)
      Ones.push_back(Weights[I] / Ps[I].Cycles);
  }
  for (size_t F = 0; F != WarpFeatureCount; ++F) {
    if (!(Mask >> F & 1))
      continue;
    std::vector<double> Column;
    for (size_t I = 0; I != Ps.size(); ++I)
      Column.push_back(Owner && (*Owner)[I] != F
                           ? 0
                           : Ps[I].Features[F] * Weights[I] / Ps[I].Cycles);
    Columns.push_back(std::move(Column));
  }
  const auto Fit = leastSquares(Columns, Y);
  if (!Fit)
    return false;
  // A throughput has next to no base, and noise may put it below zero.
  if (WithBase && Mask && Fit->Coefficients[0] < 0)
    return solve(Ps, Mask, Owner, Weights, M, false);
  for (double C : Fit->Coefficients)
    if (!std::isfinite(C) || C < -Rounding)
      return false;
  size_t Next = 0;
  M.Base = WithBase ? std::max(0.0, Fit->Coefficients[Next++]) : 0;
  for (size_t F = 0; F != WarpFeatureCount; ++F)
    M.PerUnit[F] = Mask >> F & 1 ? std::max(0.0, Fit->Coefficients[Next++]) : 0;
  return true;
}

/// Fits, and again with less weight on what lies far off.
bool solveRobustly(const Points &Ps, unsigned Mask,
                   const std::vector<size_t> *Owner, WarpCostModel &M) {
  std::vector<double> Weights(Ps.size(), 1);
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    if (!solve(Ps, Mask, Owner, Weights, M))
      return false;
    std::vector<double> Errors;
    for (const auto &P : Ps)
      Errors.push_back(relativeError(M, P));
    // Huber's bound of 1.5 standard deviations, from the median error.
    const double Bound = std::max(1.5 * 1.4826 * median(Errors), 1e-6);
    for (size_t I = 0; I != Ps.size(); ++I)
      Weights[I] = std::sqrt(Errors[I] <= Bound ? 1 : Bound / Errors[I]);
  }
  return true;
}

double totalError(const WarpCostModel &M, const Points &Ps) {
  double Sum = 0;
  for (const auto &P : Ps)
    Sum += relativeError(M, P);
  return Sum;
}

/// Alternates between who dominates each point and what that costs.
std::optional<WarpCostModel> fitMaximum(const Points &Ps, unsigned Mask,
                                        WarpCostModel Start) {
  std::vector<size_t> Owner;
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    std::vector<size_t> Next;
    for (const auto &P : Ps)
      Next.push_back(dominant(Start, Mask, P));
    if (Next == Owner)
      break;
    Owner = std::move(Next);
    if (!solveRobustly(Ps, Mask, &Owner, Start))
      return std::nullopt;
  }
  return Start;
}

/// Starting prices for the alternation: each feature as if it were alone, times
/// a few factors, since alone it explains too much or too little.
std::vector<WarpCostModel> starts(const Points &Ps, unsigned Mask) {
  constexpr double Factors[] = {0.5, 1, 2};
  std::vector<WarpCostModel> All(1);
  All.front().Form = CostForm::Maximum;
  for (size_t F = 0; F != WarpFeatureCount; ++F) {
    if (!(Mask >> F & 1))
      continue;
    WarpCostModel Alone;
    if (!solveRobustly(Ps, 1u << F, nullptr, Alone))
      return {};
    std::vector<WarpCostModel> Next;
    for (const auto &Start : All)
      for (double Factor : Factors) {
        Next.push_back(Start);
        Next.back().PerUnit[F] = Factor * Alone.PerUnit[F];
      }
    All = std::move(Next);
  }
  return All;
}

/// The best fit of one candidate; \p Near starts the alternation where the fit
/// of all points ended.
std::optional<WarpCostModel> fitOne(const Points &Ps, const Candidate &C,
                                    const WarpCostModel *Near = nullptr) {
  WarpCostModel M;
  M.Form = C.Form;
  if (C.Form != CostForm::Maximum)
    return solveRobustly(Ps, C.Mask, nullptr, M) ? std::optional(M)
                                                 : std::nullopt;
  if (Near)
    return fitMaximum(Ps, C.Mask, *Near);
  std::optional<WarpCostModel> Best;
  double Least = std::numeric_limits<double>::infinity();
  for (const auto &Start : starts(Ps, C.Mask))
    if (const auto Fit = fitMaximum(Ps, C.Mask, Start))
      if (const double Error = totalError(*Fit, Ps); Error < Least) {
        Least = Error;
        Best = Fit;
      }
  return Best;
}

/// Mean relative error on the points of each fold, fitted to the others.
double leaveOutError(const Points &Ps, const Candidate &C,
                     const WarpCostModel &Whole) {
  const size_t Parts = std::min(Folds, Ps.size());
  double Sum = 0;
  for (size_t Part = 0; Part != Parts; ++Part) {
    Points Rest, Left;
    for (size_t I = 0; I != Ps.size(); ++I)
      (I % Parts == Part ? Left : Rest).push_back(Ps[I]);
    const auto Fit = fitOne(Rest, C, &Whole);
    if (!Fit)
      return std::numeric_limits<double>::infinity();
    Sum += totalError(*Fit, Left);
  }
  return Sum / Ps.size();
}

void addResiduals(WarpCostModel &M, const Points &Ps) {
  std::vector<double> Errors;
  for (const auto &P : Ps) {
    Errors.push_back(relativeError(M, P));
    M.MaxResidual =
        std::max(M.MaxResidual, std::abs(M.predict(P.Features) - P.Cycles));
  }
  M.MedianError = median(Errors);
  M.P95Error = quantile(Errors, 0.95);
  M.Points = Ps.size();
}

} // namespace

std::string_view inference::featureName(WarpFeature F) {
  switch (F) {
  case WarpFeature::DataWavefronts:
    return "data wavefronts";
  case WarpFeature::TagWavefronts:
    return "tag wavefronts";
  case WarpFeature::Sectors:
    return "sectors";
  case WarpFeature::Words:
    return "words";
  }
  return "";
}

std::string_view inference::formName(CostForm F) {
  switch (F) {
  case CostForm::Constant:
    return "constant";
  case CostForm::Single:
    return "single";
  case CostForm::Additive:
    return "additive";
  case CostForm::Maximum:
    return "maximum";
  }
  return "";
}

double WarpCostModel::predict(const WarpFeatures &Features) const {
  double Sum = 0, Largest = 0;
  for (size_t F = 0; F != WarpFeatureCount; ++F) {
    const double Cost = PerUnit[F] * Features[F];
    Sum += Cost;
    Largest = std::max(Largest, Cost);
  }
  return Base + (Form == CostForm::Maximum ? Largest : Sum);
}

std::optional<WarpCostModel>
inference::fitWarpCost(std::span<const WarpCostPoint> Given) {
  const Points Ps(Given.begin(), Given.end());
  if (Ps.size() < LeastPoints ||
      std::any_of(Ps.begin(), Ps.end(), [](auto &P) { return P.Cycles <= 0; }))
    return std::nullopt;
  std::vector<std::pair<int, WarpCostModel>> Models; ///< by features
  double Least = std::numeric_limits<double>::infinity();
  for (const Candidate &C : candidates()) {
    auto Fit = fitOne(Ps, C);
    if (!Fit)
      continue;
    Fit->LeaveOutError = leaveOutError(Ps, C, *Fit);
    Least = std::min(Least, Fit->LeaveOutError);
    Models.emplace_back(std::popcount(C.Mask), *Fit);
  }
  const double Enough = std::max(SameError * Least, Least + SameErrorFloor);
  std::erase_if(Models,
                [&](auto &M) { return !(M.second.LeaveOutError <= Enough); });
  const auto Best =
      std::min_element(Models.begin(), Models.end(), [](auto &A, auto &B) {
        return std::pair(A.first, A.second.LeaveOutError) <
               std::pair(B.first, B.second.LeaveOutError);
      });
  if (Best == Models.end())
    return std::nullopt;
  addResiduals(Best->second, Ps);
  return Best->second;
}

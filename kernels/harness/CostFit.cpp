//===- CostFit.cpp - From measured requests to the cost model -------------===//

#include "kernels/harness/CostFit.h"

#include <fmt/format.h>

#include <set>

namespace warpwise::harness {
namespace {

using inference::WarpFeature;

struct FeatureName {
  WarpFeature Feature;
  std::string_view Name;
};

std::vector<FeatureName> featureNames(CostRules Rules) {
  switch (Rules) {
  case CostRules::Shared:
    return {{WarpFeature::DataWavefronts, "per_wavefront"}};
  case CostRules::Global:
    return {{WarpFeature::DataWavefronts, "per_wavefront"},
            {WarpFeature::TagWavefronts, "per_tag"},
            {WarpFeature::Sectors, "per_sector"}};
  case CostRules::Constant:
    return {{WarpFeature::Words, "per_word"}};
  }
  return {};
}

/// Distinct lines of L1 under the request, each of which needs its tag.
unsigned linesOf(const Pattern &P, unsigned Bytes) {
  std::set<uint64_t> Lines;
  for (uint64_t Offset : P)
    for (uint64_t Line = Offset / RowBytes;
         Line <= (Offset + Bytes - 1) / RowBytes; ++Line)
      Lines.insert(Line);
  return unsigned(Lines.size());
}

double &at(inference::WarpFeatures &Of, WarpFeature F) { return Of[size_t(F)]; }

} // namespace

inference::WarpFeatures featuresOf(CostRules Rules, const Pattern &P,
                                   unsigned Bytes, unsigned LinesPerTag) {
  // The prices are of what every GPU since Maxwell counts; a fit that fails
  // says that this one does not.
  const warp::RequestLaw Law;
  inference::WarpFeatures Features{};
  switch (Rules) {
  case CostRules::Global:
    at(Features, WarpFeature::TagWavefronts) =
        (linesOf(P, Bytes) + LinesPerTag - 1) / LinesPerTag;
    at(Features, WarpFeature::Sectors) = warp::sectors(Law, P, AllLanes, Bytes);
    [[fallthrough]]; // the banks are those of shared memory
  case CostRules::Shared:
    at(Features, WarpFeature::DataWavefronts) =
        warp::wavefronts(Law, P, AllLanes, Bytes);
    break;
  case CostRules::Constant:
    at(Features, WarpFeature::Words) =
        warp::distinctWords(Law, P, AllLanes, Bytes);
    break;
  }
  return Features;
}

std::vector<std::string> costQuantities(CostRules Rules) {
  std::vector<std::string> Names = {"base"};
  for (const FeatureName &F : featureNames(Rules))
    Names.emplace_back(F.Name);
  return Names;
}

void recordCost(Session &S, const CostMeasurement &M,
                const std::vector<Pattern> &Patterns,
                const std::vector<double> &Cycles) {
  std::vector<inference::WarpCostPoint> Points;
  std::optional<inference::WarpCostModel> Model;
  unsigned LinesPerTag = 1;
  for (unsigned Lines : {1, 2, 4, 8}) {
    std::vector<inference::WarpCostPoint> Now;
    for (size_t I = 0; I != Patterns.size(); ++I)
      Now.push_back(
          {featuresOf(M.Rules, Patterns[I], M.Bytes, Lines), Cycles[I]});
    const auto Fit = inference::fitWarpCost(Now);
    if (Fit && (!Model || Fit->LeaveOutError < 0.9 * Model->LeaveOutError)) {
      Model = Fit;
      Points = std::move(Now);
      LinesPerTag = Lines;
    }
    if (M.Rules != CostRules::Global)
      break;
  }
  if (!Model) {
    for (const std::string &Name : costQuantities(M.Rules))
      S.notMeasurable(M.Path + "." + Name, "clk",
                      "no form of the cost model fits the patterns");
    return;
  }
  const std::string Method = fmt::format(
      "{} model fitted to {} patterns of {} bytes per lane: {}",
      inference::formName(Model->Form), Points.size(), M.Bytes, M.What);
  S.word(M.Path + ".form", std::string(inference::formName(Model->Form)),
         Method);
  S.inferred(M.Path + ".base", "clk", Model->Base, Method);
  for (const FeatureName &F : featureNames(M.Rules))
    S.inferred(fmt::format("{}.{}", M.Path, F.Name), "clk",
               Model->PerUnit[size_t(F.Feature)], Method);
  if (M.Rules == CostRules::Global)
    S.inferred(M.Path + ".lines_per_tag", "1", LinesPerTag,
               "lines that one tag wavefront looks up: of 1, 2, 4 and 8 what "
               "predicts patterns best that were left out of the fit");
  S.inferred(M.Path + ".median_error", "1", Model->MedianError,
             "median of |predicted - measured| / measured over the patterns");
  S.inferred(M.Path + ".p95_error", "1", Model->P95Error,
             "95th percentile of |predicted - measured| / measured");

  std::vector<Column> Columns(inference::WarpFeatureCount);
  for (size_t F = 0; F != Columns.size(); ++F)
    Columns[F].Name = fmt::format(
        "{} [1]", inference::featureName(static_cast<WarpFeature>(F)));
  Column Measured{"cycles [clk]", Cycles}, Predicted{"predicted [clk]", {}};
  for (const inference::WarpCostPoint &P : Points) {
    for (size_t F = 0; F != P.Features.size(); ++F)
      Columns[F].Values.push_back(P.Features[F]);
    Predicted.Values.push_back(Model->predict(P.Features));
  }
  Columns.push_back(Measured);
  Columns.push_back(Predicted);
  S.trace(M.Path, Columns);
}

std::optional<RecordedCost> recordedCost(const profile::Profile &P,
                                         const CostMeasurement &M) {
  const profile::Quantity *Form = P.find(M.Path + ".form");
  const std::optional<double> Base = P.value(M.Path + ".base");
  if (!Form || !Base)
    return std::nullopt;
  RecordedCost Cost;
  Cost.Rules = M.Rules;
  Cost.Bytes = M.Bytes;
  for (inference::CostForm F :
       {inference::CostForm::Constant, inference::CostForm::Single,
        inference::CostForm::Additive, inference::CostForm::Maximum})
    if (Form->Word == inference::formName(F))
      Cost.Model.Form = F;
  Cost.Model.Base = *Base;
  for (const FeatureName &F : featureNames(M.Rules))
    Cost.Model.PerUnit[size_t(F.Feature)] =
        P.value(fmt::format("{}.{}", M.Path, F.Name)).value_or(0);
  Cost.LinesPerTag = unsigned(P.value(M.Path + ".lines_per_tag").value_or(1));
  return Cost;
}

} // namespace warpwise::harness

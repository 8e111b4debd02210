//===- WarpCostModel.h - What a warp's request costs ------------*- C++ -*-===//
//
// The price list of the advisor: cycles of a warp's load or store as a function
// of what the request is made of, fitted to measured requests of one memory and
// one width. Whether the parts add up (they share a unit) or the largest hides
// the others (they overlap) is for the measurements to say.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_WARPCOSTMODEL_H
#define WARPWISE_PROFILER_INFERENCE_WARPCOSTMODEL_H

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace warpwise::inference {

/// What a request is made of.
enum class WarpFeature {
  DataWavefronts, ///< passes over the banks
  TagWavefronts,  ///< passes over the tags of the L1
  Sectors,        ///< unique 32-byte sectors
  Words           ///< unique words, for constant memory
};
constexpr size_t WarpFeatureCount = 4;
/// "data wavefronts".
std::string_view featureName(WarpFeature F);

/// Amounts in the order of WarpFeature; 0 for what does not apply.
using WarpFeatures = std::array<double, WarpFeatureCount>;

struct WarpCostPoint {
  WarpFeatures Features{};
  double Cycles = 0; ///< measured, positive
};

enum class CostForm {
  Constant, ///< nothing but Base matters
  Single,   ///< Base + PerUnit * the only feature
  Additive, ///< Base + the sum of PerUnit * feature
  Maximum   ///< Base + the largest PerUnit * feature
};
/// "constant", "single", "additive", "maximum".
std::string_view formName(CostForm F);

struct WarpCostModel {
  CostForm Form = CostForm::Constant;
  double Base = 0;        ///< cycles, not negative
  WarpFeatures PerUnit{}; ///< cycles for each, not negative; 0: does not matter
  unsigned Points = 0;
  /// |predicted - measured| / measured over the points.
  double MedianError = 0, P95Error = 0;
  double MaxResidual = 0; ///< largest |predicted - measured|, cycles
  /// Mean relative error on points that were left out of the fit.
  double LeaveOutError = 0;

  double predict(const WarpFeatures &Features) const;
};

/// The model with the least error on points that are left out; of those that
/// are as good (within a tenth, or a tenth of a percent), the one with the
/// fewest features. Errors count relative to the cycles, and outliers have
/// little weight. Nothing for fewer than three points or cycles that are not
/// positive. Features that are proportional to one another cannot be told
/// apart; then the first of them gets the price.
std::optional<WarpCostModel> fitWarpCost(std::span<const WarpCostPoint> Points);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_WARPCOSTMODEL_H

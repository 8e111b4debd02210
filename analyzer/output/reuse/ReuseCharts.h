//===- ReuseCharts.h - Curves and explored caches as charts -----*- C++ -*-===//
//
// Parts of the page of ReuseHtml.h that are drawn. All from and to text: JSON
// of "warpwise-reuse/1" in, HTML out.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_REUSE_REUSECHARTS_H
#define WARPWISE_ANALYZER_OUTPUT_REUSE_REUSECHARTS_H

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::output {

/// A parameter of the caches that was explored, with its values.
struct ExploredAxis {
  std::string Name;
  std::vector<std::string> Values;
};

/// 0 where \p Key is no number.
double numberIn(const llvm::json::Object &Of, llvm::StringRef Key);
/// Bytes of so many sectors.
double bytesOf(double Sectors);
/// The fraction \p RateKey in percent; nothing where \p SectorsKey is 0, for
/// then there is no rate.
std::optional<double> percentIn(const llvm::json::Object &Of,
                                llvm::StringRef RateKey,
                                llvm::StringRef SectorsKey);

/// 65536 for "64K"; nothing for words.
std::optional<double> valueOf(const std::string &Text);

/// Reuse distances and hit ratios by capacity and by ways, for each level that
/// \p Launch has curves of; empty without. \p Options: values by name.
std::string curveCharts(const llvm::json::Object &Launch,
                        const std::map<std::string, std::string> &Options);

/// Hit ratios and traffic over the values of each axis. Lines are the
/// combinations of the other axes; of many only mean and range are shown.
std::string exploreCharts(const llvm::json::Object &Launch,
                          const std::vector<ExploredAxis> &Axes);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_REUSE_REUSECHARTS_H

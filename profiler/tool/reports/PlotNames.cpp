//===- PlotNames.cpp - Names of the lines of one chart --------------------===//

#include "profiler/tool/reports/PlotNames.h"

#include "profiler/tool/reports/ReportText.h"

#include <algorithm>

using namespace warpwise;
using namespace warpwise::reports;

using Names = std::vector<std::string>;

Naming reports::nameLines(const std::vector<std::string_view> &Leaves) {
  std::vector<Names> Words(Leaves.size());
  std::transform(Leaves.begin(), Leaves.end(), Words.begin(), wordsOf);
  if (Words.size() == 1)
    return {sentence(Words[0]), {""}};
  const auto Shared = [&](size_t Taken, auto &&WordAt) {
    size_t N = 0;
    for (;; ++N)
      for (const Names &W : Words)
        if (N + Taken >= W.size() || WordAt(W, N) != WordAt(Words[0], N))
          return N;
  };
  size_t Front = Shared(0, [](const Names &W, size_t N) { return W[N]; });
  const size_t Back = Shared(
      Front, [](const Names &W, size_t N) { return W[W.size() - 1 - N]; });
  // A number says nothing without the word before it: "loads 4".
  const bool Bare =
      std::all_of(Words.begin(), Words.end(), [&](const Names &W) {
        return W.size() == Front + Back + 1 && digits(W[Front]);
      });
  if (Bare && Front > 0)
    --Front;
  Naming Out;
  Names Common(Words[0].begin(), Words[0].begin() + ptrdiff_t(Front));
  Common.insert(Common.end(), Words[0].end() - ptrdiff_t(Back), Words[0].end());
  Out.Common = sentence(Common);
  for (const Names &W : Words) {
    const Names Own(W.begin() + ptrdiff_t(Front), W.end() - ptrdiff_t(Back));
    // The one that is called like all of them.
    Out.Own.push_back(Own.empty() ? "plain" : sentence(Own));
  }
  return Out;
}

std::optional<double> reports::countIn(std::string_view Name) {
  std::optional<double> Count;
  for (const std::string &Word : wordsOf(Name))
    if (std::optional<double> N = digits(Word)) {
      if (Count)
        return std::nullopt;
      Count = N;
    }
  return Count;
}

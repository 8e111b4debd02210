//===- AccessPatterns.cpp - What hits, by what an access takes ------------===//

#include "profiler/inference/AccessPatterns.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace warpwise::inference {

namespace {

/// Fewer accesses say nothing.
constexpr size_t LeastAccesses = 3;

bool likeEachOther(const Estimate &A, const Estimate &B, double LeastGap) {
  return std::abs(A.Value - B.Value) < LeastGap ||
         (A.Low <= B.High && B.Low <= A.High);
}

} // namespace

std::array<PatternTimes, AccessPatternCount>
tellPatterns(std::span<const TimedAccess> All, double LeastGap) {
  std::map<unsigned, double> Hit; // by line
  for (const TimedAccess &A : All)
    if (A.Pattern == 0)
      Hit[A.Line] = A.Cycles;

  std::array<std::vector<double>, AccessPatternCount> Raw, Extra;
  for (const TimedAccess &A : All) {
    assert(A.Pattern < AccessPatternCount && "no such pattern");
    assert(Hit.count(A.Line) && "a line without a hit");
    Raw[A.Pattern].push_back(A.Cycles);
    Extra[A.Pattern].push_back(A.Cycles - Hit.at(A.Line));
  }

  std::array<PatternTimes, AccessPatternCount> Result;
  std::vector<unsigned> Shown; // patterns that differ from those before
  for (unsigned P = 0; P != AccessPatternCount; ++P) {
    PatternTimes &Of = Result[P];
    Of.Accesses = unsigned(Raw[P].size());
    if (Raw[P].size() < LeastAccesses)
      continue;
    Of.Cycles = estimate(Raw[P]);
    Of.Extra = estimate(Extra[P]);
    // Patterns with the same fate of the data differ by the TLBs only.
    const auto Sibling =
        std::find_if(Shown.begin(), Shown.end(), [&](unsigned Other) {
          return (Other < L2HitPatterns) == (P < L2HitPatterns) &&
                 likeEachOther(Of.Extra, Result[Other].Extra, LeastGap);
        });
    if (Sibling != Shown.end())
      Of.Like = *Sibling;
    else
      Shown.push_back(P);
  }
  for (unsigned P : Shown) {
    size_t Nearest = 0;
    for (double Each : Extra[P])
      Nearest +=
          P == *std::min_element(
                   Shown.begin(), Shown.end(), [&](unsigned A, unsigned B) {
                     return std::abs(Each - Result[A].Extra.Value) <
                            std::abs(Each - Result[B].Extra.Value);
                   });
    Result[P].AsBuilt = double(Nearest) / double(Extra[P].size());
  }
  return Result;
}

} // namespace warpwise::inference

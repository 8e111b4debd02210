//===- CostPatterns.cpp - Requests that the cost model sees ---------------===//

#include "kernels/warp-cost/CostPatterns.h"

namespace warpwise::harness {
namespace {

/// Lanes at random elements of \p Lines random lines of the first \p Span
/// bytes, as evenly distributed over the lines as their number allows.
Pattern inLines(std::mt19937_64 &Random, unsigned Lines, unsigned Bytes,
                unsigned Span) {
  std::vector<unsigned> Chosen(Span / RowBytes);
  std::iota(Chosen.begin(), Chosen.end(), 0u);
  std::shuffle(Chosen.begin(), Chosen.end(), Random);
  const std::array<unsigned, WarpLanes> Order = shuffledLanes(Random);
  std::uniform_int_distribution<unsigned> Element(0, RowBytes / Bytes - 1);
  return patternOf([&](unsigned Lane) {
    return uint64_t(Chosen[Order[Lane] % Lines]) * RowBytes +
           Element(Random) * Bytes;
  });
}

} // namespace

std::vector<Pattern> costPatterns(std::mt19937_64 &Random, unsigned Bytes,
                                  unsigned Span) {
  std::vector<Pattern> Patterns;
  auto Fits = [&](const Pattern &P) {
    return *std::max_element(P.begin(), P.end()) + Bytes <= Span;
  };
  auto Add = [&](const Pattern &P) {
    if (Fits(P))
      Patterns.push_back(P);
  };
  for (unsigned Stride : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 24, 31, 32})
    Add(strided(Stride, Bytes));
  for (unsigned Degree : {2, 4, 8, 16})
    Add(broadcast(Degree, Bytes));
  for (unsigned Start : {16, 32, 64, 112})
    Add(strided(1, Bytes, Start));
  for (unsigned Degree : {2, 4, 8, 16, 32})
    Add(conflicting(Degree, Bytes));
  for (unsigned I = 0; I != 3; ++I)
    Add(permuted(Random, Bytes));
  const unsigned Least = WarpLanes * Bytes;
  for (unsigned Within = Least; Within <= Span; Within *= 2) {
    Add(scattered(Random, Bytes, Within));
    Add(scattered(Random, Bytes, Within));
    for (unsigned Degree : {2, 4, 8})
      Add(duplicated(Random, Degree, Bytes, Within));
  }
  for (unsigned Lines : {1, 2, 3, 4, 6, 8, 11, 16, 23, 32})
    if (Lines * RowBytes <= Span)
      Add(inLines(Random, Lines, Bytes, Span));
  return Patterns;
}

} // namespace warpwise::harness

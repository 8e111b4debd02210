//===- SetMapping.h - Which lines share a set -------------------*- C++ -*-===//
//
// From lines known to share sets to the function behind. Modulo any number:
// the differences within sets have it as their greatest common divisor. XOR of
// address bits: two lines of a set differ by a vector that every mask maps to
// zero, so the masks span what is orthogonal to all such differences, found by
// elimination over GF(2).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_SETMAPPING_H
#define WARPWISE_PROFILER_INFERENCE_SETMAPPING_H

#include "profiler/inference/ConflictGroups.h"

namespace warpwise::inference {

struct SetMapping {
  uint64_t Sets = 1;
  /// Over line numbers, in the order of set numbers' bits, each with a highest
  /// bit that the others lack; empty: modulo Sets.
  std::vector<uint64_t> XorMasks;
  uint64_t setOf(uint64_t Line) const;
  bool operator==(const SetMapping &) const = default;
};

/// The rows of \p Vectors, reduced: independent, by descending highest bit,
/// which no other row has.
std::vector<uint64_t> reducedBasis(std::span<const uint64_t> Vectors);
/// A reduced basis of all vectors of \p Bits bits whose product with each of
/// \p Basis (itself reduced) is even.
std::vector<uint64_t> orthogonalBasis(std::span<const uint64_t> Basis,
                                      unsigned Bits);

/// A mapping that puts the lines of each group into one set and those of
/// different groups into different ones; nothing when there is none, or when
/// chance would give one too. Line numbers have \p Bits bits.
std::optional<SetMapping> explainSets(const ConflictGroups &Groups,
                                      unsigned Bits);

/// Share of lines outside of the sample, chosen from all the array, that are
/// in a set exactly when \p Mapping says so; 1 if the sample was all.
double agreementOnUnseen(ConflictSearch &Search, const ConflictGroups &Groups,
                         const SetMapping &Mapping, uint64_t Seed = 1);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_SETMAPPING_H

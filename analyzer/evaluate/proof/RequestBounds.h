//===- RequestBounds.h - What a request can cost at most --------*- C++ -*-===//
//
// The cost of a request whose addresses are forms, for every value of their
// symbols: lanes with the same multiples of all symbols move together, and
// costs depend on where they move to only modulo the sector or the bank cycle,
// so all places are tried. What several such groups have in common nobody
// knows: together they cost at most the sum and at least the dearest.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_REQUESTBOUNDS_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_REQUESTBOUNDS_H

#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/proof/Symbols.h"
#include "profiler/profile/RequestLaw.h"

namespace warpwise::access::proof {

struct RequestBounds {
  /// Of the headline number of the site's space (sectors, wavefronts, words).
  unsigned Low = 0, High = 0;
  /// High, if no sum of 32 bits wraps around between two lanes.
  unsigned HighWhole = 0;
  /// Low, if all lanes take part.
  unsigned LowFull = 0;
  /// The same, if groups do not overlap and those of several lanes, rows at a
  /// pitch that is not known, have sectors of their own.
  unsigned LowApart = 0;
  /// What all lanes that can take part would cost if they lay densely.
  unsigned Ideal = 0;
  /// Lanes that move together, more than one such group.
  bool HasRows = false;
  /// Lanes that do not move together with the next active one.
  uint32_t Apart = 0;
  /// Lanes about which nothing is known.
  bool IsScattered = false;
};

/// \p Active lanes may make the request, those in \p Sure do whenever it is
/// made.
RequestBounds boundsOf(const Site &S, const profile::RequestLaw &Law,
                       const Form &Address, uint32_t Active, uint32_t Sure);

/// True when the lanes \p Lanes, of which all is known but symbols, have the
/// same costs at \p A and \p B: they go from one to the other together, by
/// whole sectors, say, as in each round of a loop.
bool costTheSame(const Site &S, const profile::RequestLaw &Law, const Form &A,
                 const Form &B, uint32_t Lanes);

/// OriginPlace bits of what boundsOf() hangs on: where there are none, the
/// bounds are the same in each single block (warp).
uint32_t placeOfBounds(const Site &S, const profile::RequestLaw &Law,
                       const Form &Address, const Symbols &Known,
                       uint32_t Active);

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_REQUESTBOUNDS_H

//===- RandomIndices.h - What data that nobody knows cost -------*- C++ -*-===//
//
// A gather, a scatter, a table, a histogram: where its lanes go memory says.
// What a request costs then if the indices are random follows from the lanes
// that take part, from how many neighbours share an index, and from the size of
// what they lead into.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_RANDOMINDICES_H
#define WARPWISE_ANALYZER_EVALUATE_RANDOMINDICES_H

#include "analyzer/evaluate/LaunchPlans.h"
#include "profiler/profile/RequestLaw.h"
#include "profiler/warp/Expectation.h"

#include <cstdint>
#include <optional>

namespace warpwise::access {

struct Site;

/// Of an access whose index memory decides, by \p Active lanes of a warp.
class RandomIndices {
public:
  /// \p UnknownFrom is what the addresses rest on, see Origin.
  RandomIndices(const Program &Code, const LaunchPlan &Plan,
                const profile::RequestLaw &Law, const Site &S,
                uint32_t UnknownFrom, uint32_t Active);

  /// Sectors, passes or words of a request, as the memory has them. Lanes that
  /// share an index are taken to go on from there side by side.
  warp::Expectation cost() const { return costOf(Width); }

  /// The most whatever neighbours share: how far apart lanes with the same
  /// index lie nobody has looked at.
  double most() const;

  /// The same, however many lanes there are: words of the table in constant
  /// memory, sectors of global memory that a warp's lanes stay within. Unset
  /// where they may go anywhere.
  std::optional<double> mostOfPlaces() const;

  /// Lines of global memory, and passes through the banks of L1.
  double lines() const;
  double linePasses() const;

  /// Rounds of the loop that nvcc makes of an atomic operation.
  double swapRounds() const;

  /// Lines of a table in constant memory that a request does not find in the
  /// first level of its caches.
  double lostLines() const;

  /// Loads of members whose structure data choose: what one of them brings to
  /// L1 is there for all.
  struct Members {
    double Share = 1;    ///< of the sectors that they ask for, those that the
                         ///< others leave to each
    double OfRecord = 0; ///< sectors of the structure that they want
  };
  Members membersBeside() const;

private:
  /// Whether indices are taken to stay in the rows that types say, as is
  /// likely, or may leave them; see WarpWindow.
  enum class Trust { Types, Proof };
  /// Bytes that the data of a warp choose from: of the object, the array in it
  /// that the index counts through, or the window of the warp.
  std::optional<uint64_t> bytesToChooseFrom(Trust In) const;
  warp::RandomRequest request(unsigned Neighbours) const;
  warp::Expectation costOf(unsigned Neighbours) const;

  const Program &Code;
  const LaunchPlan &Plan;
  const profile::RequestLaw &Law;
  const Site &S;
  const uint32_t Active;
  const unsigned Width; ///< neighbouring lanes that have the same index
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_RANDOMINDICES_H

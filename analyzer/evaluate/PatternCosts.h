//===- PatternCosts.h - Requests that cost the same -------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PATTERNCOSTS_H
#define WARPWISE_ANALYZER_EVALUATE_PATTERNCOSTS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>

namespace warpwise::access {

/// The costs of a site's requests as long as their lanes lie as far apart as
/// those of the last one. They hang on where it begins within the period of the
/// law then (RequestLaw::period), and a loop often goes through few such places
/// again and again.
template <typename Costs> class PatternCosts {
  std::array<uint64_t, 32> Offsets{}; ///< from the first active lane
  uint32_t Active = 0, Speculative = 0;
  uint64_t Base = 0;
  llvm::SmallVector<std::pair<uint64_t, Costs>, 4> ByPhase;

  bool isAsFarApart(const std::array<uint64_t, 32> &At, uint64_t From,
                    uint32_t Lanes) const {
    uint64_t Differs = 0;
    for (unsigned L = 0; L != At.size(); ++L)
      Differs |= Lanes >> L & 1 ? (At[L] - From) ^ Offsets[L] : 0;
    return Differs == 0;
  }

public:
  /// The costs of the lanes \p Its that access \p At, of which \p Unsure may in
  /// truth be switched off; \p Compute() where they are not known. A phase is
  /// \p PhaseMask of an address.
  template <typename Computer>
  const Costs &of(const std::array<uint64_t, 32> &At, uint32_t Its,
                  uint32_t Unsure, uint64_t PhaseMask, Computer Compute) {
    assert(Its != 0 && "a request is made by some lane");
    Base = At[std::countr_zero(Its)];
    if (Its != Active || Unsure != Speculative ||
        !isAsFarApart(At, Base, Its)) {
      Active = Its;
      Speculative = Unsure;
      for (unsigned L = 0; L != At.size(); ++L)
        Offsets[L] = At[L] - Base;
      ByPhase.clear();
    }
    const auto Known = llvm::find_if(ByPhase, [&](const auto &Each) {
      return Each.first == (Base & PhaseMask);
    });
    if (Known != ByPhase.end())
      return Known->second;
    return ByPhase.emplace_back(Base & PhaseMask, Compute()).second;
  }

  /// True when all lanes of \p Its took part in the last request and had the
  /// same addresses: lanes that have left a loop since do not matter.
  bool isRepeated(const std::array<uint64_t, 32> &At, uint32_t Its) const {
    return (Its & ~Active) == 0 && isAsFarApart(At, Base, Its);
  }
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_PATTERNCOSTS_H

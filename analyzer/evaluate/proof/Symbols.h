//===- Symbols.h - What nobody knows, and its limits ------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_SYMBOLS_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_SYMBOLS_H

#include "analyzer/evaluate/proof/Form.h"

#include <vector>

namespace warpwise::access::proof {

class Symbols {
  std::vector<Interval> Ranges; ///< by symbol

public:
  /// A value of \p Bits bits that is the same in all lanes and otherwise not
  /// known.
  Form fresh(unsigned Bits, uint32_t From);
  /// The same with limits, which hold for the signed reading.
  Form fresh(Interval Within, unsigned Bits, uint32_t From);

  /// The values of lane \p Lane. Unbounded where the form holds only modulo
  /// 2^Bits.
  Interval rangeOf(const Form &F, unsigned Lane) const;

protected:
  /// The same multiple of a new symbol in all lanes.
  Term symbol(Interval Within, int64_t Factor = 1);
  Interval rangeOf(const Term &T, unsigned Lane) const;
  bool fits(const Form &F, uint32_t Lanes, Wide Low, Wide High) const;
  /// Brings \p F, whose readings are claimed for \p Lanes, into its simplest
  /// shape.
  void settle(Form &F, uint32_t Lanes = ~0u);
};

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_SYMBOLS_H

//===- Symbols.h - What nobody knows, and its limits ------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_SYMBOLS_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_SYMBOLS_H

#include "analyzer/evaluate/proof/Form.h"

#include <vector>

namespace warpwise::access::proof {

class Symbols {
  struct Symbol {
    Interval Within;
    uint32_t Place; ///< of Origin bits: OriginPlace
  };
  std::vector<Symbol> Known;

public:
  /// A value of \p Bits bits that is the same in all lanes and otherwise not
  /// known.
  Form fresh(unsigned Bits, uint32_t From);
  /// The same with limits, which hold for the signed reading.
  Form fresh(Interval Within, unsigned Bits, uint32_t From);

  /// The values of lane \p Lane. Unbounded where the form holds only modulo
  /// 2^Bits.
  Interval rangeOf(const Form &F, unsigned Lane) const;

  /// OriginPlace bits of what \p T stands for.
  uint32_t placeOf(const Term &T) const { return Known[T.Symbol].Place; }
  /// OriginPlace bits of what is not known of \p F in the lanes \p Lanes: where
  /// there are none, no more is known of it in one block (warp) than in all.
  uint32_t placeOf(const Form &F, uint32_t Lanes) const;
  /// The same of whether two addresses are the same.
  uint32_t placeOfDifference(const Form &A, const Form &B,
                             uint32_t Lanes) const;
  /// Some of what is not known of it is so in any block and warp.
  bool isOpenAnywhere(const Form &F, uint32_t Lanes) const;

protected:
  /// The same multiple of a new symbol, which comes from \p From, in all lanes.
  Term symbol(Interval Within, uint32_t From, int64_t Factor = 1);
  Interval rangeOf(const Term &T, unsigned Lane) const;
  bool fits(const Form &F, uint32_t Lanes, Wide Low, Wide High) const;
  /// Brings \p F, whose readings are claimed for \p Lanes, into its simplest
  /// shape.
  void settle(Form &F, uint32_t Lanes = ~0u);
};

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_SYMBOLS_H

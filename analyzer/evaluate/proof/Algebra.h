//===- Algebra.h - Arithmetic on forms --------------------------*- C++ -*-===//
//
// What the steps of a program do to forms. Where the result is no form of the
// operands, it becomes a fresh symbol if it is the same in all lanes, and
// unknown lanes otherwise; nothing is ever guessed.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_ALGEBRA_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_ALGEBRA_H

#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/proof/Symbols.h"

namespace warpwise::access::proof {

class Algebra : public Symbols {
public:
  /// The result of a lanewise step (see isLanewise) for the lanes \p Active.
  Form apply(const Step &S, const Form &A, const Form *B, const Form *C,
             uint32_t Active);

  /// \p A in the lanes \p Lanes, \p B in the others.
  Form blend(const Form &A, const Form &B, uint32_t Lanes);
  /// One of the two, nobody knows which; the same one in all lanes of
  /// \p Active if \p Together.
  Form either(const Form &A, const Form &B, uint32_t Active, bool Together);

  /// The largest number that divides \p F, which is the same in all lanes of
  /// \p Lanes, whatever its symbols are; 0 for the number 0.
  static int64_t contentOf(const Form &F, uint32_t Lanes);

  Form add(const Form &A, const Form &B, unsigned Bits, bool NoSignedWrap,
           bool NoUnsignedWrap, bool Subtract);
  /// \p A times \p Factor in each lane.
  Form scale(const Form &A, int64_t Factor, unsigned Bits, bool NoSignedWrap);

private:
  Form opaque(const Step &S, uint32_t Active, const Form &A, const Form *B,
              const Form *C);
  Form multiply(const Step &S, const Form &A, const Form &B, uint32_t Active);
  Form multiplyByNumbers(const Step &S, const Form &A, const Form &B,
                         uint32_t Active);
  Form uniformProduct(const Step &S, const Form &X, const Form &Y,
                      uint32_t Active);
  Form divide(const Step &S, const Form &A, const Form &B, uint32_t Active);
  Form remainder(const Step &S, const Form &A, const Form &B, uint32_t Active);
  Form lowBits(const Step &S, const Form &A, unsigned Count, uint32_t Active);
  Form bitwise(const Step &S, const Form &A, const Form &B, uint32_t Active);
  Form truth(const Step &S, const Form &A, const Form &B, uint32_t Active);
  bool isOpenEverywhere(const Form &D, uint32_t Open, bool Equality) const;
  Form compare(const Step &S, const Form &A, const Form &B, uint32_t Active);
  Form extreme(const Step &S, const Form &A, const Form &B, uint32_t Active);
  Form select(const Form &Condition, const Form &A, const Form &B,
              uint32_t Active);
  Form extend(const Form &A, unsigned Bits, bool Signed, uint32_t Active);
  Form truncate(const Form &A, unsigned Bits, uint32_t Active);
};

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_ALGEBRA_H

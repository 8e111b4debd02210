//===- ExpressionGenerator.h - Draws random expressions ---------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_EXPRESSIONGENERATOR_H
#define WARPWISE_TEST_UNIT_EVALUATE_EXPRESSIONGENERATOR_H

#include "test/unit/evaluate/GeneratedKernel.h"

#include <initializer_list>
#include <random>

namespace warpwise::test {

/// Random numbers that are the same with every standard library.
class Dice {
  std::mt19937_64 Engine;

public:
  explicit Dice(uint64_t Seed) : Engine(Seed) {}

  uint64_t below(uint64_t Count) { return Engine() % Count; }
  bool percent(unsigned Chance) { return below(100) < Chance; }
  int64_t between(int64_t First, int64_t Last) {
    return First + int64_t(below(uint64_t(Last - First) + 1));
  }
  template <typename T> T oneOf(std::initializer_list<T> Choices) {
    return Choices.begin()[below(Choices.size())];
  }
};

class ExpressionGenerator {
  GeneratedKernel &K;
  Dice &Random;

public:
  /// Variables that may be used, the innermost last.
  std::vector<int> Scope;

  ExpressionGenerator(GeneratedKernel &K, Dice &Random)
      : K(K), Random(Random) {}

  const Expression *make(Op What, unsigned Bits, const Expression *A = nullptr,
                         const Expression *B = nullptr,
                         const Expression *C = nullptr);
  const Expression *constant(int64_t Value, unsigned Bits = 32);
  const Expression *variable(int Number);

  /// An expression of 32 or 64 bits.
  const Expression *draw(unsigned Bits, unsigned Depth);
  /// A condition that some lanes are likely to meet and others not.
  const Expression *drawCondition(unsigned Depth);
  /// An index as it is mostly written: small multiples of lane and loop
  /// numbers, added up.
  const Expression *drawAffine(unsigned Bits);
  /// At most \p Most, which is less than a power of two.
  const Expression *drawSmall(unsigned Most);
  const Expression *drawLeaf(unsigned Bits);

private:
  const Expression *drawConstant(unsigned Bits);
  const Expression *drawSpecial();
  const Expression *drawOfWidth(unsigned Bits, unsigned Depth);
  const Expression *drawBinary(Op What, unsigned Bits, unsigned Depth);
  const Expression *drawMasked(unsigned Bits, unsigned Depth, int64_t Mask);
  const Expression *drawChoice(unsigned Bits, unsigned Depth);
  const Expression *drawConjunction(unsigned Depth);
  const Expression *drawDivision(unsigned Bits, unsigned Depth);
  const Expression *drawShift(unsigned Bits, unsigned Depth);
  const Expression *drawBits(unsigned Bits, unsigned Depth);
  const Expression *drawUnary(unsigned Bits, unsigned Depth);
  const Expression *widened(const Expression *E);
};

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_EXPRESSIONGENERATOR_H

//===- ExpressionGenerator.cpp - Draws random expressions -----------------===//

#include "test/unit/evaluate/ExpressionGenerator.h"

#include <bit>

namespace warpwise::test {

const Expression *ExpressionGenerator::make(Op What, unsigned Bits,
                                            const Expression *A,
                                            const Expression *B,
                                            const Expression *C) {
  K.Expressions.push_back({What, Bits, 0, A, B, C});
  return &K.Expressions.back();
}

const Expression *ExpressionGenerator::constant(int64_t Value, unsigned Bits) {
  K.Expressions.push_back({Op::Constant, Bits, Value});
  return &K.Expressions.back();
}

const Expression *ExpressionGenerator::variable(int Number) {
  K.Expressions.push_back(
      {Op::Variable, K.VariableBits[size_t(Number)], Number});
  return &K.Expressions.back();
}

const Expression *ExpressionGenerator::drawConstant(unsigned Bits) {
  switch (Random.below(12)) {
  case 0:
    return constant(Random.oneOf({-1, -2, -7, -32, -100}), Bits);
  case 1:
    return constant(int64_t(1) << Random.below(12), Bits);
  case 2:
    return constant((int64_t(1) << Random.between(1, 10)) - 1, Bits);
  case 3:
    return constant(Random.between(0, 5000), Bits);
  case 4:
    return constant(Bits == 64 ? Random.between(-1, 1) << 33
                               : int64_t(int32_t(Random.below(1ull << 32))),
                    Bits);
  default:
    return constant(Random.between(0, 40), Bits);
  }
}

const Expression *ExpressionGenerator::drawSpecial() {
  const unsigned At = unsigned(Random.below(80));
  if (At < 34)
    return make(Op::TidX, 32);
  if (At < 46)
    return make(Op::TidY, 32);
  if (At < 51)
    return make(Op::TidZ, 32);
  if (At < 60)
    return make(Random.oneOf({Op::NtidX, Op::NtidX, Op::NtidY, Op::NtidZ}), 32);
  if (At < 71)
    return make(Random.oneOf({Op::CtaidX, Op::CtaidX, Op::CtaidY, Op::CtaidZ}),
                32);
  if (At < 75)
    return make(Random.oneOf({Op::NctaidX, Op::NctaidY, Op::NctaidZ}), 32);
  return make(Op::LaneId, 32);
}

/// A 32-bit value as 64 bits.
const Expression *ExpressionGenerator::widened(const Expression *E) {
  return make(Random.percent(60) ? Op::SignExtend : Op::ZeroExtend, 64, E);
}

const Expression *ExpressionGenerator::drawLeaf(unsigned Bits) {
  const unsigned At = unsigned(Random.below(100));
  if (At < 30 && !Scope.empty()) {
    // Mostly the innermost loop's.
    const size_t Back = Random.percent(60) ? 0 : Random.below(Scope.size());
    const Expression *V = variable(Scope[Scope.size() - 1 - Back]);
    if (V->Bits == Bits)
      return V;
    return Bits == 64 ? widened(V) : make(Op::Truncate, 32, V);
  }
  if (At < 45)
    return drawConstant(Bits);
  if (At < 58 && !K.ArgumentBits.empty()) {
    const size_t Number = Random.below(K.ArgumentBits.size());
    K.Expressions.push_back(
        {Op::Argument, K.ArgumentBits[Number], int64_t(Number)});
    const Expression *A = &K.Expressions.back();
    if (A->Bits == Bits)
      return A;
    return Bits == 64 ? widened(A) : make(Op::Truncate, 32, A);
  }
  const Expression *Special = drawSpecial();
  return Bits == 64 ? widened(Special) : Special;
}

const Expression *ExpressionGenerator::drawAffine(unsigned Bits) {
  const Expression *Sum = nullptr;
  const unsigned Terms = unsigned(Random.between(1, 3));
  for (unsigned N = 0; N != Terms; ++N) {
    const Expression *Term = drawLeaf(Bits);
    if (Random.percent(55)) {
      const Expression *Factor =
          Random.percent(70)
              ? constant(Random.oneOf({2, 3, 4, 5, 8, 16, 17, 32, 33, 64, 100,
                                       1024, 1000, -1, -4}),
                         Bits)
              : drawLeaf(Bits);
      Term = make(Op::Mul, Bits, Term, Factor);
    }
    Sum = Sum ? make(Random.percent(85) ? Op::Add : Op::Sub, Bits, Sum, Term)
              : Term;
  }
  return Random.percent(30) ? make(Op::Add, Bits, Sum, drawConstant(Bits))
                            : Sum;
}

const Expression *ExpressionGenerator::drawSmall(unsigned Most) {
  return make(Op::And, 32, drawAffine(32),
              constant(int64_t(std::bit_ceil(Most + 1) - 1)));
}

const Expression *ExpressionGenerator::drawMasked(unsigned Bits, unsigned Depth,
                                                  int64_t Mask) {
  return make(Op::And, Bits, draw(Bits, Depth), constant(Mask, Bits));
}

/// \p What of two random operands, drawn in the order in which they stand: that
/// of function arguments differs between compilers.
const Expression *ExpressionGenerator::drawBinary(Op What, unsigned Bits,
                                                  unsigned Depth) {
  const Expression *A = draw(Bits, Depth);
  const Expression *B = draw(Bits, Depth);
  return make(What, Bits, A, B);
}

const Expression *ExpressionGenerator::drawDivision(unsigned Bits,
                                                    unsigned Depth) {
  const Op What = Random.oneOf({Op::UDiv, Op::SDiv, Op::URem, Op::SRem});
  const Expression *By = nullptr;
  const unsigned Form = unsigned(Random.below(10));
  if (Form < 6)
    By = constant(Random.oneOf({1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 33, 100}),
                  Bits);
  else if (Form < 8)
    By = make(Op::Add, Bits, drawMasked(Bits, Depth, 31), constant(1, Bits));
  else if (Bits == 32)
    By = make(Random.oneOf({Op::NtidX, Op::NtidY, Op::NctaidX}), 32);
  else
    By = constant(-int64_t(Random.between(2, 9)), Bits);
  return make(What, Bits, draw(Bits, Depth), By);
}

const Expression *ExpressionGenerator::drawShift(unsigned Bits,
                                                 unsigned Depth) {
  const Op What = Random.oneOf({Op::Shl, Op::LShr, Op::AShr, Op::RotateLeft});
  const Expression *By = nullptr;
  if (Random.percent(65))
    By = constant(Random.between(0, 6), Bits);
  else if (Random.percent(30))
    By = constant(Random.between(0, Bits - 1), Bits);
  else
    By = drawMasked(Bits, Depth, Random.oneOf({3, 7, 31}));
  return make(What, Bits, draw(Bits, Depth), By);
}

const Expression *ExpressionGenerator::drawBits(unsigned Bits, unsigned Depth) {
  const Op What = Random.oneOf({Op::And, Op::Or, Op::Xor, Op::Xor});
  const Expression *A = draw(Bits, Depth);
  const Expression *B =
      Random.percent(60) ? drawConstant(Bits) : draw(Bits, Depth);
  return make(What, Bits, A, B);
}

const Expression *ExpressionGenerator::drawUnary(unsigned Bits,
                                                 unsigned Depth) {
  switch (Random.below(Bits == 32 ? 7 : 4)) {
  case 0:
    return make(Op::CountOnes, Bits, draw(Bits, Depth));
  case 1:
    return make(Op::LeadingZeros, Bits, draw(Bits, Depth));
  case 2:
    return make(Op::ReverseBits, Bits, draw(Bits, Depth));
  case 3:
    return make(Op::Absolute, Bits, draw(Bits, Depth));
  case 4:
    return make(Op::SignExtend8, 32, draw(32, Depth));
  case 5:
    return make(Op::ZeroExtend16, 32, draw(32, Depth));
  default:
    return drawBinary(Op::MulHighU, 32, Depth);
  }
}

const Expression *ExpressionGenerator::drawChoice(unsigned Bits,
                                                  unsigned Depth) {
  const Expression *Condition = drawCondition(Depth / 2);
  const Expression *A = draw(Bits, Depth);
  const Expression *B = draw(Bits, Depth);
  return make(Op::Choose, Bits, Condition, A, B);
}

const Expression *ExpressionGenerator::drawOfWidth(unsigned Bits,
                                                   unsigned Depth) {
  const unsigned At = unsigned(Random.below(100));
  if (At < 30)
    return drawBinary(Random.oneOf({Op::Add, Op::Add, Op::Sub, Op::Mul}), Bits,
                      Depth);
  if (At < 48)
    return drawDivision(Bits, Depth);
  if (At < 64)
    return drawBits(Bits, Depth);
  if (At < 76)
    return drawShift(Bits, Depth);
  if (At < 83)
    return drawChoice(Bits, Depth);
  if (At < 90)
    return drawBinary(Random.oneOf({Op::MinS, Op::MaxS, Op::MinU, Op::MaxU}),
                      Bits, Depth);
  if (At < 94)
    return drawUnary(Bits, Depth);
  return Bits == 64 ? widened(draw(32, Depth))
                    : make(Op::Truncate, 32, draw(64, Depth));
}

const Expression *ExpressionGenerator::draw(unsigned Bits, unsigned Depth) {
  if (Depth == 0)
    return drawLeaf(Bits);
  if (Bits == 64 && Random.percent(50))
    return widened(draw(32, Depth));
  if (Random.percent(30))
    return drawAffine(Bits);
  return drawOfWidth(Bits, Depth - 1);
}

/// Two conditions joined.
const Expression *ExpressionGenerator::drawConjunction(unsigned Depth) {
  const Op What =
      Random.oneOf({Op::BothOf, Op::BothOf, Op::EitherOf, Op::OneOf});
  const int64_t AsControlFlow = Random.percent(50);
  const Expression *A = drawCondition(Depth);
  const Expression *B = drawCondition(Depth);
  K.Expressions.push_back({What, 1, AsControlFlow, A, B});
  return &K.Expressions.back();
}

const Expression *ExpressionGenerator::drawCondition(unsigned Depth) {
  if (Depth > 0 && Random.percent(30))
    return drawConjunction(Depth - 1);
  if (Depth > 0 && Random.percent(8))
    return make(Op::Not, 1, drawCondition(Depth - 1));
  const unsigned Bits = Random.percent(85) ? 32 : 64;
  const Op What = Random.oneOf({Op::LessS, Op::LessS, Op::LessU, Op::LessEqualU,
                                Op::GreaterU, Op::GreaterS, Op::GreaterEqualS,
                                Op::Equal, Op::NotEqual});
  const Expression *A = nullptr, *B = nullptr;
  if (Random.percent(45)) { // "if (threadIdx.x < 17)"
    A = drawLeaf(Bits);
    if (A->What == Op::Constant)
      A = Bits == 64 ? widened(drawSpecial()) : drawSpecial();
    B = Random.percent(70) ? constant(Random.between(0, 40), Bits)
                           : drawLeaf(Bits);
    return make(What, 1, A, B);
  }
  if (Random.percent(30)) { // "if ((i & 3) == 0)"
    A = drawAffine(Bits);
    A = make(Op::And, Bits, A, constant(Random.oneOf({1, 3, 7}), Bits));
    B = constant(Random.between(0, 3), Bits);
    return make(Random.oneOf({Op::Equal, Op::NotEqual}), 1, A, B);
  }
  A = make(Op::Add, Bits, draw(Bits, Depth), drawLeaf(Bits));
  B = Random.percent(50) ? drawConstant(Bits) : draw(Bits, Depth);
  return make(What, 1, A, B);
}

} // namespace warpwise::test

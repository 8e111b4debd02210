//===- WarpWindow.cpp - Near each other whatever memory says --------------===//

#include "analyzer/evaluate/WarpWindow.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/LoadUses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::access {
namespace {

/// How far apart two lanes can be, in bytes.
class Spread {
  const Instruction &Access;
  const llvm::LoopInfo &Loops;
  const DataLayout &Layout;
  bool RestsOnTypes = false;

  /// Steps of a chain of addresses; there are hardly more than three.
  static constexpr unsigned MostSteps = 8;
  /// What is not far less than everything says nothing.
  static constexpr uint64_t MostBytes = 1 << 20;

public:
  Spread(const Instruction &Access, const llvm::LoopInfo &Loops)
      : Access(Access), Loops(Loops),
        Layout(Access.getModule()->getDataLayout()) {}

  /// Whether what of() gave is that of a row whose length its type says.
  bool restsOnTypes() const { return RestsOnTypes; }

  std::optional<uint64_t> of(const Value &Pointer, unsigned Steps = 0) {
    if (isUniform(Pointer))
      return 0;
    if (Steps == MostSteps)
      return std::nullopt;
    if (const auto *Cast = dyn_cast<AddrSpaceCastOperator>(&Pointer))
      return of(*Cast->getPointerOperand(), Steps + 1);
    if (const auto *Choice = dyn_cast<SelectInst>(&Pointer))
      return ofChoice(*Choice, Steps);
    const auto *Step = dyn_cast<GEPOperator>(&Pointer);
    if (!Step)
      return std::nullopt;
    std::optional<uint64_t> Sum = of(*Step->getPointerOperand(), Steps + 1);
    const unsigned Bits = Layout.getIndexTypeSizeInBits(Step->getType());
    MapVector<Value *, APInt> Variable;
    APInt Constant(Bits, 0);
    if (!Sum || !Step->collectOffset(Layout, Bits, Variable, Constant))
      return std::nullopt;
    for (const auto &[Number, Scale] : Variable) {
      const auto Its = ofIndex(*Step, *Number, Scale.abs().getLimitedValue());
      if (!Its)
        return std::nullopt;
      *Sum = SaturatingAdd(*Sum, *Its);
    }
    return *Sum <= MostBytes ? Sum : std::nullopt;
  }

private:
  /// The same in all lanes that execute the access together.
  bool isUniform(const Value &V) const {
    return isWarpUniform(V, &Loops, nullptr, &Access);
  }

  /// Between two places that lie a number of bytes apart.
  std::optional<uint64_t> ofChoice(const SelectInst &Choice, unsigned Steps) {
    const Value *Base[2] = {Choice.getTrueValue(), Choice.getFalseValue()};
    int64_t Offset[2] = {0, 0};
    for (unsigned N = 0; N != 2; ++N)
      Base[N] = GetPointerBaseWithConstantOffset(Base[N], Offset[N], Layout);
    if (Base[0] != Base[1])
      return std::nullopt;
    const std::optional<uint64_t> Its = of(*Base[0], Steps + 1);
    const auto [Low, High] = std::minmax(Offset[0], Offset[1]);
    return Its ? std::optional(
                     SaturatingAdd(*Its, uint64_t(High) - uint64_t(Low)))
               : std::nullopt;
  }

  /// Of an index of the address \p Step, in bytes.
  std::optional<uint64_t> ofIndex(const GEPOperator &Step, const Value &Number,
                                  uint64_t Scale) {
    uint64_t Most =
        SaturatingMultiply(ofNumber(Number, /*HasSign=*/true, 0), Scale);
    const uint64_t Array = arrayBytes(Step, &Number, Layout);
    if (Array > 0 && Array - std::min(Array, Scale) < Most) {
      Most = Array - std::min(Array, Scale);
      RestsOnTypes = true;
    }
    return Most <= MostBytes ? std::optional(Most) : std::nullopt;
  }

  /// How much larger it can be in one lane than in another, with sign or
  /// without. Sums that wrap around are no indices.
  uint64_t ofNumber(const Value &Number, bool HasSign, unsigned Steps) const {
    if (isUniform(Number))
      return 0;
    if (isa<ZExtInst>(Number) || (HasSign && isa<SExtInst>(Number)))
      return ofNumber(*cast<Instruction>(Number).getOperand(0),
                      isa<SExtInst>(Number), Steps);
    const ConstantRange Range = computeConstantRange(&Number, HasSign);
    const uint64_t Most =
        (HasSign ? Range.getSignedMax() - Range.getSignedMin()
                 : Range.getUnsignedMax() - Range.getUnsignedMin())
            .getLimitedValue();
    const auto *Sum = dyn_cast<BinaryOperator>(&Number);
    const bool IsSum =
        Sum &&
        ((Sum->getOpcode() == Instruction::Or &&
          cast<PossiblyDisjointInst>(Sum)->isDisjoint()) ||
         ((Sum->getOpcode() == Instruction::Add ||
           Sum->getOpcode() == Instruction::Sub) &&
          (HasSign ? Sum->hasNoSignedWrap() : Sum->hasNoUnsignedWrap())));
    if (!IsSum || Steps == MostSteps)
      return Most;
    return std::min(
        Most, SaturatingAdd(ofNumber(*Sum->getOperand(0), HasSign, Steps + 1),
                            ofNumber(*Sum->getOperand(1), HasSign, Steps + 1)));
  }
};

} // namespace

std::optional<WarpWindow> warpWindow(const Instruction &Access,
                                     const llvm::LoopInfo &Loops) {
  const Value *Pointer = getLoadStorePointerOperand(&Access);
  if (!Pointer)
    return std::nullopt;
  Spread Lanes(Access, Loops);
  const std::optional<uint64_t> Apart = Lanes.of(*Pointer);
  if (!Apart)
    return std::nullopt;
  const DataLayout &Layout = Access.getModule()->getDataLayout();
  const uint64_t Own = Layout.getTypeStoreSize(
      getLoadStoreType(const_cast<Instruction *>(&Access)));
  return WarpWindow{*Apart + Own, Lanes.restsOnTypes()};
}

} // namespace warpwise::access

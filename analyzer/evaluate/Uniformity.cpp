//===- Uniformity.cpp - Values that threads have in common ----------------===//

#include "analyzer/evaluate/Uniformity.h"

#include "analyzer/evaluate/Instructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warpwise::access {

static bool isIdOfBlock(const CallInst &Call) {
  using Kind = Preset::Kind;
  return is_contained({Kind::NtidX, Kind::NtidY, Kind::NtidZ, Kind::CtaidX,
                       Kind::CtaidY, Kind::CtaidZ, Kind::NctaidX, Kind::NctaidY,
                       Kind::NctaidZ},
                      specialRegister(Call).value_or(Kind::TidX));
}

static bool isIdOfThread(const CallInst &Call) {
  using Kind = Preset::Kind;
  return is_contained({Kind::TidX, Kind::TidY, Kind::TidZ, Kind::LaneId},
                      specialRegister(Call).value_or(Kind::NtidX));
}

/// \p IsAddress: of a load from a table.
static bool isComputedFrom(const Value *V, Inputs Of, unsigned Depth,
                           bool IsAddress = false) {
  constexpr unsigned MostDepth = 12;
  if (isa<Constant>(V))
    return !isa<UndefValue>(V);
  if (isa<Argument>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MostDepth)
    return false;
  if (const auto *Call = dyn_cast<CallInst>(I);
      Call && !isa<MinMaxIntrinsic>(I))
    return ((Of == Inputs::ArgumentsAndTables ? IsAddress
                                              : Of != Inputs::Arguments) &&
            isIdOfBlock(*Call)) ||
           ((Of == Inputs::ArgumentsAndPlace || Of == Inputs::PlaceAndTables) &&
            isIdOfThread(*Call));
  const auto *Load = dyn_cast<LoadInst>(I);
  if (Load &&
      (Of == Inputs::ArgumentsAndTables || Of == Inputs::PlaceAndTables))
    return isComputedFrom(Load->getPointerOperand(), Inputs::ArgumentsAndTables,
                          Depth + 1, true);
  // Arguments by value are in constant memory.
  const auto *Object =
      Load ? dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()))
           : nullptr;
  const bool IsPure =
      isa<BinaryOperator, CastInst, SelectInst, CmpInst, ExtractValueInst,
          ExtractElementInst, GetElementPtrInst, MinMaxIntrinsic>(I);
  return (IsPure || (Object && Object->hasByValAttr())) &&
         all_of(I->operands(), [&](const Value *Operand) {
           return isComputedFrom(Operand, Of, Depth + 1, IsAddress);
         });
}

bool isComputedFrom(const Value *V, Inputs Of) {
  return isComputedFrom(V, Of, 0);
}

} // namespace warpwise::access

//===- PrivateUses.cpp - What private arrays ask of local memory ----------===//

#include "analyzer/evaluate/PrivateUses.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/evaluate/UnrolledLoops.h"
#include "analyzer/lowering/MemoryIntrinsics.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace llvm;

namespace warpwise::access {
namespace {

constexpr double WordBytes = 4;
/// Deeper expressions are no index that anyone writes.
constexpr unsigned MostDepth = 16;

/// What the lanes of a warp do not agree about.
struct Choice {
  bool LanesDiffer = false;
  /// As many elements of the whole as indices that differ choose from, as far
  /// as the types say: of a matrix whose row alone differs, the rows.
  std::optional<double> Elements = 1;
};

/// What indices on the way from an array to \p Pointer choose from.
Choice choiceOf(const Value *Pointer, const llvm::LoopInfo &Loops,
                const DominatorTree &Order) {
  Choice Found;
  while (const auto *I = dyn_cast<Instruction>(Pointer)) {
    if (isa<AllocaInst>(I))
      return Found;
    if (const auto *Address = dyn_cast<GetElementPtrInst>(I)) {
      const Type *Of = nullptr; // what the index chooses from
      for (auto At = gep_type_begin(*Address), End = gep_type_end(*Address);
           At != End; Of = At.getIndexedType(), ++At) {
        if (isWarpUniform(*At.getOperand(), &Loops, &Order))
          continue;
        Found.LanesDiffer = true;
        const auto *Row = dyn_cast_or_null<ArrayType>(Of);
        if (Row && Found.Elements)
          Found.Elements = *Found.Elements * double(Row->getNumElements());
        else
          Found.Elements = std::nullopt;
      }
      Pointer = Address->getPointerOperand();
    } else if (isa<CastInst>(I)) {
      Pointer = I->getOperand(0);
    } else {
      return {true, std::nullopt}; // one of several
    }
  }
  return Found;
}

/// Whether \p V is a constant once the loops are written out that \p Unrolled
/// says.
bool isWrittenOut(const Value *V, const llvm::LoopInfo &Loops,
                  const UnrolledLoops &Unrolled, unsigned Depth = 0) {
  if (isa<ConstantInt>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MostDepth)
    return false;
  if (const auto *Phi = dyn_cast<PHINode>(I)) {
    const llvm::Loop *Its = Loops.getLoopFor(Phi->getParent());
    return Its && Its->getHeader() == Phi->getParent() &&
           Unrolled.Whole.contains(Its);
  }
  return (isa<CastInst>(I) || isa<BinaryOperator>(I)) &&
         all_of(I->operands(), [&](const Use &Its) {
           return isWrittenOut(Its.get(), Loops, Unrolled, Depth + 1);
         });
}

/// Whether all that differs on the way to \p Pointer is written out.
bool isAtWrittenOutPlace(const Value *Pointer, const llvm::LoopInfo &Loops,
                         const UnrolledLoops &Unrolled) {
  while (const auto *Address = dyn_cast<GetElementPtrInst>(Pointer)) {
    if (!all_of(Address->indices(), [&](const Use &Index) {
          return isWrittenOut(Index.get(), Loops, Unrolled);
        }))
      return false;
    Pointer = Address->getPointerOperand();
  }
  return isa<AllocaInst>(Pointer->stripPointerCasts());
}

/// How many different ones \p Draws among \p Elements come to, on average.
double distinct(double Elements, double Draws) {
  return Elements * (1 - std::pow(1 - 1 / Elements, Draws));
}

} // namespace

std::vector<PrivateUse> privateUses(Function &F, const llvm::LoopInfo &Loops,
                                    const UnrolledLoops &Unrolled) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
  const DominatorTree Order(F);
  std::vector<PrivateUse> Found;
  for (Instruction &I : instructions(F)) {
    const MemoryReference R = memoryReference(I);
    if (!R.Pointer || R.Bytes == 0)
      continue;
    const lowering::ObjectInfo Object = lowering::objectOf(R.Pointer);
    auto *Array =
        const_cast<AllocaInst *>(dyn_cast_or_null<AllocaInst>(Object.Object));
    if (Object.Memory != Space::Local || !Array)
      continue;
    const auto Size = Array->getAllocationSize(Layout);
    PrivateUse Use;
    Use.Array = Array;
    Use.Instruction = &I;
    Use.Op = R.Reads ? Operation::Load : Operation::Store;
    Use.Bytes = R.Bytes;
    const Choice Its = choiceOf(R.Pointer, Loops, Order);
    if (Size && !Size->isScalable())
      Use.ArrayBytes = Size->getFixedValue();
    const double Bytes = double(Use.ArrayBytes.value_or(R.Bytes));
    Use.LanesDiffer = Its.LanesDiffer;
    Use.Elements =
        std::max(1.0, std::min(Bytes / std::max<double>(R.Bytes, WordBytes),
                               Its.Elements.value_or(Bytes)));
    // nvcc makes words, and up to four of them, of what lies side by side (STL
    // of nvcc 13 for sm_90: four of 16 bytes for an alphabet of 64 letters).
    // How many words a store has makes no difference to what it moves.
    if (Use.Op == Operation::Store && R.Bytes < WordBytes &&
        !lowering::isStoredByElement(*Array) &&
        isAtWrittenOutPlace(R.Pointer, Loops, Unrolled))
      Use.AtOnce = unsigned(WordBytes) / R.Bytes;
    Found.push_back(Use);
  }
  return Found;
}

Cost costOf(const PrivateUse &Use, double Requests, double Warps,
            double Lanes) {
  constexpr double SectorWords = 8;
  Cost C;
  C.State = Proof::Estimated;
  C.Reason = "local memory is interleaved by lane; lanes that differ are taken "
             "to want random elements";
  C.Weight = Requests / Use.AtOnce;
  C.PerWarp = Warps > 0 ? C.Weight / Warps : 0;
  C.ActiveLanes = Lanes;
  const double Words = std::max(1.0, Use.Bytes / WordBytes);
  const double Sectors = std::ceil(Lanes / SectorWords);
  C.Lines = Words * (Use.LanesDiffer ? distinct(Use.Elements, Lanes) : 1);
  C.Sectors =
      Words * Sectors *
      (Use.LanesDiffer ? distinct(Use.Elements, std::min(Lanes, SectorWords))
                       : 1);
  C.IdealSectors = Words * Sectors;
  C.Low = C.IdealSectors;
  C.High =
      Words * Sectors * (Use.LanesDiffer ? std::min(Use.Elements, 8.0) : 1);
  C.LinePasses = Words; // a lane is a bank
  C.ObjectBytes = Use.ArrayBytes;
  return C;
}

} // namespace warpwise::access

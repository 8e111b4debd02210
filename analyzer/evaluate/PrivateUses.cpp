//===- PrivateUses.cpp - What private arrays ask of local memory ----------===//

#include "analyzer/evaluate/PrivateUses.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace warpwise::access {
namespace {

/// Whether an index on the way from \p Array to \p Pointer may differ between
/// the lanes of a warp.
bool lanesDiffer(const Value *Pointer, const llvm::LoopInfo &Loops) {
  while (const auto *I = dyn_cast<Instruction>(Pointer)) {
    if (isa<AllocaInst>(I))
      return false;
    if (const auto *Address = dyn_cast<GetElementPtrInst>(I)) {
      for (const Use &Index : Address->indices())
        if (!isWarpUniform(*Index.get(), &Loops))
          return true;
      Pointer = Address->getPointerOperand();
    } else if (isa<CastInst>(I)) {
      Pointer = I->getOperand(0);
    } else {
      return true; // one of several
    }
  }
  return false;
}

/// How many different ones \p Draws among \p Elements come to, on average.
double distinct(double Elements, double Draws) {
  return Elements * (1 - std::pow(1 - 1 / Elements, Draws));
}

} // namespace

std::vector<PrivateUse> privateUses(Function &F, const llvm::LoopInfo &Loops) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
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
    Use.Elements =
        std::max(1.0, double(Size ? Size->getFixedValue() : R.Bytes) / R.Bytes);
    Use.LanesDiffer = lanesDiffer(R.Pointer, Loops);
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
  C.Weight = Requests;
  C.PerWarp = Warps > 0 ? Requests / Warps : 0;
  C.ActiveLanes = Lanes;
  const double Words = std::max(1.0, Use.Bytes / 4.0);
  const double Sectors = std::ceil(Lanes / SectorWords);
  C.Lines = Words * (Use.LanesDiffer ? distinct(Use.Elements, Lanes) : 1);
  C.Sectors =
      Words * Sectors *
      (Use.LanesDiffer ? distinct(Use.Elements, std::min(Lanes, SectorWords))
                       : 1);
  C.IdealSectors = Words * Sectors;
  C.Low = *C.IdealSectors;
  C.High =
      Words * Sectors * (Use.LanesDiffer ? std::min(Use.Elements, 8.0) : 1);
  C.LinePasses = Words; // a lane is a bank
  return C;
}

} // namespace warpwise::access

//===- ObjectOf.cpp - The variable behind a pointer -----------------------===//

#include "analyzer/lowering/ObjectOf.h"

#include "analyzer/lowering/AddressSpaces.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// Collects the ends of all ways back from a pointer.
class Walk {
  SmallPtrSet<const Value *, 16> Seen;

public:
  SmallVector<ObjectInfo, 4> Ends;
  /// The first place on the way back that several ways lead to, or null.
  const Value *Fork = nullptr;
  /// Integers or private memory are on the way.
  bool IsIndirect = false;

  /// \p Known: the space, when a cast on the way has told it.
  void from(const Value *V, std::optional<access::Space> Known) {
    if (!Known && V->getType()->isPointerTy())
      Known = spaceOfNumber(V->getType()->getPointerAddressSpace());
    if (!Seen.insert(V).second)
      return;
    if (auto *Address = dyn_cast<GEPOperator>(V))
      return from(Address->getPointerOperand(), Known);
    if (auto *Op = dyn_cast<Operator>(V))
      switch (Op->getOpcode()) {
      case Instruction::IntToPtr:
      case Instruction::PtrToInt:
      case Instruction::Trunc:
      case Instruction::ZExt:
      case Instruction::SExt:
        IsIndirect = true;
        [[fallthrough]];
      case Instruction::AddrSpaceCast:
      case Instruction::BitCast:
      case Instruction::Freeze:
        return from(Op->getOperand(0), Known);
      case Instruction::Select:
        Fork = Fork ? Fork : V;
        from(Op->getOperand(1), Known);
        return from(Op->getOperand(2), Known);
      default:
        break;
      }
    if (auto *Joined = dyn_cast<PHINode>(V)) {
      Fork = Fork ? Fork : V;
      for (const Value *Incoming : Joined->incoming_values())
        from(Incoming, Known);
      return;
    }
    if (isa<ConstantPointerNull, UndefValue>(V))
      return;
    if (auto *Load = dyn_cast<LoadInst>(V); Load && !Known)
      if (const auto *Own = dyn_cast<AllocaInst>(
              getUnderlyingObject(Load->getPointerOperand()));
          Own && fromStoresTo(*Own))
        return;
    // Integer arithmetic on an address: keep to the pointer in it.
    if (auto *Sum = dyn_cast<BinaryOperator>(V);
        Sum && V->getType()->isIntegerTy())
      for (const Value *Operand : Sum->operands())
        if (isa<PtrToIntInst, TruncInst>(Operand) || isa<ConstantExpr>(Operand))
          return from(Operand, Known);
    end(V, Known);
  }

private:
  /// A pointer that is kept in private memory, as a member of a class that
  /// registers cannot hold: any of those that are stored there. False when none
  /// is seen.
  bool fromStoresTo(const AllocaInst &Own) {
    SmallVector<const Value *, 8> Pending{&Own};
    SmallPtrSet<const Value *, 16> Ways;
    bool Found = false;
    while (!Pending.empty()) {
      const Value *At = Pending.pop_back_val();
      if (!Ways.insert(At).second)
        continue;
      for (const User *U : At->users()) {
        if (isa<GEPOperator, AddrSpaceCastInst, PHINode, SelectInst>(U))
          Pending.push_back(U);
        const auto *Store = dyn_cast<StoreInst>(U);
        if (!Store || Store->getPointerOperand() != At ||
            !Store->getValueOperand()->getType()->isPointerTy())
          continue;
        from(Store->getValueOperand(), std::nullopt);
        Found = true;
      }
    }
    IsIndirect |= Found;
    if (Found)
      Fork = Fork ? Fork : &Own;
    return Found;
  }

  void end(const Value *V, std::optional<access::Space> Known) {
    ObjectInfo Info;
    Info.Object = V;
    Info.Memory = Known.value_or(access::Space::Global);
    if (auto *A = dyn_cast<Argument>(V)) {
      Info.Parameter = A->hasByValAttr();
      if (Info.Parameter)
        Info.Memory = access::Space::Constant;
    } else if (isa<AllocaInst>(V)) {
      Info.Memory = access::Space::Local;
    } else if (auto *Variable = dyn_cast<GlobalVariable>(V)) {
      Info.Memory = spaceOfNumber(Variable->getAddressSpace())
                        .value_or(Known.value_or(access::Space::Global));
    }
    Ends.push_back(Info);
  }
};

} // namespace

ObjectInfo objectOf(const Value *Pointer) {
  Walk W;
  W.from(Pointer, std::nullopt);
  if (W.Ends.empty())
    return {access::Space::Global, nullptr, nullptr, false};
  ObjectInfo Result = W.Ends.front();
  for (const ObjectInfo &Other : W.Ends) {
    if (Other.Object != Result.Object)
      Result.Object = nullptr;
    if (Other.Memory != Result.Memory)
      Result.Memory = access::Space::Generic;
    Result.Parameter &= Other.Parameter;
  }
  Result.IsWithin = Result.Object && !W.IsIndirect;
  Result.Base = Result.Object ? Result.Object : W.Fork;
  return Result;
}

SmallPtrSet<const Value *, 8> storedObjects(const Function &F) {
  SmallPtrSet<const Value *, 8> Stored;
  for (const Instruction &I : instructions(F)) {
    if (!I.mayWriteToMemory())
      continue;
    for (const Value *Operand : I.operands()) {
      // Assembly takes addresses as integers.
      if (!Operand->getType()->isPointerTy() &&
          !(isa<CallBase>(I) && Operand->getType()->isIntegerTy()))
        continue;
      Walk W;
      W.from(Operand, std::nullopt);
      for (const ObjectInfo &End : W.Ends)
        Stored.insert(End.Object);
    }
  }
  return Stored;
}

} // namespace warpwise::lowering

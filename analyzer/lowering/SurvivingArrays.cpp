//===- SurvivingArrays.cpp - Private arrays that stay in memory -----------===//

#include "analyzer/lowering/SurvivingArrays.h"

#include "analyzer/lowering/DebugTypes.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/LoopUnrolling.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <set>

using namespace llvm;

namespace warpwise::lowering {

const DILocalVariable *variableOf(AllocaInst &Slot) {
  for (DbgVariableRecord *Record : findDVRDeclares(&Slot))
    return Record->getVariable();
  for (DbgDeclareInst *Declare : findDbgDeclares(&Slot))
    return Declare->getVariable();
  return nullptr;
}

namespace {

bool holdsArray(const Type *T) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return Array->getNumElements() > 1;
  if (auto *Struct = dyn_cast<StructType>(T))
    return any_of(Struct->elements(), holdsArray);
  return false;
}

bool mayHoldArray(const DIType *T) {
  const auto *Whole = dyn_cast_or_null<DICompositeType>(plainType(T));
  if (!Whole || Whole->getTag() == dwarf::DW_TAG_enumeration_type)
    return false;
  if (Whole->getTag() == dwarf::DW_TAG_array_type || Whole->isForwardDecl())
    return true;
  return any_of(Whole->getElements(), [](const DINode *Element) {
    const auto *Part = dyn_cast<DIDerivedType>(Element);
    return Part && !Part->isStaticMember() && mayHoldArray(Part->getBaseType());
  });
}

/// In LLVM's type of a record the gaps between its members are arrays, too: of
/// one with a virtual base. What the source says has none.
bool isRecordWithoutArray(const DIType *T) {
  return isa_and_nonnull<DICompositeType>(plainType(T)) && !mayHoldArray(T);
}

bool callsItself(const Function &F) {
  return any_of(F.users(), [&F](const User *U) {
    auto *Call = dyn_cast<CallBase>(U);
    return Call && Call->getFunction() == &F;
  });
}

/// Where \p Address is computed or, when the optimiser has lost that, first
/// used.
const DILocation *placeOf(const Instruction &Address) {
  if (const DILocation *Own = Address.getDebugLoc().get())
    return Own;
  for (const User *U : Address.users())
    if (auto *Access = dyn_cast<Instruction>(U))
      if (const DILocation *There = Access->getDebugLoc().get())
        return There;
  return nullptr;
}

/// Whether \p Index is a constant in every round of the loops around it.
bool isCounter(const SCEV *Index, ScalarEvolution &Evolution) {
  return !SCEVExprContains(Index, [&](const SCEV *Part) {
    if (const auto *Counter = dyn_cast<SCEVAddRecExpr>(Part))
      return !Evolution.hasLoopInvariantBackedgeTakenCount(Counter->getLoop());
    return isa<SCEVUnknown, SCEVCouldNotCompute>(Part);
  });
}

/// Follows the uses of an array to what keeps it in memory.
class Explainer {
  SurvivingArray &Array;
  SmallVector<const Instruction *, 16> Accesses;
  SmallVector<const Instruction *, 4> Indices; ///< that are not constant
  SmallVector<const Instruction *, 16> Writes; ///< stores, copies and fills

  void noteCall(const CallBase &Call) {
    if (isa<IntrinsicInst>(Call) || Call.isInlineAsm() ||
        !Array.EscapesTo.empty())
      return;
    const Function *Callee = Call.getCalledFunction();
    Array.EscapesTo = Callee ? Callee->getName().str() : "an indirect call";
    Array.IntoRecursion = Callee && callsItself(*Callee);
    Array.OutOfReach = !Callee || Callee->isDeclaration();
  }

  /// Where the address is stored for a call to read, as for that of printf.
  void followStored(const Value *Address) {
    const Value *Into = getUnderlyingObject(Address);
    if (!isa<AllocaInst>(Into))
      return;
    SmallVector<const Value *, 8> Pending{Into};
    SmallPtrSet<const Value *, 8> Seen;
    while (!Pending.empty()) {
      const Value *At = Pending.pop_back_val();
      if (!Seen.insert(At).second)
        continue;
      for (const User *U : At->users())
        if (const auto *Call = dyn_cast<CallBase>(U))
          noteCall(*Call);
        else if (isa<GEPOperator, AddrSpaceCastInst, BitCastInst, PHINode,
                     SelectInst>(U))
          Pending.push_back(U);
    }
  }

  /// The index that is used most often: the one in most loops.
  void nameIndex(const LoopInfo &Loops) {
    const auto *Most =
        max_element(Indices, [&](const Instruction *A, const Instruction *B) {
          return Loops.getLoopDepth(A->getParent()) <
                 Loops.getLoopDepth(B->getParent());
        });
    if (Most != Indices.end())
      Array.DynamicIndex = placeOf(**Most);
  }

public:
  Explainer(AllocaInst &Slot, SurvivingArray &Array, const LoopInfo &Loops)
      : Array(Array) {
    SmallVector<Value *, 16> Pending{&Slot};
    SmallPtrSet<Value *, 16> Seen;
    while (!Pending.empty()) {
      Value *At = Pending.pop_back_val();
      if (!Seen.insert(At).second)
        continue;
      for (User *U : At->users()) {
        auto *Used = dyn_cast<Instruction>(U);
        if (Used && !isa<IntrinsicInst>(Used))
          Accesses.push_back(Used);
        if (Used && Used->mayWriteToMemory() && !Used->isLifetimeStartOrEnd())
          Writes.push_back(Used);
        if (auto *Index = dyn_cast<GEPOperator>(U)) {
          if (!Index->hasAllConstantIndices() && Used)
            Indices.push_back(Used);
          Pending.push_back(U);
        } else if (isa<AddrSpaceCastInst, BitCastInst, PHINode, SelectInst>(
                       U)) {
          Pending.push_back(U);
        } else if (auto *Call = dyn_cast<CallBase>(U)) {
          noteCall(*Call);
        } else if (auto *Store = dyn_cast<StoreInst>(U);
                   Store && Store->getValueOperand() == At) {
          followStored(Store->getPointerOperand());
        }
      }
    }
    nameIndex(Loops);
  }

  /// Whether each place in \p Slot gets one number, all of them in one go.
  bool isTable(const AllocaInst &Slot, const DataLayout &Layout) const {
    SmallSet<int64_t, 32> Offsets;
    const auto isInitialiser = [&](const Instruction *I) {
      if (I->getParent() != Writes.front()->getParent())
        return false;
      if (const auto *Copy = dyn_cast<MemTransferInst>(I)) {
        const auto *From = dyn_cast<GlobalVariable>(Copy->getSource());
        return Writes.size() == 1 && From && From->isConstant() &&
               From->hasPrivateLinkage() && From->hasDefinitiveInitializer() &&
               Copy->getDest() == &Slot;
      }
      const auto *Store = dyn_cast<StoreInst>(I);
      if (!Store || !isa<Constant>(Store->getValueOperand()))
        return false;
      APInt Offset(Layout.getIndexTypeSizeInBits(Slot.getType()), 0);
      const Value *Base =
          Store->getPointerOperand()->stripAndAccumulateConstantOffsets(
              Layout, Offset, /*AllowNonInbounds=*/true);
      return Base == &Slot && Offsets.insert(Offset.getSExtValue()).second;
    };
    return Array.EscapesTo.empty() && !Writes.empty() &&
           all_of(Writes, isInitialiser);
  }

  /// Whether all indices are counters of loops, see SurvivingArray.
  bool countsRounds(ScalarEvolution &Evolution) const {
    return !Indices.empty() && all_of(Indices, [&](const Instruction *I) {
      return all_of(drop_begin(I->operands()), [&](const Value *Index) {
        return isCounter(Evolution.getSCEV(const_cast<Value *>(Index)),
                         Evolution);
      });
    });
  }

  /// Whether an index changes in a loop that not all accesses are in.
  bool isIndexedInLoop(const LoopInfo &Loops) const {
    const Loop *Around = nullptr; // of all accesses
    for (const Instruction *I : Accesses) {
      const Loop *L = Loops.getLoopFor(I->getParent());
      if (I == Accesses.front())
        Around = L;
      while (Around && !Around->contains(L))
        Around = Around->getParentLoop();
    }
    return any_of(Indices, [&](const Instruction *I) {
      return Loops.getLoopFor(I->getParent()) != Around;
    });
  }
};

/// The numbers that \p T consists of.
uint64_t scalarsOf(const Type *T) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return Array->getNumElements() * scalarsOf(Array->getElementType());
  if (auto *Struct = dyn_cast<StructType>(T)) {
    uint64_t Sum = 0;
    for (const Type *Member : Struct->elements())
      Sum += scalarsOf(Member);
    return Sum;
  }
  return 1;
}

/// Those of the largest array in \p T: what lies beside it in a class has
/// registers of its own.
uint64_t elementsOf(const Type *T) {
  if (isa<ArrayType>(T))
    return scalarsOf(T);
  uint64_t Most = 0;
  if (auto *Struct = dyn_cast<StructType>(T))
    for (const Type *Member : Struct->elements())
      Most = std::max(Most, elementsOf(Member));
  return Most;
}

/// Whether nvcc has registers for an array that nothing but its indices keeps
/// in memory: it selects the element by comparisons. Found by trial with nvcc
/// 13 for sm_90, floats and integers: outside of loops up to 64 elements, in
/// loops up to 7 that are read, and 4 that are written.
bool mayBeSelected(uint64_t Elements, bool InLoop) {
  constexpr uint64_t MostOutside = 64, MostInLoop = 7;
  return Elements <= (InLoop ? MostInLoop : MostOutside);
}

bool hasPrivateArray(Function &F) {
  return any_of(instructions(F), [](Instruction &I) {
    auto *Slot = dyn_cast<AllocaInst>(&I);
    return Slot && holdsArray(Slot->getAllocatedType());
  });
}

bool hasVariable(const Function &F) {
  return any_of(instructions(F),
                [](const Instruction &I) { return isa<AllocaInst>(I); });
}

/// The loops from which \p Index has something that they carry from round to
/// round, be it inside or behind them, and be it by way of an inner loop that
/// begins or ends there. What was loaded from memory is another matter: writing
/// a loop out does not make that a constant.
void addLoopsBehind(const Value *Index, const LoopInfo &Loops,
                    SmallPtrSetImpl<const Loop *> &Into) {
  SmallVector<const Value *, 8> Pending{Index};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !Seen.insert(I).second || I->mayReadOrWriteMemory())
      continue;
    Pending.append(I->value_op_begin(), I->value_op_end());
    const Loop *L = Loops.getLoopFor(I->getParent());
    if (!L || !isa<PHINode>(I) || L->getHeader() != I->getParent() ||
        !Into.insert(L).second)
      continue;
    SmallVector<BasicBlock *, 4> Exits;
    L->getExitingBlocks(Exits);
    for (const BasicBlock *Exit : Exits)
      if (auto *Branch = dyn_cast<BranchInst>(Exit->getTerminator());
          Branch && Branch->isConditional())
        Pending.push_back(Branch->getCondition());
  }
}

/// Writes loops over private arrays out, one level at a time: where an inner
/// loop ends may be known only once the outer one is gone.
class LoopsOverArrays {
  /// LLVM's own limits, in instructions: of a loop that the user asked to be
  /// written out (PragmaUnrollThreshold), which is how nvcc treats a loop whose
  /// counter is an index into a private array, and of any other at -O3.
  static constexpr uint64_t MostForAnArray = 16384;
  static constexpr uint64_t Most = 300;

  Function &F;
  LoopAnalyses Of;
  SmallPtrSet<const Loop *, 8> Indexing; ///< their rounds are in an index
  SmallPtrSet<const Loop *, 8> Touching; ///< have accesses to private arrays

  void find() {
    for (Instruction &I : instructions(F)) {
      const Value *Address =
          isa<GetElementPtrInst>(I) ? &I : getLoadStorePointerOperand(&I);
      if (!Address)
        continue;
      SmallVector<const Value *, 4> Objects;
      getUnderlyingObjects(Address, Objects, &Of.Loops, /*MaxLookup=*/0);
      if (none_of(Objects, [](const Value *O) { return isa<AllocaInst>(O); }))
        continue;
      addLoopsBehind(Address, Of.Loops, Indexing);
      for (Loop *L = Of.Loops.getLoopFor(I.getParent()); L;
           L = L->getParentLoop())
        Touching.insert(L);
    }
  }

  bool unroll(Loop &L) {
    if (hasUnrollTransformation(&L) & TM_Disable)
      return false; // as the source says: #pragma unroll 1
    unsigned Rounds = 0;
    SmallVector<BasicBlock *, 4> Exits;
    L.getExitingBlocks(Exits);
    for (BasicBlock *Exit : Exits)
      if (unsigned Known = Of.Evolution.getSmallConstantTripCount(&L, Exit))
        Rounds = Rounds ? std::min(Rounds, Known) : Known;
    if (!Rounds)
      return false;
    if (lengthOf(L) * Rounds > (Indexing.contains(&L) ? MostForAnArray : Most))
      return false;
    return Of.writeOut(L, Rounds);
  }

  /// Innermost loops first; an outer one when nothing inside was written out.
  bool visit(Loop &L) {
    bool Changed = false;
    for (Loop *Inner : SmallVector<Loop *, 4>(L.begin(), L.end()))
      Changed |= visit(*Inner);
    if (!Changed && (Indexing.contains(&L) || Touching.contains(&L)))
      Changed = unroll(L);
    return Changed;
  }

public:
  explicit LoopsOverArrays(Function &F) : F(F), Of(F) { find(); }

  /// Whether there was one to write out.
  bool unrollOneLevel() {
    bool Changed = false;
    for (Loop *Top : SmallVector<Loop *, 8>(Of.Loops.begin(), Of.Loops.end()))
      Changed |= visit(*Top);
    return Changed;
  }
};

} // namespace

bool hasPrivateArrays(Module &M) {
  return any_of(kernelsOf(M), [](Function *F) { return hasPrivateArray(*F); });
}

std::unique_ptr<Module> unrolledClone(Module &M, TargetMachine &Machine) {
  std::set<const GlobalValue *> LeftOut; // not worth the time
  for (Function *Kernel : kernelsOf(M))
    if (!hasPrivateArray(*Kernel))
      LeftOut.insert(Kernel);
  ValueToValueMapTy Copies;
  std::unique_ptr<Module> Clone = CloneModule(
      M, Copies, [&](const GlobalValue *V) { return !LeftOut.count(V); });
  // Each round takes one level of the deepest nests.
  constexpr unsigned DeepestNest = 8;
  for (unsigned Level = 0; Level != DeepestNest; ++Level) {
    bool Changed = false;
    std::vector<Function *> InMemory;
    for (Function *Kernel : kernelsOf(*Clone)) {
      if (hasPrivateArray(*Kernel))
        Changed |= LoopsOverArrays(*Kernel).unrollOneLevel();
      if (hasVariable(*Kernel))
        InMemory.push_back(Kernel);
    }
    if (!Changed)
      break;
    foldConstants(InMemory, Machine);
  }
  return Clone;
}

std::vector<SurvivingArray> survivingArrays(Module &Unrolled) {
  std::vector<SurvivingArray> Arrays;
  const DataLayout &Layout = Unrolled.getDataLayout();
  for (Function *Kernel : kernelsOf(Unrolled)) {
    LoopAnalyses Of(*Kernel);
    for (Instruction &I : instructions(*Kernel)) {
      auto *Slot = dyn_cast<AllocaInst>(&I);
      if (!Slot || !holdsArray(Slot->getAllocatedType()))
        continue;
      SurvivingArray Array;
      Array.Kernel = Kernel->getName().str();
      Array.Variable = variableOf(*Slot);
      if (!Array.Variable || isRecordWithoutArray(Array.Variable->getType()))
        continue;
      if (std::optional<TypeSize> Size = Slot->getAllocationSize(Layout))
        Array.Bytes = Size->getFixedValue();
      const Explainer Why(*Slot, Array, Of.Loops);
      Array.MayBeSelected = Array.EscapesTo.empty() &&
                            mayBeSelected(elementsOf(Slot->getAllocatedType()),
                                          Why.isIndexedInLoop(Of.Loops));
      Array.CountsRounds = Why.countsRounds(Of.Evolution);
      Array.IsTable = Why.isTable(*Slot, Layout);
      Arrays.push_back(std::move(Array));
    }
  }
  return Arrays;
}

} // namespace warpwise::lowering

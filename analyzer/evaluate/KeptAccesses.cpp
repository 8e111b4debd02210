//===- KeptAccesses.cpp - Accesses that are left when nvcc is done --------===//

#include "analyzer/evaluate/KeptAccesses.h"

#include "analyzer/evaluate/UnrolledLoops.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/LoopUnrolling.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <map>

using namespace llvm;

namespace warpwise::access {
namespace {

/// Rounds of a loop whose number is not known: many. What is moved out of it
/// hardly counts any more.
constexpr double ManyRounds = 16;

/// A loop that would have more instructions stays a loop: about what 96 rounds
/// with a load in each are; LLVM's own limit for a loop around others that has
/// more rounds than LLVM looks at (UnrollMaxIterationsCountToAnalyze). nvcc 13
/// writes out eight rounds of nine with two loads each, and of 64 rounds of
/// four with one load four at a time. A kernel that would have many more is
/// left alone, to bound the time.
constexpr uint64_t MostOfLoop = 1200, MostOfLongOuter = 300,
                   MostInstructions = 8192;
constexpr unsigned LongOuter = 10;

/// Copies of a load keep its name: unrolling and the passes that merge append
/// to it, and drop the metadata that they do not know.
constexpr StringLiteral Mark = "warpwise.load.";

bool isOutside(const Value *Pointer) {
  const Space Memory = lowering::objectOf(Pointer).Memory;
  return Memory == Space::Global || Memory == Space::Shared;
}

bool isCounted(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() && isOutside(Load->getPointerOperand());
}

/// Stores are not told apart, as one that is moved out of a loop is a new one:
/// those of as many bytes to one argument or variable share what is left.
using StoresTo = std::pair<const Value *, uint64_t>;

std::optional<StoresTo> placeOf(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store || !Store->isSimple() || !isOutside(Store->getPointerOperand()))
    return std::nullopt;
  const Value *Object = lowering::objectOf(Store->getPointerOperand()).Object;
  if (!Object)
    return std::nullopt;
  return StoresTo(Object, I.getModule()->getDataLayout().getTypeStoreSize(
                              Store->getValueOperand()->getType()));
}

/// Numbers the loads of \p F, and returns them.
std::vector<const Instruction *> loadsOf(const Function &F) {
  std::vector<const Instruction *> Loads;
  for (const Instruction &I : instructions(F))
    if (isCounted(I))
      Loads.push_back(&I);
  return Loads;
}

void mark(Function &F) {
  unsigned Number = 0;
  for (Instruction &I : instructions(F))
    if (isCounted(I))
      I.setName(Mark + Twine(Number++) + ".");
}

/// The number that \p I was marked with, or that of the load it is a copy of.
std::optional<unsigned> numberOf(const Instruction &I) {
  StringRef Name = I.getName();
  unsigned Number = 0;
  if (!isa<LoadInst>(I) || !Name.consume_front(Mark) ||
      Name.consumeInteger(10, Number))
    return std::nullopt;
  return Number;
}

/// How often something is executed.
struct Executions {
  std::map<unsigned, double> Loads; ///< by their number
  std::map<StoresTo, double> Stores;
};

Executions executions(Function &F) {
  lowering::LoopAnalyses Of(F);
  Executions Times;
  for (const Instruction &I : instructions(F)) {
    const auto Number = numberOf(I);
    const auto Place = placeOf(I);
    if (!Number && !Place)
      continue;
    double Runs = 1;
    for (const Loop *L = Of.Loops.getLoopFor(I.getParent()); L;
         L = L->getParentLoop()) {
      const unsigned Known = Of.Evolution.getSmallConstantTripCount(L);
      Runs *= Known ? Known : ManyRounds;
    }
    (Number ? Times.Loads[*Number] : Times.Stores[*Place]) += Runs;
  }
  return Times;
}

/// Writes out the loops of \p F that nvcc writes out, the innermost first.
class WholeLoops {
  lowering::LoopAnalyses Of;
  const UnrolledLoops Unrolled;
  uint64_t Length;

public:
  explicit WholeLoops(Function &F)
      : Of(F), Unrolled(unrolledLoops(F, Of.Tree, Of.Loops)),
        Length(F.getInstructionCount()) {}

  void writeOut() {
    for (Loop *Top : SmallVector<Loop *, 8>(Of.Loops.begin(), Of.Loops.end()))
      visit(*Top);
  }

private:
  void visit(Loop &L) {
    const bool IsOuter = !L.isInnermost();
    for (Loop *Inner : SmallVector<Loop *, 4>(L.begin(), L.end()))
      visit(*Inner);
    const unsigned Rounds = Unrolled.Whole.contains(&L)
                                ? Of.Evolution.getSmallConstantTripCount(&L)
                                : 0;
    if (Rounds < 2 || !L.isInnermost())
      return;
    // #pragma unroll asks for all of them, however many.
    const bool IsForced = hasUnrollTransformation(&L) == TM_ForcedByUser;
    const uint64_t Most = IsForced                            ? MostInstructions
                          : IsOuter && Rounds > LongOuter + 1 ? MostOfLongOuter
                                                              : MostOfLoop;
    const uint64_t Body = lowering::lengthOf(L);
    if (Body * Rounds > Most || Length + Body * (Rounds - 1) > MostInstructions)
      return;
    Length += Body * (Rounds - 1);
    Of.writeOut(L, Rounds);
  }
};

/// Only what is loaded in a loop is loaded more than once. What is stored is
/// stored again in a loop, too, or by the next instruction but a few.
bool repeatsAccesses(Function &F) {
  DominatorTree Tree(F);
  const llvm::LoopInfo Loops(Tree);
  SmallPtrSet<const Value *, 16> Stored;
  return any_of(instructions(F), [&](const Instruction &I) {
    const bool IsStore = placeOf(I).has_value();
    return (IsStore && !Stored.insert(getLoadStorePointerOperand(&I)).second) ||
           (Loops.getLoopFor(I.getParent()) && (IsStore || isCounted(I)));
  });
}

/// The promise that no argument leads to where another one does; whether it is
/// news of one.
bool restrictArguments(Function &F) {
  bool Changed = false;
  for (Argument &A : F.args())
    if (A.getType()->isPointerTy() && !A.hasByValAttr() &&
        !A.hasNoAliasAttr()) {
      A.addAttr(Attribute::NoAlias);
      Changed = true;
    }
  return Changed;
}

/// Nothing changes what only restricted arguments that are never stored to lead
/// to, a barrier neither (read off a cubin of nvcc 13).
void markInvariant(Function &F) {
  const auto Stored = lowering::storedObjects(F);
  for (Instruction &I : instructions(F))
    if (isCounted(I)) {
      const auto *Of = dyn_cast_or_null<Argument>(
          lowering::objectOf(getLoadStorePointerOperand(&I)).Object);
      if (Of && Of->hasNoAliasAttr() && !Stored.contains(Of))
        I.setMetadata(LLVMContext::MD_invariant_load,
                      MDNode::get(F.getContext(), {}));
    }
}

using ExecutionsOf = std::map<std::string, Executions>; ///< by kernel

ExecutionsOf executionsIn(Module &M) {
  ExecutionsOf Times;
  for (Function *F : lowering::kernelsOf(M))
    Times[F->getName().str()] = executions(*F);
  return Times;
}

/// Merges the accesses of the kernels of \p M; the executions that are left.
ExecutionsOf leftIn(Module &M, TargetMachine &Machine) {
  for (Function *F : lowering::kernelsOf(M))
    markInvariant(*F);
  lowering::mergeAccesses(M, Machine);
  return executionsIn(M);
}

} // namespace

KeptAccesses keptAccesses(Module &M, ArrayRef<Function *> Asked,
                          TargetMachine &Machine) {
  KeptAccesses Found;
  std::vector<Function *> Kernels;
  for (Function *F : Asked)
    if (repeatsAccesses(*F))
      Kernels.push_back(F);
  if (Kernels.empty())
    return Found;

  LLVMContext &Context = M.getContext();
  const bool HadNoNames = Context.shouldDiscardValueNames();
  Context.setDiscardValueNames(false);
  ValueToValueMapTy Copies;
  const std::unique_ptr<Module> Copy = CloneModule(M, Copies, [&](auto *Value) {
    const auto *F = dyn_cast<Function>(Value);
    return !F || is_contained(Kernels, F);
  });
  // Each comparison of two places would look through them.
  if (NamedMDNode *Flags = Copy->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  for (Function *F : Kernels) {
    auto &Its = cast<Function>(*Copies[F]);
    mark(Its);
    WholeLoops(Its).writeOut();
  }
  lowering::foldWrittenOut(*Copy, Machine);
  ExecutionsOf Before = executionsIn(*Copy);
  ExecutionsOf Left = leftIn(*Copy, Machine);
  // What merges as the source is, merges under the promise, too.
  bool IsNews = false;
  for (Function *F : lowering::kernelsOf(*Copy))
    IsNews |= restrictArguments(*F);
  ExecutionsOf LeftIfRestricted = IsNews ? leftIn(*Copy, Machine) : Left;
  Context.setDiscardValueNames(HadNoNames);

  for (const Function *F : Kernels) {
    const std::string Name = F->getName().str();
    const auto note = [&](const Instruction &I, double All, double AsIs,
                          double IfRestricted) {
      const KeptAccess Kept{float(std::min(1.0, AsIs / All)),
                            float(std::min(1.0, IfRestricted / All))};
      if (All > 0 && (Kept.AsIs < 1 || Kept.IfRestricted < 1))
        Found[&I] = Kept;
    };
    const auto Loads = loadsOf(*F);
    for (unsigned N = 0; N != Loads.size(); ++N)
      note(*Loads[N], Before[Name].Loads[N], Left[Name].Loads[N],
           LeftIfRestricted[Name].Loads[N]);
    for (const Instruction &I : instructions(*F))
      if (auto Place = placeOf(I)) {
        Place->first = Copies.lookup(Place->first);
        note(I, Before[Name].Stores[*Place], Left[Name].Stores[*Place],
             LeftIfRestricted[Name].Stores[*Place]);
      }
  }
  return Found;
}

} // namespace warpwise::access

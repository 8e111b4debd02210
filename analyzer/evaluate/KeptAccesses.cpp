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
constexpr StringLiteral Mark = "warpwise.access.";

bool isOutside(const Value *Pointer) {
  const Space Memory = lowering::objectOf(Pointer).Memory;
  return Memory == Space::Global || Memory == Space::Shared;
}

bool isCounted(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() && isOutside(Load->getPointerOperand());
}

/// As many bytes of one argument or variable.
using StorePlace = std::pair<const Value *, uint64_t>;

/// Where a store that counts goes to.
std::optional<StorePlace> placeOf(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store || !Store->isSimple() || !isOutside(Store->getPointerOperand()))
    return std::nullopt;
  const Value *Object = lowering::objectOf(Store->getPointerOperand()).Object;
  // What else there is may go while accesses are merged.
  if (!Object || !isa<Argument, GlobalVariable>(Object))
    return std::nullopt;
  return StorePlace(Object, I.getModule()->getDataLayout().getTypeStoreSize(
                                Store->getValueOperand()->getType()));
}

/// The loads and stores of \p F that count, which is what their numbers are.
struct Numbered {
  std::vector<Instruction *> Loads, Stores;

  explicit Numbered(Function &F) {
    for (Instruction &I : instructions(F))
      if (isCounted(I))
        Loads.push_back(&I);
      else if (placeOf(I))
        Stores.push_back(&I);
  }
};

/// Stores have no name. What moves or merges one drops its number.
void mark(Function &F) {
  const Numbered Its(F);
  for (unsigned N = 0; N != Its.Loads.size(); ++N)
    Its.Loads[N]->setName(Mark + Twine(N) + ".");
  for (unsigned N = 0; N != Its.Stores.size(); ++N)
    Its.Stores[N]->setMetadata(
        Mark,
        MDNode::get(F.getContext(), ConstantAsMetadata::get(ConstantInt::get(
                                        Type::getInt32Ty(F.getContext()), N))));
}

/// The number that the load \p I was marked with, or that it is a copy of.
std::optional<unsigned> numberOfLoad(const Instruction &I) {
  StringRef Name = I.getName();
  unsigned Number = 0;
  if (!isa<LoadInst>(I) || !Name.consume_front(Mark) ||
      Name.consumeInteger(10, Number))
    return std::nullopt;
  return Number;
}

/// Likewise of a store.
std::optional<unsigned> numberOfStore(const Instruction &I) {
  const MDNode *Number = I.getMetadata(Mark);
  if (!Number)
    return std::nullopt;
  return unsigned(
      mdconst::extract<ConstantInt>(Number->getOperand(0))->getZExtValue());
}

/// How often something is executed.
struct Executions {
  std::map<unsigned, double> Loads, Stores; ///< by their number
  std::map<StorePlace, double> Moved;       ///< stores that have lost theirs
};

Executions executions(Function &F) {
  lowering::LoopAnalyses Of(F);
  Executions Times;
  for (const Instruction &I : instructions(F)) {
    const auto Load = numberOfLoad(I), Store = numberOfStore(I);
    const auto Moved = Store ? std::nullopt : placeOf(I);
    if (!Load && !Store && !Moved)
      continue;
    double Runs = 1;
    for (const Loop *L = Of.Loops.getLoopFor(I.getParent()); L;
         L = L->getParentLoop()) {
      const unsigned Known = Of.Evolution.getSmallConstantTripCount(L);
      Runs *= Known ? Known : ManyRounds;
    }
    (Load    ? Times.Loads[*Load]
     : Store ? Times.Stores[*Store]
             : Times.Moved[*Moved]) += Runs;
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

/// Of stores that have gone, those that were moved out of loops are left: each
/// has its part of what was moved within one place. \p Places says where the
/// stores go to, by their number.
void countMoved(ArrayRef<StorePlace> Places, Executions &Before,
                Executions &Left) {
  std::map<StorePlace, double> Gone;
  for (unsigned N = 0; N != Places.size(); ++N)
    Gone[Places[N]] += Before.Stores[N] - Left.Stores[N];
  for (unsigned N = 0; N != Places.size(); ++N)
    if (const double All = Gone[Places[N]]; All > 0)
      Left.Stores[N] += std::min(1.0, Left.Moved[Places[N]] / All) *
                        (Before.Stores[N] - Left.Stores[N]);
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
  std::map<std::string, std::vector<StorePlace>> Places; // by kernel
  for (Function *F : Kernels) {
    auto &Its = cast<Function>(*Copies[F]);
    mark(Its);
    for (const Instruction *Store : Numbered(Its).Stores)
      Places[F->getName().str()].push_back(*placeOf(*Store));
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

  for (Function *F : Kernels) {
    const std::string Name = F->getName().str();
    Executions &All = Before[Name], &AsIs = Left[Name],
               &Promised = LeftIfRestricted[Name];
    countMoved(Places[Name], All, AsIs);
    countMoved(Places[Name], All, Promised);
    const auto note = [&](const Instruction &I, double Runs, double Now,
                          double IfRestricted) {
      if (Runs <= 0 || (Now >= Runs && IfRestricted >= Runs))
        return;
      Found[&I] = KeptAccess{float(std::min(1.0, Now / Runs)),
                             float(std::min(1.0, IfRestricted / Runs))};
    };
    const Numbered Its(*F);
    for (unsigned N = 0; N != Its.Loads.size(); ++N)
      note(*Its.Loads[N], All.Loads[N], AsIs.Loads[N], Promised.Loads[N]);
    for (unsigned N = 0; N != Its.Stores.size(); ++N)
      note(*Its.Stores[N], All.Stores[N], AsIs.Stores[N], Promised.Stores[N]);
  }
  return Found;
}

} // namespace warpwise::access

//===- KernelAnalysis.cpp - From one kernel to its part of the model ------===//

#include "analyzer/pipeline/KernelAnalysis.h"

#include "analyzer/evaluate/Evaluator.h"
#include "analyzer/evaluate/Instructions.h"
#include "analyzer/lowering/KernelNames.h"
#include "analyzer/lowering/MergedStores.h"
#include "analyzer/lowering/RegisterPressure.h"
#include "analyzer/lowering/StaticShared.h"
#include "analyzer/lowering/SurvivingArrays.h"
#include "analyzer/pipeline/KernelKey.h"
#include "analyzer/pipeline/KernelResults.h"
#include "analyzer/pipeline/Packing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <cassert>

using namespace llvm;
using namespace warpwise::access;

namespace warpwise::pipeline {
namespace {

/// Registers that nvcc wants besides what is alive in the IR: parts of
/// addresses, mostly. A guess, on which only hangs whether nvcc is asked.
constexpr unsigned Scratch = 8;

class KernelAnalysis {
  const KernelQuestion &Asked;
  const DebugNames &Names;
  const KeptLoads &Kept;
  KernelAnswer Answer;
  Kernel &K = Answer.Found;

public:
  explicit KernelAnalysis(const KernelQuestion &Asked)
      : Asked(Asked), Names(Asked.Names), Kept(Asked.Kept()) {}

  KernelAnswer run() {
    Function &F = Asked.Kernel;
    K.Mangled = lowering::linkerName(F.getName());
    K.Name = demangle(K.Mangled);
    K.Template = lowering::templateName(K.Name);
    K.Where = Names.placeOf(F);
    const Program Code = compileKernel(F);
    takeBalance(Code);
    K.HasBarriers = any_of(Code.Steps, [](const Step &S) {
      return S.What == access::Code::Barrier;
    });
    std::vector<LaunchPlan> Plans = planLaunches(Code, Asked.Launches);
    giveContents(Code, Plans);
    giveArguments(Plans);
    std::vector<LaunchResult> Results;
    for (const LaunchPlan &Plan : Plans) {
      K.Launches.push_back(Plan.Shape);
      Results.push_back(
          evaluateLaunch(Code, Plan, Asked.Law, Asked.Budget / Plans.size()));
      Answer.Steps += Results.back().Steps;
      K.Works.push_back(Results.back().Besides);
      K.Works.back().SharedBytes =
          lowering::staticSharedBytes(F) + Plan.Shape.DynamicSharedBytes;
    }
    for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
      K.Accesses.push_back(accessOf(Code.Sites[N], N, Results));
      K.Accesses.back().Array = arrayOf(Code.Sites[N]);
    }
    Answer.AsksNvcc = Asked.HasNvcc && lowering::registersWanted(F) + Scratch >
                                           lowering::registersAllowed(F);
    for (uint32_t N = 0; N != Code.PrivateUses.size(); ++N)
      notePrivateUse(Code, N, Results);
    assert(isConsistent(K) && "a model that says what cannot be");
    return std::move(Answer);
  }

private:
  void takeBalance(const Program &Code) {
    const std::vector<Place> &Written = Asked.Written;
    K.Instructions = {unsigned(Written.size()), Code.MemoryInstructions,
                      Code.Modelled};
    const auto omit = [&](Place Where, std::string Reason) {
      if (none_of(K.NotModelled, [&](const Kernel::Omission &Other) {
            return Other.Where == Where && Other.Reason == Reason;
          }))
        K.NotModelled.push_back({std::move(Where), std::move(Reason)});
    };
    for (const Program::Omission &O : Code.Omissions)
      omit(Names.placeOf(O.Instruction->getDebugLoc().get()), O.What);
    if (Code.MemoryInstructions == 0 && K.NotModelled.empty())
      for (const Place &Where : Written)
        omit(Where, "an access without effect, which compilers remove");
  }

  /// Fills the memory behind pointer arguments as the user says, as long as the
  /// kernel leaves it alone: what it stores nobody knows.
  void giveContents(const Program &Code, std::vector<LaunchPlan> &Plans) {
    for (const auto &[Number, Holds] : Asked.Contents) {
      const Argument *Formal = Asked.Kernel.getArg(Number);
      if (any_of(Code.Sites, [&](const Site &S) {
            return S.Op != Operation::Load && S.Memory != Space::Shared &&
                   (!S.Object || S.Object == Formal);
          })) {
        Answer.StoredTo.insert(Number);
        continue;
      }
      for (LaunchPlan &Plan : Plans) {
        launch::Argument &A = argumentOf(Plan, Number);
        A.Holds = Holds;
        if (!A.PointerOffset)
          A.PointerOffset = 0;
      }
    }
  }

  /// The user's word goes before what the host code says.
  void giveArguments(std::vector<LaunchPlan> &Plans) {
    for (const auto &[Number, Given] : Asked.Arguments)
      for (LaunchPlan &Plan : Plans)
        argumentOf(Plan, Number) = Given;
  }

  static launch::Argument &argumentOf(LaunchPlan &Plan, unsigned Number) {
    if (Plan.Arguments.size() <= Number)
      Plan.Arguments.resize(Number + 1);
    return Plan.Arguments[Number];
  }

  /// The index of the array in the kernel, which gets it if need be.
  std::optional<unsigned> arrayOf(const Site &S) {
    if (S.Memory != Space::Shared && S.Memory != Space::Constant)
      return std::nullopt;
    const Place Declared = Names.declared(S.Object);
    std::string Name;
    Element Of;
    Names.name(S.Object, Name, Of);
    const auto Is = [&](const DeclaredArray &A) {
      return A.Where == Declared && A.Name == Name;
    };
    const auto Known = find_if(Asked.Arrays, Is);
    if (!Declared.isKnown() || Known == Asked.Arrays.end())
      return std::nullopt;
    const auto Mine = find_if(K.Arrays, Is);
    if (Mine != K.Arrays.end())
      return unsigned(Mine - K.Arrays.begin());
    K.Arrays.push_back(*Known);
    return unsigned(K.Arrays.size()) - 1;
  }

  void notePrivateUse(const Program &Code, uint32_t Number,
                      const std::vector<LaunchResult> &Results) {
    const auto &[Use, Block] = Code.PrivateUses[Number];
    const DILocalVariable *Variable = lowering::variableOf(*Use.Array);
    if (!Variable)
      return;
    Access A;
    Names.locate(Use.Instruction->getDebugLoc().get(), A);
    A.Memory = Space::Local;
    if (const int32_t Loop = Code.Blocks[Block].Loop; Loop >= 0)
      A.LoopDepth = Code.Loops[Loop].Depth;
    A.Op = Use.Op;
    A.Bytes = Use.Bytes;
    for (unsigned L = 0; L != Results.size(); ++L) {
      A.PerLaunch.push_back(Results[L].Privates[Number]);
      A.PerLaunch.back().Launch = L;
    }
    std::vector<Access> &Known = Answer.Privates[{
        Variable->getName().str(),
        Names.placeOf(Variable->getFile(), Variable->getLine())}];
    // The elements of an initialiser are one access of the source.
    const auto Same = find_if(Known, [&](const Access &Other) {
      return Other.Where == A.Where && Other.Op == A.Op &&
             Other.Bytes == A.Bytes && Other.InlinedAt.empty() &&
             A.InlinedAt.empty() &&
             Other.PerLaunch.front().Sectors == A.PerLaunch.front().Sectors;
    });
    if (Same == Known.end()) {
      Known.push_back(std::move(A));
      return;
    }
    for (size_t L = 0; L != A.PerLaunch.size(); ++L) {
      Same->PerLaunch[L].Weight += A.PerLaunch[L].Weight;
      Same->PerLaunch[L].PerWarp += A.PerLaunch[L].PerWarp;
    }
  }

  Access accessOf(const Site &S, uint32_t Number,
                  const std::vector<LaunchResult> &Results) const {
    Access A;
    const auto Locations = lowering::locationsOf(*S.Instruction);
    Names.locate(Locations.empty() ? nullptr : Locations.front(), A);
    for (const DILocation *Other : drop_begin(Locations, !Locations.empty()))
      if (Place There = Names.placeOf(Other);
          !(There == A.Where) && !is_contained(A.MergedWith, There))
        A.MergedWith.push_back(std::move(There));
    A.Memory = S.Memory;
    A.Op = S.Op;
    A.Bytes = S.Bytes;
    A.Sort = S.Sort;
    A.LoopDepth = S.LoopDepth;
    A.Waits = S.Waits;
    A.WaitsIfRestricted = S.WaitsIfRestricted;
    A.WaitsIfInRegister = S.WaitsIfInRegister;
    A.IsWrittenOut = S.UnrolledIn >= 0;
    A.WaitGroup = S.WaitGroup;
    A.RoundsAtOnce = S.RoundsAtOnce;
    A.IsJoined = S.IsJoined;
    A.BringsTile = S.BringsTile;
    A.IsFactor = S.IsFactor;
    Element OfStage;
    Names.name(S.StagedIn, A.StagedIn, OfStage);
    if (const auto Left = Kept.find(S.Instruction); Left != Kept.end()) {
      A.Kept = Left->second.AsIs;
      A.KeptIfRestricted = Left->second.IfRestricted;
    }
    A.Accumulates = S.Op == Operation::Atomic && accumulates(*S.Instruction);
    A.IsAnswerUsed = S.Op == Operation::Atomic && !S.Instruction->use_empty();
    A.RepeatsPerLane = S.IsEmulated && S.HitsOneWord;
    Names.name(S.Object, A.Object, A.Of);
    const auto *Formal = dyn_cast_or_null<llvm::Argument>(S.Object);
    A.IsRestricted = Formal && Formal->hasNoAliasAttr();
    for (unsigned L = 0; L != Results.size(); ++L) {
      const SiteResult &R = Results[L].Sites[Number];
      if (!R.Value)
        continue;
      A.PerLaunch.push_back(*R.Value);
      A.PerLaunch.back().Launch = L;
      A.Trips = R.Trips;
      A.Group = R.Group;
      A.Slides |= R.Slides;
      A.Repeats = std::max(A.Repeats, R.Repeats);
    }
    if (A.PerLaunch.empty()) {
      Cost Unreached;
      Unreached.State = Proof::Unknown;
      Unreached.Reason =
          any_of(Results, [](const LaunchResult &R) { return R.Truncated; })
              ? "the evaluation stopped at its limit of steps before it"
              : "no thread reaches it under the known launches";
      A.PerLaunch.push_back(Unreached);
    }
    return A;
  }
};

} // namespace

void setState(Kernel &K) {
  if (K.NotModelled.empty())
    return;
  K.State = Status::Recovered;
  const Kernel::Omission &First = K.NotModelled.front();
  K.Reason = "not modelled: " + First.Reason + " in line " +
             std::to_string(First.Where.Line);
  if (K.NotModelled.size() > 1)
    K.Reason += " and " + std::to_string(K.NotModelled.size() - 1) + " more";
}

/// Fills in what was written of the arrays by name; false when one is missing.
static bool findArrays(Kernel &K, const std::vector<DeclaredArray> &All) {
  return all_of(K.Arrays, [&](DeclaredArray &Named) {
    const auto Known = find_if(All, [&](const DeclaredArray &A) {
      return A.Where == Named.Where && A.Name == Named.Name;
    });
    if (Known == All.end())
      return false;
    Named = *Known;
    return true;
  });
}

KernelAnswer analyzeKernel(const KernelQuestion &Asked, KernelResults *Known) {
  std::optional<KernelKey> Key;
  if (Known)
    Key = keyOf(Asked);
  if (!Key)
    return KernelAnalysis(Asked).run();
  if (const auto Bytes = Known->find(Key->Digest)) {
    KernelAnswer Answer;
    Unpacker In(*Bytes, Key->Places.all());
    In(Answer.Found, Answer.Privates, Answer.StoredTo, Answer.AsksNvcc,
       Answer.Steps);
    if (In.isDone() && findArrays(Answer.Found, Asked.Arrays))
      return Answer;
  }
  KernelAnswer Answer = KernelAnalysis(Asked).run();
  Packer Out(Key->Places, /*AddsPlaces=*/false);
  Out(Answer.Found, Answer.Privates, Answer.StoredTo, Answer.AsksNvcc,
      Answer.Steps);
  if (!Out.LacksPlace)
    Known->add(Key->Digest, Out.Bytes);
  return Answer;
}

} // namespace warpwise::pipeline

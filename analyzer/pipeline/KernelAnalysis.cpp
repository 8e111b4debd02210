//===- KernelAnalysis.cpp - From one kernel to its part of the model ------===//

#include "analyzer/pipeline/KernelAnalysis.h"

#include "analyzer/evaluate/Evaluator.h"
#include "analyzer/evaluate/Instructions.h"
#include "analyzer/lowering/KernelNames.h"
#include "analyzer/lowering/MergedStores.h"
#include "analyzer/lowering/RegisterPressure.h"
#include "analyzer/lowering/StaticShared.h"
#include "analyzer/lowering/SurvivingArrays.h"
#include "analyzer/pipeline/DefinedElsewhere.h"
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

/// Registers that nvcc wants besides what is alive in the IR: parts of
/// addresses, mostly. A guess, on which only hangs whether nvcc is asked.
constexpr unsigned Scratch = 8;

class KernelEvaluation {
  const KernelQuestion &Asked;
  const DebugNames &Names;
  const KeptAccesses &Kept;
  const Program Code;
  std::vector<LaunchPlan> Plans;
  std::vector<LaunchResult> Results; ///< as Plans
  KernelAnswer Answer;
  Kernel &K = Answer.Found;

public:
  explicit KernelEvaluation(const KernelQuestion &Asked)
      : Asked(Asked), Names(Asked.Names), Kept(Asked.Kept()),
        Code(compileKernel(Asked.Kernel)),
        Plans(planLaunches(Code, Asked.Launches)), Results(Plans.size()) {
    giveContents();
    giveArguments();
  }

  size_t launches() const { return Plans.size(); }

  void evaluate(size_t Launch) {
    Results[Launch] = evaluateLaunch(Code, Plans[Launch], Asked.Law,
                                     Asked.Budget / Plans.size());
  }

  KernelAnswer finish() {
    Function &F = Asked.Kernel;
    K.Mangled = lowering::linkerName(F.getName());
    K.Name = demangle(K.Mangled);
    K.Template = lowering::templateName(K.Name);
    K.Where = Names.placeOf(F);
    takeBalance();
    K.CallsElsewhere = callsElsewhere(F);
    K.HasBarriers = any_of(Code.Steps, [](const Step &S) {
      return S.What == access::Code::Barrier;
    });
    for (size_t L = 0; L != Plans.size(); ++L) {
      const launch::Shape &Shape = Plans[L].Shape;
      K.Launches.push_back(Shape);
      Answer.Steps += Results[L].Steps;
      K.Works.push_back(Results[L].Besides);
      K.Works.back().SharedBytes =
          lowering::staticSharedBytes(F) + Shape.DynamicSharedBytes;
    }
    for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
      K.Accesses.push_back(accessOf(Code.Sites[N], N));
      K.Accesses.back().Array = arrayOf(Code.Sites[N]);
    }
    Answer.AsksNvcc = Asked.HasNvcc && lowering::registersWanted(F) + Scratch >
                                           lowering::registersAllowed(F);
    for (uint32_t N = 0; N != Code.PrivateUses.size(); ++N)
      notePrivateUse(N);
    assert(isConsistent(K) && "a model that says what cannot be");
    return std::move(Answer);
  }

private:
  void takeBalance() {
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

  bool mayStoreTo(const llvm::Argument &Formal) const {
    return any_of(Code.Sites, [&](const Site &S) {
      return S.Op != Operation::Load && S.Memory != Space::Shared &&
             (!S.Object || S.Object == &Formal);
    });
  }

  /// Fills the memory behind pointer arguments as the user says, as long as the
  /// kernel leaves it alone: what it stores nobody knows.
  void giveContents() {
    for (LaunchPlan &Plan : Plans)
      for (unsigned N = 0; N != Plan.Arguments.size(); ++N)
        if (Plan.Arguments[N].Holds && N < Asked.Kernel.arg_size() &&
            mayStoreTo(*Asked.Kernel.getArg(N)))
          Plan.Arguments[N].Holds.reset();
    for (const auto &[Number, Holds] : Asked.Contents) {
      const Argument *Formal = Asked.Kernel.getArg(Number);
      if (mayStoreTo(*Formal)) {
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
  void giveArguments() {
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

  void notePrivateUse(uint32_t Number) {
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

  /// The first access to what \p S goes to.
  unsigned rootOf(const Site &S) const {
    return unsigned(std::distance(Code.Sites.begin(),
                                  find_if(Code.Sites, [&](const Site &First) {
                                    return First.Object == S.Object;
                                  })));
  }

  /// The first access beside \p S that the same index leads.
  std::optional<unsigned> indexOf(const Site &S) const {
    if (!S.At.Number)
      return std::nullopt;
    return unsigned(std::distance(
        Code.Sites.begin(), find_if(Code.Sites, [&](const Site &First) {
          return First.At.Number == S.At.Number && First.Block == S.Block;
        })));
  }

  Access accessOf(const Site &S, uint32_t Number) const {
    Access A;
    const auto Locations = lowering::locationsOf(*S.Instruction);
    Names.locate(Locations.empty() ? nullptr : Locations.front(), A);
    for (const DILocation *Other : drop_begin(Locations, !Locations.empty())) {
      Access Merged;
      Names.locate(Other, Merged);
      Merged.MergedWith.insert(Merged.MergedWith.begin(), Merged.Where);
      for (Place &There : Merged.MergedWith)
        if (!(There == A.Where) && !is_contained(A.MergedWith, There))
          A.MergedWith.push_back(std::move(There));
    }
    A.Memory = S.Memory;
    A.Op = S.Op;
    A.Bytes = S.Bytes;
    A.Sort = S.Sort;
    A.LoopDepth = S.LoopDepth;
    if (const int32_t Loop = Code.Blocks[S.Block].Loop; Loop >= 0)
      A.Loop = unsigned(Loop);
    A.Waits = S.Waits;
    A.WaitsIfRestricted = S.WaitsIfRestricted;
    A.WaitsIfInRegister = S.WaitsIfInRegister;
    A.IsWrittenOut = S.UnrolledIn >= 0;
    A.WaitGroup = S.WaitGroup;
    A.RoundsAtOnce = S.RoundsAtOnce;
    A.IsJoined = S.IsJoined;
    A.BringsTile = S.BringsTile;
    A.IsFactor = S.IsFactor;
    A.IsCounted = S.IsCounted;
    A.IsTensorTile = S.IsTensorTile;
    A.RoundsAddUp = S.RoundsAddUp;
    A.BeginsAfresh = S.BeginsAfresh;
    A.IsSameInRounds = S.IsSameInRounds;
    A.WalksAcross = S.WalksAcross;
    A.IsOverGrid = S.IsOverGrid;
    A.Gathers = S.Gathers;
    Element OfStage;
    Names.name(S.StagedIn, A.StagedIn, OfStage);
    if (const auto Left = Kept.find(S.Instruction); Left != Kept.end()) {
      A.Kept = Left->second.AsIs;
      A.KeptIfRestricted = Left->second.IfRestricted;
    }
    A.Accumulates = S.Op == Operation::Atomic && accumulates(*S.Instruction);
    if (A.Op == Operation::Atomic)
      A.SettlesAfter = settlesAfter(*S.Instruction);
    A.IsAnswerUsed = S.Op == Operation::Atomic && !S.Instruction->use_empty();
    A.Swaps = S.Swaps;
    A.RepeatsPerLane = S.IsEmulated && S.HitsOneWord;
    Names.name(S.Object, A.Object, A.Of);
    if (A.Memory == Space::Shared && !Locations.empty())
      A.Of.IsLibrarys |= Names.isInCollective(Locations.front());
    if (S.Object)
      A.Root = rootOf(S);
    A.Index = indexOf(S);
    A.IndexBytes = S.At.Bytes;
    A.IndexOffset = S.At.Offset;
    A.RoundBytes = S.RoundBytes;
    const auto *Formal = dyn_cast_or_null<llvm::Argument>(S.Object);
    A.IsRestricted = Formal && Formal->hasNoAliasAttr();
    for (unsigned L = 0; L != Results.size(); ++L) {
      const SiteResult &R = Results[L].Sites[Number];
      if (!R.Value)
        continue;
      A.PerLaunch.push_back(*R.Value);
      A.PerLaunch.back().Launch = L;
      if (auto &Lanes = A.PerLaunch.back().Worst)
        for (const llvm::Value *Factor : R.StepFactors)
          if (std::string Name = Names.nameOfNumber(*Factor); !Name.empty())
            Lanes->StepFactors.push_back(std::move(Name));
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
          : any_of(Results,
                   [](const LaunchResult &R) { return R.LeftOutBlocks; })
              ? "no thread of the blocks that were followed reaches it"
              : "no thread reaches it under the known launches";
      A.PerLaunch.push_back(Unreached);
    }
    return A;
  }
};

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

KernelAnalysis::KernelAnalysis(KernelQuestion Question, KernelResults *Known)
    : Asked(std::make_unique<const KernelQuestion>(std::move(Question))),
      Known(Known) {
  if (Known)
    Key = keyOf(*Asked);
  if (Key)
    Answer = take(Key->Digest);
  if (!Answer)
    Its = std::make_unique<KernelEvaluation>(*Asked);
}

KernelAnalysis::~KernelAnalysis() = default;
KernelAnalysis::KernelAnalysis(KernelAnalysis &&) noexcept = default;

std::optional<KernelAnswer> KernelAnalysis::take(const KernelDigest &Digest) {
  const auto Bytes = Known->find(Digest);
  if (!Bytes)
    return std::nullopt;
  KernelAnswer Found;
  Unpacker In(*Bytes, Key->Places.all());
  In(Found.Found, Found.Privates, Found.StoredTo, Found.AsksNvcc, Found.Steps);
  if (!In.isDone() || !findArrays(Found.Found, Asked->Arrays))
    return std::nullopt;
  return Found;
}

size_t KernelAnalysis::launches() const { return Its ? Its->launches() : 0; }

void KernelAnalysis::evaluate(size_t Launch) { Its->evaluate(Launch); }

KernelAnswer KernelAnalysis::finish() {
  if (Answer)
    return std::move(*Answer);
  KernelAnswer New = Its->finish();
  if (Key) {
    Packer Out(Key->Places, /*AddsPlaces=*/false);
    Out(New.Found, New.Privates, New.StoredTo, New.AsksNvcc, New.Steps);
    if (!Out.LacksPlace)
      Known->add(Key->Digest, Out.Bytes);
  }
  return New;
}

} // namespace warpwise::pipeline

//===- Analyze.cpp - One translation unit, from command to model ----------===//

#include "analyzer/pipeline/Analyze.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/KeptLoads.h"
#include "analyzer/evaluate/LaunchPlans.h"
#include "analyzer/frontend/DeclaredArrays.h"
#include "analyzer/frontend/SourceIndex.h"
#include "analyzer/launch/BlockExtents.h"
#include "analyzer/launch/LaunchCollector.h"
#include "analyzer/lowering/DeviceLimits.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/KernelNames.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/MergedStores.h"
#include "analyzer/lowering/RegisterPressure.h"
#include "analyzer/lowering/StaticShared.h"
#include "analyzer/lowering/SurvivingArrays.h"
#include "analyzer/pipeline/BegunAnalysis.h"
#include "analyzer/pipeline/DebugNames.h"
#include "analyzer/pipeline/DeviceUnit.h"

#include "clang/AST/ASTConsumer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Target/TargetMachine.h"

#include <map>
#include <set>
#include <tuple>

using namespace llvm;
using namespace warpwise::access;

namespace warpwise::pipeline {
namespace {

/// Steps that the evaluation of one kernel may take, and of a whole file: what
/// keeps a file with a hundred kernels within a fraction of its parse time.
constexpr uint64_t KernelBudget = 2'000'000;
constexpr uint64_t FileBudget = 8'000'000;
constexpr uint64_t LeastBudget = 60'000;

/// Accesses of private arrays, by kernel, name and declaration. They count for
/// those that stay in memory, which another clone of the kernel tells (and has
/// debug information of its own).
using PrivateAccesses =
    std::map<std::tuple<std::string, std::string, Place>, std::vector<Access>>;

/// Registers that nvcc wants besides what is alive in the IR: parts of
/// addresses, mostly. A guess, on which only hangs whether nvcc is asked.
constexpr unsigned Scratch = 8;

class ModelBuilder {
  const DebugNames &Names;
  const AnalyzeOptions &Options;
  const std::map<std::string, unsigned> &Bounds;
  /// Where the kernels access memory before they are lowered.
  const std::map<const Function *, std::vector<Place>> &WrittenAccesses;
  const std::vector<DeclaredArray> &Arrays;
  const DenseMap<const Instruction *, KeptLoad> &Kept;
  AnalyzeResult &Into;
  uint64_t FileLeft = FileBudget;
  std::set<std::string> ContentsUsed;

public:
  PrivateAccesses Privates;

  ModelBuilder(const DebugNames &Names, const AnalyzeOptions &Options,
               const std::map<std::string, unsigned> &Bounds,
               const std::map<const Function *, std::vector<Place>> &Written,
               const std::vector<DeclaredArray> &Arrays,
               const DenseMap<const Instruction *, KeptLoad> &Kept,
               AnalyzeResult &Into)
      : Names(Names), Options(Options), Bounds(Bounds),
        WrittenAccesses(Written), Arrays(Arrays), Kept(Kept), Into(Into) {}

  void addKernel(Function &F, size_t KernelsLeft) {
    Kernel K;
    K.Mangled = lowering::linkerName(F.getName());
    K.Name = demangle(K.Mangled);
    K.Template = lowering::templateName(K.Name);
    K.Where = Names.placeOf(F);
    const Program Code = compileKernel(F);
    takeBalance(F, Code, K);
    K.HasBarriers = any_of(Code.Steps, [](const Step &S) {
      return S.What == access::Code::Barrier;
    });
    std::vector<LaunchPlan> Plans = planLaunches(Code, knowledgeOf(K));
    giveContents(F, Code, K, Plans);
    giveArguments(F, Plans);
    const uint64_t Share =
        std::clamp(FileLeft / KernelsLeft, LeastBudget, KernelBudget);
    std::vector<LaunchResult> Results;
    for (const LaunchPlan &Plan : Plans) {
      K.Launches.push_back(Plan.Shape);
      Results.push_back(
          evaluateLaunch(Code, Plan, Options.Law.Law, Share / Plans.size()));
      FileLeft -= std::min(FileLeft, Results.back().Steps);
      K.Works.push_back(Results.back().Besides);
      K.Works.back().SharedBytes =
          lowering::staticSharedBytes(F) + Plan.Shape.DynamicSharedBytes;
    }
    for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
      K.Accesses.push_back(accessOf(Code.Sites[N], N, Results));
      K.Accesses.back().Array = arrayOf(Code.Sites[N], K);
    }
    addResources(F, K);
    for (uint32_t N = 0; N != Code.PrivateUses.size(); ++N)
      notePrivateUse(Code, K.Mangled, N, Results);
    Into.Result.Kernels.push_back(std::move(K));
  }

  /// Says which names of Options.Contents no kernel has.
  void noteUnusedContents() {
    for (const auto &[Name, Holds] : Options.Contents)
      if (!ContentsUsed.count(Name))
        Into.LaunchNotes.push_back("no kernel of this file has a pointer "
                                   "argument '" +
                                   Name + "' (--buffer)");
  }

private:
  void takeBalance(const Function &F, const Program &Code, Kernel &K) {
    const std::vector<Place> &Written = WrittenAccesses.at(&F);
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
    if (K.NotModelled.empty())
      return;
    K.State = Status::Recovered;
    const Kernel::Omission &First = K.NotModelled.front();
    K.Reason = "not modelled: " + First.Reason + " in line " +
               std::to_string(First.Where.Line);
    if (K.NotModelled.size() > 1)
      K.Reason += " and " + std::to_string(K.NotModelled.size() - 1) + " more";
  }

  /// Fills the memory behind pointer arguments as the user says, as long as the
  /// kernel leaves it alone: what it stores nobody knows.
  void giveContents(const Function &F, const Program &Code, const Kernel &K,
                    std::vector<LaunchPlan> &Plans) {
    for (const llvm::Argument &Formal : F.args()) {
      std::string Name;
      Element Of;
      Names.name(&Formal, Name, Of);
      const auto Given = Options.Contents.find(Name);
      if (Given == Options.Contents.end() || !Formal.getType()->isPointerTy() ||
          Formal.hasByValAttr())
        continue;
      ContentsUsed.insert(Name);
      const bool IsWritten = any_of(Code.Sites, [&](const Site &S) {
        return S.Op != Operation::Load && S.Memory != Space::Shared &&
               (!S.Object || S.Object == &Formal);
      });
      if (IsWritten) {
        Into.LaunchNotes.push_back("kernel '" + K.Name + "' stores to '" +
                                   Name +
                                   "': what --buffer says of it is not "
                                   "what the kernel reads, and is left out");
        continue;
      }
      for (LaunchPlan &Plan : Plans) {
        if (Plan.Arguments.size() <= Formal.getArgNo())
          Plan.Arguments.resize(Formal.getArgNo() + 1);
        launch::Argument &A = Plan.Arguments[Formal.getArgNo()];
        A.Holds = Given->second;
        if (!A.PointerOffset)
          A.PointerOffset = 0;
      }
    }
  }

  /// The user's word goes before what the host code says.
  void giveArguments(const Function &F, std::vector<LaunchPlan> &Plans) {
    for (const llvm::Argument &Formal : F.args()) {
      std::string Name;
      Element Of;
      Names.name(&Formal, Name, Of);
      const auto Given = Options.Arguments.find(Name);
      const bool IsNumber = Formal.getType()->isIntegerTy() ||
                            Formal.getType()->isFloatingPointTy();
      if (Given == Options.Arguments.end() || !IsNumber)
        continue;
      Into.ArgumentsUsed.insert(Name);
      for (LaunchPlan &Plan : Plans) {
        if (Plan.Arguments.size() <= Formal.getArgNo())
          Plan.Arguments.resize(Formal.getArgNo() + 1);
        Plan.Arguments[Formal.getArgNo()] = Given->second;
      }
    }
  }

  LaunchKnowledge knowledgeOf(const Kernel &K) {
    LaunchKnowledge Known;
    for (const launch::Launch &L : concat<const launch::Launch>(
             std::as_const(Into.Launches), Options.ForeignLaunches))
      if (lowering::linkerName(L.Mangled) == K.Mangled)
        Known.Launches.push_back(&L);
    if (Known.Launches.empty())
      Into.KernelsWithoutLaunch.push_back(K.Mangled);
    for (const auto &[Glob, Shape] : Options.BlockOverrides) {
      Expected<GlobPattern> Pattern = GlobPattern::create(Glob);
      if (!Pattern) {
        consumeError(Pattern.takeError()); // checked by the command line
        continue;
      }
      if (Pattern->match(K.Template) || Pattern->match(K.Name))
        Known.Override = Shape;
    }
    for (const auto &[Name, Most] : Bounds)
      if (lowering::linkerName(Name) == K.Mangled)
        Known.MaxThreads = Most;
    return Known;
  }

  /// The index of the array in \p K, which gets it if need be; -1: none.
  int arrayOf(const Site &S, Kernel &K) const {
    if (S.Memory != Space::Shared && S.Memory != Space::Constant)
      return -1;
    const Place Declared = Names.declared(S.Object);
    std::string Name;
    Element Of;
    Names.name(S.Object, Name, Of);
    const auto Is = [&](const DeclaredArray &A) {
      return A.Where == Declared && A.Name == Name;
    };
    const auto Known = find_if(Arrays, Is);
    if (!Declared.isKnown() || Known == Arrays.end())
      return -1;
    const auto Mine = find_if(K.Arrays, Is);
    if (Mine != K.Arrays.end())
      return int(Mine - K.Arrays.begin());
    K.Arrays.push_back(*Known);
    return int(K.Arrays.size()) - 1;
  }

  /// What nvcc says of the kernel, or that it is to be asked.
  void addResources(const Function &F, Kernel &K) {
    if (!Options.FromNvcc) {
      Into.AsksNvcc |= lowering::registersWanted(F) + Scratch >
                       lowering::registersAllowed(F);
      return;
    }
    const nvcc::KernelResources *Known =
        nvcc::findKernel(Options.FromNvcc->Kernels, K.Mangled);
    if (!Known)
      return;
    K.Registers = Known->Registers;
    K.SpillStores = Known->SpillStoreBytes;
    K.SpillLoads = Known->SpillLoadBytes;
    // Private arrays are in the frame, too, but never all of what is spilled.
    K.SpillBytes = std::min(Known->StackBytes, Known->SpillStoreBytes);
  }

  void notePrivateUse(const Program &Code, const std::string &Kernel,
                      uint32_t Number,
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
    std::vector<Access> &Known =
        Privates[{Kernel, Variable->getName().str(),
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
    A.WaitGroup = S.WaitGroup;
    A.RoundsAtOnce = S.RoundsAtOnce;
    A.IsJoined = S.IsJoined;
    A.BringsTile = S.BringsTile;
    A.IsFactor = S.IsFactor;
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

/// Whether nvcc leaves \p Array in registers: its stack frame has no room for
/// it. Otherwise notes whether nvcc confirms it.
bool isInRegisters(PrivateArray &Array, const Kernel &K,
                   const nvcc::Answer *FromNvcc) {
  if (!FromNvcc)
    return false;
  const nvcc::KernelResources *Known =
      nvcc::findKernel(FromNvcc->Kernels, K.Mangled);
  if (!Known)
    return false;
  Array.Confirmed = true;
  return Known->StackBytes < std::max<uint64_t>(1, Array.Bytes);
}

/// The callee as the source has it: Clang calls vprintf for printf.
std::string calleeName(StringRef Linked) {
  if (!Linked.starts_with("_Z"))
    return Linked == "vprintf" ? "printf" : Linked.str();
  return lowering::templateName(demangle(Linked));
}

void addPrivateArrays(Module &M, TargetMachine &Machine,
                      const DebugNames &Names,
                      const frontend::SourceIndex &Source,
                      const AnalyzeOptions &Options,
                      const PrivateAccesses &Privates, AnalyzeResult &Into) {
  if (!Options.PrivateArrays || !lowering::hasPrivateArrays(M))
    return;
  const std::unique_ptr<Module> Unrolled = lowering::unrolledClone(M, Machine);
  for (const lowering::SurvivingArray &Found :
       lowering::survivingArrays(*Unrolled)) {
    PrivateArray Array;
    Array.Name = Found.Variable->getName().str();
    Array.Bytes = Found.Bytes;
    if (!Found.EscapesTo.empty())
      Array.EscapesTo = calleeName(Found.EscapesTo);
    Array.IntoRecursion = Found.IntoRecursion;
    Array.OutOfReach = Found.OutOfReach;
    Array.MayBeSelected = Found.MayBeSelected;
    Array.CountsRounds = Found.CountsRounds;
    Array.Of = Names.elementOf(Found.Variable->getType());
    const DIFile *File = Found.Variable->getFile();
    Array.Declared = Names.placeOf(File, Found.Variable->getLine());
    if (!Names.isUsers(Array.Declared.File))
      continue; // "slow path of sinf" is not the user's array
    if (Found.DynamicIndex) {
      Array.DynamicIndex = Names.placeOf(Found.DynamicIndex);
      if (auto Text = Source.Subscripts.find(*Array.DynamicIndex);
          Text != Source.Subscripts.end())
        Array.IndexText = Text->second;
    }
    for (Kernel &K : Into.Result.Kernels) {
      if (K.Mangled != lowering::linkerName(Found.Kernel))
        continue;
      Into.AsksNvcc |= !Options.FromNvcc;
      if (isInRegisters(Array, K, Options.FromNvcc.get()))
        continue;
      if (const auto Its =
              Privates.find({K.Mangled, Array.Name, Array.Declared});
          Its != Privates.end())
        for (Access Local : Its->second) {
          Local.Object = Array.Name;
          K.Accesses.push_back(std::move(Local));
        }
      K.PrivateArrays.push_back(Array);
    }
  }
}

/// Takes out the kernels that no GPU has room for, before the compiler fails on
/// them, and says so.
void skipImpossible(Module &M, const DebugNames &Names, AnalyzeResult &Into) {
  for (Function *F : lowering::kernelsOf(M)) {
    std::string Why = lowering::exceedsDevice(*F);
    if (Why.empty())
      continue;
    Kernel K;
    K.Mangled = lowering::linkerName(F->getName());
    K.Name = demangle(K.Mangled);
    K.Template = lowering::templateName(K.Name);
    K.Where = Names.placeOf(*F);
    K.State = Status::Skipped;
    K.Reason = std::move(Why);
    Into.Result.Kernels.push_back(std::move(K));
    F->deleteBody();
  }
}

/// What of a file's AST the analysis of its code needs.
class UnitAnalysis {
public:
  UnitAnalysis(const frontend::DeviceCommand &Command,
               const AnalyzeOptions &Options)
      : Options(Options) {
    Result.Result.File = Command.File;
    Result.Result.Profile = Options.ProfileName;
    Result.Result.Law = Options.Law;
  }

  void read(clang::ASTContext &Ast) {
    Result.Launches =
        launch::collectLaunches(Ast, Options.Host, Result.LaunchNotes);
    Bounds = launch::collectLaunchBounds(Ast);
    Result.UnusedTemplates = frontend::unusedKernelTemplates(Ast);
    Source = frontend::indexSource(Ast);
    launch::BlockExtents Blocks(Result.Launches, Options.ForeignLaunches,
                                Options.BlockOverrides);
    Arrays = frontend::declaredArrays(
        Ast, [&](const clang::FunctionDecl &F) { return Blocks.of(F); });
  }

  /// After read().
  AnalyzeResult evaluate(DeviceUnit &Unit);

private:
  const AnalyzeOptions &Options;
  AnalyzeResult Result;
  frontend::SourceIndex Source;
  std::vector<DeclaredArray> Arrays;
  std::map<std::string, unsigned> Bounds;
};

AnalyzeResult UnitAnalysis::evaluate(DeviceUnit &Unit) {
  frontend::ParseResult &Parsed = Unit.Parsed;
  TargetMachine &Machine = *Unit.Machine;
  Result.Files = std::move(Unit.Files);
  Result.Dropped = std::move(Parsed.Dropped);
  Result.HostErrors = std::move(Parsed.HostErrors);
  Result.MissingHeaders = std::move(Parsed.MissingHeaders);
  if (!Parsed.Module)
    return std::move(Result);

  Module &M = *Parsed.Module;
  const DebugNames Names(M, Result.Files.System, Source.Moved);
  lowering::inlineIntoKernels(M, Machine);
  skipImpossible(M, Names, Result);
  lowering::promoteScalars(M, Machine);
  const std::vector<Function *> Kernels = lowering::kernelsOf(M);
  std::map<const Function *, std::vector<Place>> Written;
  for (const Function *F : Kernels) {
    std::vector<Place> &Places = Written[F];
    for (const Instruction *I : lowering::memoryInstructions(*F))
      Places.push_back(Names.placeOf(I->getDebugLoc().get()));
  }
  lowering::canonicalise(M, Machine);
  const auto Kept = keptLoads(M, Machine);
  ModelBuilder Builder(Names, Options, Bounds, Written, Arrays, Kept, Result);
  for (size_t N = 0; N != Kernels.size(); ++N)
    Builder.addKernel(*Kernels[N], Kernels.size() - N);
  Builder.noteUnusedContents();
  if (!Result.HostErrors.empty() || !Result.Dropped.empty())
    for (Kernel &K : Result.Result.Kernels) {
      if (K.State == Status::Skipped)
        continue;
      K.State = Status::Recovered;
      K.Reason = Result.HostErrors.empty()
                     ? Result.Dropped.front().Cause.Message
                     : Result.HostErrors.front().Message;
    }
  addPrivateArrays(M, Machine, Names, Source, Options, Builder.Privates,
                   Result);
  return std::move(Result);
}

} // namespace

Expected<AnalyzeResult> analyze(const frontend::DeviceCommand &Command,
                                const AnalyzeOptions &Options,
                                frontend::Interruption *Stop) {
  if (Options.Begun && Options.Begun->canFinish(Command))
    return Options.Begun->finish(Command, Options);
  UnitAnalysis Analysis(Command, Options);
  Expected<std::unique_ptr<DeviceUnit>> Unit = openDeviceUnit(
      Command, [&](clang::ASTContext &Ast) { Analysis.read(Ast); }, Stop);
  if (!Unit)
    return Unit.takeError();
  return Analysis.evaluate(**Unit);
}

Expected<std::unique_ptr<clang::ASTConsumer>> analyzeBeside(
    clang::CompilerInstance &Compiler, const frontend::DeviceCommand &Command,
    const AnalyzeOptions &Options, std::function<void(AnalyzeResult)> Done) {
  const auto Analysis = std::make_shared<UnitAnalysis>(Command, Options);
  return openBeside(
      Compiler, Command,
      [Analysis](clang::ASTContext &Ast) { Analysis->read(Ast); },
      [Analysis, Done = std::move(Done)](DeviceUnit &Unit) {
        Done(Analysis->evaluate(Unit));
      });
}

} // namespace warpwise::pipeline

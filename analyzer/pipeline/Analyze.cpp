//===- Analyze.cpp - One translation unit, from command to model ----------===//

#include "analyzer/pipeline/Analyze.h"

#include "analyzer/frontend/DeclaredArrays.h"
#include "analyzer/frontend/DeclaredPointers.h"
#include "analyzer/frontend/SourceIndex.h"
#include "analyzer/frontend/ThreadUses.h"
#include "analyzer/launch/BlockExtents.h"
#include "analyzer/launch/LaunchBounds.h"
#include "analyzer/launch/LaunchCollector.h"
#include "analyzer/lowering/DeviceLimits.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/KernelNames.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/SurvivingArrays.h"
#include "analyzer/pipeline/BegunAnalysis.h"
#include "analyzer/pipeline/DebugNames.h"
#include "analyzer/pipeline/DefinedElsewhere.h"
#include "analyzer/pipeline/DeviceUnit.h"
#include "analyzer/pipeline/KernelAnalysis.h"

#include "clang/AST/ASTConsumer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"
#include "llvm/Target/TargetMachine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

using namespace llvm;
using namespace warpwise::access;

namespace warpwise::pipeline {
namespace {

/// Steps that the evaluation of one kernel may take, and of a whole file: what
/// keeps a file with a hundred kernels within a fraction of its parse time.
constexpr uint64_t KernelBudget = 2'000'000;
constexpr uint64_t FileBudget = 8'000'000;
constexpr uint64_t LeastBudget = 60'000;
/// Kernels whose launches are evaluated together.
constexpr size_t KernelsAtOnce = 4;

/// What a kernel may take of \p Steps: a step more or less of one kernel shall
/// not change what the others are given, so that it has few digits that count,
/// as a part of the most that one gets.
uint64_t roundBudget(uint64_t Steps) {
  constexpr uint64_t Parts = 4096;
  constexpr unsigned Digits = 3;
  const uint64_t Part = std::min(Steps, KernelBudget) * Parts / KernelBudget;
  const unsigned Width = unsigned(std::bit_width(Part));
  const unsigned Drop = Width > Digits ? Width - Digits : 0;
  return (Part >> Drop << Drop) * KernelBudget / Parts;
}

/// What nvcc leaves of the kernels' accesses, found out when somebody asks:
/// where results are known, of one kernel, then of twice as many at a time,
/// since a copy is made of the module each time.
class AccessesLeft {
public:
  AccessesLeft(Module &M, ArrayRef<Function *> Kernels, TargetMachine &Machine,
               bool All)
      : M(M), Kernels(Kernels), Machine(Machine),
        Batch(All ? Kernels.size() : 1) {}

  /// Has those of the kernel with that number. The others that were asked for
  /// stay in it.
  const KeptAccesses &of(size_t Number) {
    if (Number >= End) {
      const auto Next = Kernels.slice(Number).take_front(Batch);
      const KeptAccesses Its = keptAccesses(M, Next, Machine);
      Found.insert(Its.begin(), Its.end());
      End = Number + Next.size();
      Batch *= 2;
    }
    return Found;
  }

private:
  Module &M;
  ArrayRef<Function *> Kernels;
  TargetMachine &Machine;
  size_t Batch, End = 0; ///< of what was found
  KeptAccesses Found;
};

/// What nvcc has said of \p K, or null.
const nvcc::KernelResources *resourcesOf(const Kernel &K,
                                         const nvcc::Answer *FromNvcc) {
  return FromNvcc ? nvcc::findKernel(FromNvcc->Kernels, K.Mangled) : nullptr;
}

class ModelBuilder {
  const DebugNames &Names;
  const AnalyzeOptions &Options;
  const std::map<std::string, unsigned> &Bounds;
  /// Where the kernels access memory before they are lowered.
  const std::map<const Function *, std::vector<Place>> &WrittenAccesses;
  const std::vector<DeclaredArray> &Arrays;
  AccessesLeft &Kept;
  AnalyzeResult &Into;
  uint64_t FileLeft = FileBudget;
  std::set<std::string> ContentsUsed;

public:
  /// By kernel.
  std::map<std::string, PrivateAccesses> Privates;

  ModelBuilder(const DebugNames &Names, const AnalyzeOptions &Options,
               const std::map<std::string, unsigned> &Bounds,
               const std::map<const Function *, std::vector<Place>> &Written,
               const std::vector<DeclaredArray> &Arrays, AccessesLeft &Kept,
               AnalyzeResult &Into)
      : Names(Names), Options(Options), Bounds(Bounds),
        WrittenAccesses(Written), Arrays(Arrays), Kept(Kept), Into(Into) {}

  void addKernels(ArrayRef<Function *> Kernels) {
    for (size_t Begin = 0; Begin < Kernels.size(); Begin += KernelsAtOnce) {
      std::vector<KernelAnalysis> Analyses;
      const size_t End = std::min(Begin + KernelsAtOnce, Kernels.size());
      for (size_t N = Begin; N != End; ++N) {
        // As if those before it in this round took nothing, which is nearly so
        // as a rule: what they take is known too late. Where they do, a file
        // may take a third more than its budget.
        const uint64_t Budget = roundBudget(FileLeft / (Kernels.size() - N));
        Analyses.emplace_back(
            questionOf(*Kernels[N], N, std::max(LeastBudget, Budget)),
            Options.Known.get());
      }
      evaluate(Analyses);
      for (size_t N = Begin; N != End; ++N)
        addKernel(*Kernels[N], Analyses[N - Begin].finish());
    }
  }

  /// Says which names of Options.Contents no kernel has.
  void noteUnusedContents() {
    for (const auto &[Name, Holds] : Options.Contents)
      if (!ContentsUsed.count(Name))
        Into.LaunchNotes.push_back("no kernel of this file has a pointer "
                                   "argument '" +
                                   Name + "' (--buffer)");
  }

  /// Spilled is what the arrays leave of the frame, once these are known.
  void leaveArraysOut(Kernel &K) {
    const nvcc::KernelResources *Known = resourcesOf(K, Options.FromNvcc.get());
    uint64_t Arrays = 0;
    for (const PrivateArray &Array : K.PrivateArrays)
      Arrays += Array.Bytes;
    if (Known && Arrays < Known->StackBytes)
      K.SpillBytes = std::min(K.SpillBytes, Known->StackBytes - Arrays);
  }

private:
  KernelQuestion questionOf(Function &F, size_t Number, uint64_t Budget) {
    KernelQuestion Asked{
        F,
        Names,
        Options.Law.Law,
        knowledgeOf(F),
        {},
        {},
        WrittenAccesses.at(&F),
        Arrays,
        [this, Number]() -> const KeptAccesses & { return Kept.of(Number); }};
    Asked.HasNvcc = !Options.FromNvcc;
    Asked.Budget = Budget;
    takeUsersWord(Asked);
    return Asked;
  }

  void evaluate(std::vector<KernelAnalysis> &Analyses) const {
    std::vector<std::function<void()>> Tasks;
    for (KernelAnalysis &Each : Analyses)
      for (size_t L = 0; L != Each.launches(); ++L)
        Tasks.emplace_back([&Each, L] { Each.evaluate(L); });
    if (Options.Threads <= 1 || Tasks.size() <= 1) {
      for (const auto &Task : Tasks)
        Task();
      return;
    }
    DefaultThreadPool Pool(hardware_concurrency(
        unsigned(std::min<size_t>(Options.Threads, Tasks.size()))));
    for (auto &Task : Tasks)
      Pool.async(std::move(Task));
    Pool.wait();
  }

  void addKernel(const Function &F, KernelAnswer Answer) {
    FileLeft -= std::min(FileLeft, Answer.Steps);
    Kernel &K = Answer.Found;
    setState(K);
    for (const unsigned Number : Answer.StoredTo)
      Into.LaunchNotes.push_back("kernel '" + K.Name + "' stores to '" +
                                 nameOf(*F.getArg(Number)) +
                                 "': what --buffer says of it is not "
                                 "what the kernel reads, and is left out");
    Into.AsksNvcc |= Answer.AsksNvcc;
    addResources(K);
    Privates[K.Mangled] = std::move(Answer.Privates);
    Into.Result.Kernels.push_back(std::move(K));
  }

  std::string nameOf(const llvm::Argument &Formal) const {
    std::string Name;
    Element Of;
    Names.name(&Formal, Name, Of);
    return Name;
  }

  /// What the user says of arguments, by their names.
  void takeUsersWord(KernelQuestion &Asked) {
    for (const llvm::Argument &Formal : Asked.Kernel.args()) {
      const std::string Name = nameOf(Formal);
      const Type *Its = Formal.getType();
      if (const auto Given = Options.Contents.find(Name);
          Given != Options.Contents.end() && Its->isPointerTy() &&
          !Formal.hasByValAttr()) {
        ContentsUsed.insert(Name);
        Asked.Contents[Formal.getArgNo()] = Given->second;
      }
      if (const auto Given = Options.Arguments.find(Name);
          Given != Options.Arguments.end() &&
          (Its->isIntegerTy() || Its->isFloatingPointTy())) {
        Into.ArgumentsUsed.insert(Name);
        Asked.Arguments[Formal.getArgNo()] = Given->second;
      }
    }
  }

  LaunchKnowledge knowledgeOf(const Function &F) {
    const std::string Mangled = lowering::linkerName(F.getName());
    const std::string Full = demangle(Mangled);
    const std::string Template = lowering::templateName(Full);
    LaunchKnowledge Known;
    for (const launch::Launch &L : concat<const launch::Launch>(
             std::as_const(Into.Launches), Options.ForeignLaunches))
      if (lowering::linkerName(L.Mangled) == Mangled)
        Known.Launches.push_back(&L);
    if (Known.Launches.empty())
      Into.KernelsWithoutLaunch.push_back(Mangled);
    for (const auto &[Glob, Shape] : Options.BlockOverrides) {
      Expected<GlobPattern> Pattern = GlobPattern::create(Glob);
      if (!Pattern) {
        consumeError(Pattern.takeError()); // checked by the command line
        continue;
      }
      if (Pattern->match(Template) || Pattern->match(Full))
        Known.Override = Shape;
    }
    for (const auto &[Name, Most] : Bounds)
      if (lowering::linkerName(Name) == Mangled)
        Known.MaxThreads = Most;
    return Known;
  }

  /// What nvcc says of the kernel.
  void addResources(Kernel &K) {
    const nvcc::KernelResources *Known = resourcesOf(K, Options.FromNvcc.get());
    if (!Known)
      return;
    K.Registers = Known->Registers;
    K.SpillStores = Known->SpillStoreBytes;
    K.SpillLoads = Known->SpillLoadBytes;
    // Private arrays are in the frame, too, but never all of what is spilled.
    K.SpillBytes = std::min(Known->StackBytes, Known->SpillStoreBytes);
  }
};

/// Whether nvcc leaves \p Array in registers: its stack frame has no room for
/// it. Otherwise notes whether nvcc confirms it.
bool isInRegisters(PrivateArray &Array, const Kernel &K,
                   const nvcc::Answer *FromNvcc) {
  const nvcc::KernelResources *Known = resourcesOf(K, FromNvcc);
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
                      const std::map<std::string, PrivateAccesses> &Privates,
                      const std::vector<DeclaredArray> &Declared,
                      AnalyzeResult &Into) {
  if (!Options.PrivateArrays || !lowering::hasPrivateArrays(M))
    return;
  const std::unique_ptr<Module> Unrolled = lowering::unrolledClone(M, Machine);
  for (const lowering::SurvivingArray &Found :
       lowering::survivingArrays(*Unrolled)) {
    // Nobody knows what a function does that Clang could not read.
    if (any_of(Into.Dropped, [&](const frontend::DroppedFunction &D) {
          return !D.Mangled.empty() && D.Mangled == Found.EscapesTo;
        }))
      continue;
    PrivateArray Array;
    Array.Name = Found.Variable->getName().str();
    Array.Bytes = Found.Bytes;
    if (!Found.EscapesTo.empty())
      Array.EscapesTo = calleeName(Found.EscapesTo);
    Array.IntoRecursion = Found.IntoRecursion;
    Array.OutOfReach = Found.OutOfReach;
    Array.MayBeSelected = Found.MayBeSelected;
    Array.IsTable = Found.IsTable;
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
      if (Options.AwaitsNvcc)
        continue;
      if (isInRegisters(Array, K, Options.FromNvcc.get())) {
        if (Array.DynamicIndex)
          K.SelectedBytes += Array.Bytes;
        continue;
      }
      if (const auto Kernels = Privates.find(K.Mangled);
          Kernels != Privates.end())
        if (const auto Its = Kernels->second.find({Array.Name, Array.Declared});
            Its != Kernels->second.end())
          for (Access Local : Its->second) {
            Local.Object = Array.Name;
            K.Accesses.push_back(std::move(Local));
          }
      K.PrivateArrays.push_back(Array);
      if (!Array.IsTable)
        continue;
      const auto Its = find_if(Declared, [&](const DeclaredArray &A) {
        return A.Where == Array.Declared && A.Name == Array.Name;
      });
      if (Its != Declared.end()) {
        K.PrivateArrays.back().Array = unsigned(K.Arrays.size());
        K.Arrays.push_back(*Its);
      }
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

/// The host code does not say how large it is.
bool leavesOpen(const launch::Launch &L) { return !L.Grid || !L.Block; }

/// What of a file's AST the analysis of its code needs.
class UnitAnalysis {
public:
  UnitAnalysis(const frontend::DeviceCommand &Command,
               const AnalyzeOptions &Options)
      : Command(Command), Options(Options) {
    Result.Result.File = Command.File;
    Result.Result.Profile = Options.ProfileName;
    Result.Result.Law = Options.Law;
  }

  void read(clang::ASTContext &Ast) {
    Result.Launches =
        launch::collectLaunches({{&Ast}, Options.Host}, Result.LaunchNotes);
    if (Options.Rest && std::ranges::any_of(Result.Launches, leavesOpen))
      readProgram(Ast);
    Bounds = launch::collectLaunchBounds(Ast);
    Result.UnusedTemplates = frontend::unusedKernelTemplates(Ast);
    Source = frontend::indexSource(Ast);
    Pointers = frontend::declaredPointers(Ast);
    Threads = frontend::threadUses(Ast);
    launch::BlockExtents Blocks(Result.Launches, Options.ForeignLaunches,
                                Options.BlockOverrides);
    Arrays = frontend::declaredArrays(
        Ast, [&](const clang::FunctionDecl &F) { return Blocks.of(F); });
  }

  /// After read().
  AnalyzeResult evaluate(DeviceUnit &Unit);

private:
  /// What a function launches with is often said where main calls it.
  void readProgram(clang::ASTContext &Ast) {
    std::vector<std::string> Read, Notes;
    Options.Rest->parse(Ast, Read, [&](ArrayRef<clang::ASTContext *> Units) {
      if (Units.size() == 1)
        return;
      Result.Launches =
          launch::collectLaunches({Units.vec(), Options.Host}, Notes);
      Result.LaunchNotes = std::move(Read);
      llvm::append_range(Result.LaunchNotes, Notes);
      for (const clang::ASTContext *Unit : Units.drop_front())
        for (const auto &File : frontend::openedFiles(*Unit, Command).Users)
          Result.OtherFiles.push_back(File.getKey().str());
    });
  }

  const frontend::DeviceCommand &Command;
  const AnalyzeOptions &Options;
  AnalyzeResult Result;
  frontend::SourceIndex Source;
  std::vector<DeclaredArray> Arrays;
  std::vector<DeclaredPointer> Pointers;
  std::vector<ThreadIndices> Threads;
  std::map<std::string, unsigned> Bounds;
};

AnalyzeResult UnitAnalysis::evaluate(DeviceUnit &Unit) {
  if (Options.Rest)
    llvm::append_range(
        Result.OtherFiles,
        linkDefinitions(Unit, Command, *Options.Rest, Result.LaunchNotes));
  frontend::ParseResult &Parsed = Unit.Parsed;
  TargetMachine &Machine = *Unit.Machine;
  Result.Files = std::move(Unit.Files);
  Result.Dropped = std::move(Parsed.Dropped);
  Result.HostErrors = std::move(Parsed.HostErrors);
  Result.MissingHeaders = std::move(Parsed.MissingHeaders);
  if (!Parsed.Module)
    return std::move(Result);

  Module &M = *Parsed.Module;
  const DebugNames Names(M, Result.Files.System, Source.Moved,
                         Source.InLineTable);
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
  AccessesLeft Kept(M, Kernels, Machine, /*All=*/!Options.Known);
  ModelBuilder Builder(Names, Options, Bounds, Written, Arrays, Kept, Result);
  Builder.addKernels(Kernels);
  Builder.noteUnusedContents();
  for (Kernel &K : Result.Result.Kernels) {
    const Place Its = {K.Where.File, K.Where.Line, 0};
    copy_if(Pointers, std::back_inserter(K.Pointers),
            [&](const DeclaredPointer &P) { return P.Kernel == Its; });
    if (const auto Found = find_if(
            Threads, [&](const ThreadIndices &T) { return T.Kernel == Its; });
        Found != Threads.end())
      K.Threads = *Found;
  }
  if (!Result.HostErrors.empty() || !Result.Dropped.empty())
    for (Kernel &K : Result.Result.Kernels) {
      if (K.State == Status::Skipped)
        continue;
      K.State = Status::Recovered;
      K.Reason = Result.HostErrors.empty()
                     ? Result.Dropped.front().Cause.Message
                     : Result.HostErrors.front().Message;
    }
  addPrivateArrays(M, Machine, Names, Source, Options, Builder.Privates, Arrays,
                   Result);
  for (Kernel &K : Result.Result.Kernels)
    Builder.leaveArraysOut(K);
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

Expected<std::unique_ptr<clang::ASTConsumer>>
analyzeBeside(clang::CompilerInstance &Compiler,
              const frontend::DeviceCommand &Command,
              std::function<const AnalyzeOptions &()> Options,
              std::function<void(std::function<AnalyzeResult()>)> Parsed) {
  struct State {
    frontend::DeviceCommand Command;
    std::optional<UnitAnalysis> Analysis;
  };
  const auto Its = std::make_shared<State>(State{Command, std::nullopt});
  return openBeside(
      Compiler, Command,
      [Its, Options = std::move(Options)](clang::ASTContext &Ast) {
        Its->Analysis.emplace(Its->Command, Options());
        Its->Analysis->read(Ast);
      },
      [Its, Parsed = std::move(Parsed)](std::shared_ptr<DeviceUnit> Unit) {
        Parsed([Its, Unit = std::move(Unit)] {
          return Its->Analysis->evaluate(*Unit);
        });
      });
}

static std::string nameOf(const std::optional<launch::Dim3> &Shape) {
  return Shape ? fmt::format("{}", fmt::join(*Shape, "x")) : "?";
}

std::vector<std::string> launchesIn(clang::ASTContext &Ast) {
  std::vector<std::string> Ignored, Found;
  for (const launch::Launch &L : launch::collectLaunches({{&Ast}, {}}, Ignored))
    Found.push_back(fmt::format("{}:{} launches '{}' <<<{}, {}>>>", L.At.File,
                                L.At.Line,
                                lowering::templateName(demangle(L.Mangled)),
                                nameOf(L.Grid), nameOf(L.Block)));
  return Found;
}

} // namespace warpwise::pipeline

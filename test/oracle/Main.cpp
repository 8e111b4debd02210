//===- Main.cpp - warpwise-oracle, a check of the lane evaluator ----------===//
//
// Runs the kernels of a CUDA file on the CPU, each under the launches that the
// analysis finds, and compares what the memory accesses really cost with what
// the evaluator says about the same launch. Exits with 1 on a difference.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Comparison.h"

#include "analyzer/evaluate/LaunchPlans.h"
#include "analyzer/execution/HostKernels.h"
#include "analyzer/frontend/TranslationUnit.h"
#include "analyzer/launch/LaunchCollector.h"
#include "analyzer/lowering/DevicePipeline.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <fmt/format.h>

using namespace llvm;
using namespace warpwise;
using namespace warpwise::execution;
using namespace warpwise::oracle;

namespace {

cl::opt<std::string> File(cl::Positional, cl::Required, cl::desc("FILE"));
cl::list<std::string> ExtraArguments(cl::ConsumeAfter, cl::desc("-- FLAGS"));
cl::opt<std::string> CudaPath("cuda-path",
                              cl::desc("as warpwise takes it; none: embedded"));
cl::opt<std::string> Database("p", cl::desc("folder of the compile database"));
cl::opt<std::string> Only("kernel",
                          cl::desc("run kernels whose name has this"));
cl::opt<bool> Verbose("verbose", cl::desc("list what agrees as well"));
cl::opt<bool> Strict("strict",
                     cl::desc("fail when an access is not compared, too"));
cl::opt<unsigned> MostPlans("launches", cl::init(4),
                            cl::desc("launches of a kernel that are run"));

/// Steps that the evaluator may take for a launch: these grids are small.
constexpr uint64_t Budget = 50'000'000;
/// Blocks of a launch, few enough for the evaluator to take every one.
constexpr uint32_t MostBlocks = 4;

/// Cuts a grid down, the same for both sides.
launch::Dim3 smallGrid(const std::optional<launch::Dim3> &Grid) {
  if (!Grid)
    return {2, 2, 1};
  launch::Dim3 Small = *Grid;
  if (Small[0] * uint64_t(Small[1]) * Small[2] <= MostBlocks)
    return Small;
  const bool Flat = Small[1] == 1 && Small[2] == 1;
  Small[0] = std::min(Small[0], Flat ? MostBlocks : 2);
  Small[1] = std::min(Small[1], MostBlocks / Small[0]);
  Small[2] = std::min(Small[2], MostBlocks / Small[0] / Small[1]);
  return Small;
}

std::vector<launch::Dim3> blocksOf(const launch::Dim3 &Grid, bool AllAlike) {
  if (AllAlike)
    return {{Grid[0] / 2, Grid[1] / 2, Grid[2] / 2}};
  std::vector<launch::Dim3> Blocks;
  for (uint32_t Z = 0; Z != Grid[2]; ++Z)
    for (uint32_t Y = 0; Y != Grid[1]; ++Y)
      for (uint32_t X = 0; X != Grid[0]; ++X)
        Blocks.push_back({X, Y, Z});
  return Blocks;
}

class Session {
  HostKernels &Kernels;
  DeviceMemory Memory;
  std::unique_ptr<BlockRunner> Runner;
  std::array<unsigned, VerdictCount> Counts{};
  unsigned Abandoned = 0;

public:
  bool Failed = false;

  explicit Session(HostKernels &Kernels)
      : Kernels(Kernels),
        Runner(std::make_unique<BlockRunner>(Kernels.numbering(), Memory)) {
    Kernels.addVariables(Memory);
  }

  void check(Function &Kernel, const access::LaunchKnowledge &Known) {
    const access::Program Code = access::compileKernel(Kernel);
    unsigned Checked = 0;
    for (access::LaunchPlan &Plan : access::planLaunches(Code, Known)) {
      if (Checked++ == MostPlans)
        break;
      Plan.Shape.Grid = smallGrid(Plan.Shape.Grid);
      const access::LaunchResult Result =
          access::evaluateLaunch(Code, Plan, {}, Budget);
      std::vector<Outcome> Outcomes;
      for (Contents Initial : {Contents::Zeros, Contents::SmallNumbers})
        merge(Outcomes, run(Code, Plan, Result, Initial));
      for (const Outcome &O : Outcomes)
        tell(Code, Plan, O);
    }
  }

  void summarise(StringRef Name) {
    std::string Line = Name.str() + ":";
    for (unsigned N = 0; N != VerdictCount; ++N)
      if (Counts[N] != 0)
        Line += fmt::format(" {} {},", Counts[N], nameOf(Verdict(N)));
    if (Abandoned != 0)
      Line += fmt::format(" {} runs abandoned,", Abandoned);
    Line.back() = '\n';
    outs() << Line;
    auto counted = [&](Verdict V) { return Counts[unsigned(V)]; };
    if (counted(Verdict::Agrees) + counted(Verdict::WithinBounds) == 0) {
      errs() << Name << ": nothing was compared\n";
      Failed = true;
    }
    Failed |= counted(Verdict::Differs) != 0;
    if (Strict)
      Failed |= Abandoned + counted(Verdict::NotReached) +
                    counted(Verdict::NoCounterpart) +
                    counted(Verdict::OtherCount) +
                    counted(Verdict::Truncated) !=
                0;
  }

private:
  /// What one run did not reach another may; a difference stays one.
  static void merge(std::vector<Outcome> &Into, std::vector<Outcome> More) {
    if (Into.empty())
      Into = std::move(More);
    for (size_t N = 0; N != More.size(); ++N)
      if (More[N].Found == Verdict::Differs ||
          Into[N].Found == Verdict::NotReached ||
          Into[N].Found == Verdict::NeverReached)
        Into[N] = std::move(More[N]);
  }

  /// Empty when the run had to be abandoned.
  std::vector<Outcome> run(const access::Program &Code,
                           const access::LaunchPlan &Plan,
                           const access::LaunchResult &Result,
                           Contents Initial) {
    Memory.reset();
    Arguments Given(Code, Plan, Memory, Initial);
    const Driver Call = Kernels.driver(Code.Kernel->getName().str());
    if (!Call || !Given.complete()) {
      ++Abandoned;
      return {};
    }
    const std::vector<std::vector<View>> Views =
        viewsOf(Code, Kernels.numbering());
    std::vector<View> All;
    for (const std::vector<View> &Some : Views)
      All.insert(All.end(), Some.begin(), Some.end());
    RequestCounter Counter(Kernels.numbering(), Memory, All);
    for (const launch::Dim3 &Block :
         blocksOf(*Plan.Shape.Grid, !Code.asksForBlock()))
      if (!Runner->run(Call, Given.pointers(), Plan.Shape.Block,
                       *Plan.Shape.Grid, Block) ||
          !countBlock(Plan.Shape.Block, Counter)) {
        ++Abandoned;
        return {};
      }
    if (Counter.libraryErrors() != 0) {
      errs() << fmt::format("{}: the warp library miscounts {} requests\n",
                            demangle(Code.Kernel->getName()),
                            Counter.libraryErrors());
      Failed = true;
    }
    return compare(Code, Result, Views, Counter);
  }

  bool countBlock(const launch::Dim3 &Shape, RequestCounter &Counter) {
    const unsigned Threads = Shape[0] * Shape[1] * Shape[2];
    for (unsigned First = 0; First < Threads; First += access::WarpLanes) {
      std::vector<const LaneTrace *> Lanes;
      for (unsigned N = First;
           N != std::min(Threads, First + access::WarpLanes); ++N)
        Lanes.push_back(&Runner->trace(N));
      if (!Counter.addWarp(Lanes))
        return false;
    }
    return true;
  }

  void tell(const access::Program &Code, const access::LaunchPlan &Plan,
            const Outcome &O) {
    ++Counts[unsigned(O.Found)];
    const bool Fine =
        O.Found == Verdict::Agrees || O.Found == Verdict::FewerLanes ||
        O.Found == Verdict::WithinBounds || O.Found == Verdict::Sampled ||
        O.Found == Verdict::NeverReached || O.Found == Verdict::Estimated ||
        O.Found == Verdict::DataDependent;
    if (!Verbose && (Strict ? Fine : O.Found != Verdict::Differs))
      return;
    static const char *const Spaces[] = {"global", "shared",  "constant",
                                         "local",  "texture", "generic"};
    static const char *const Operations[] = {"load", "store", "atomic"};
    const access::Site &S = Code.Sites[O.Site];
    const auto &[X, Y, Z] = Plan.Shape.Block;
    outs() << fmt::format(
        "{}: {}: {} {} of {} bytes, {} <{}x{}x{}>: {}\n", nameOf(O.Found),
        placeOf(S.Instruction->getDebugLoc().get()), Spaces[unsigned(S.Memory)],
        Operations[unsigned(S.Op)], S.Bytes,
        StringRef(demangle(Code.Kernel->getName())).split('(').first.str(), X,
        Y, Z, O.Text);
  }
};

/// A kernel's name without the marks that Clang adds to internal ones.
StringRef plainName(StringRef Name) {
  for (StringRef Mark : {"__static__", "__intern__"})
    if (const size_t At = Name.rfind(Mark); At != StringRef::npos && At > 0)
      Name = Name.take_front(At);
  return Name;
}

Expected<frontend::DeviceCommand> findCommand() {
  frontend::CommandOptions Options;
  Options.CudaPath = CudaPath;
  Options.ExtraArguments = ExtraArguments;
  Options.PreferredArch = "sm_90";
  if (Database.empty())
    return frontend::defaultCommand(File, Options);
  Expected<std::unique_ptr<clang::tooling::CompilationDatabase>> Commands =
      frontend::loadDatabase(Database);
  if (!Commands)
    return Commands.takeError();
  SmallString<256> Path(File);
  if (std::error_code Code = sys::fs::make_absolute(Path))
    return createStringError(Code, "cannot resolve '%s'", File.c_str());
  const auto Found = (*Commands)->getCompileCommands(Path);
  if (Found.empty())
    return createStringError(inconvertibleErrorCode(),
                             "no compile command for '%s'", File.c_str());
  return frontend::translateCommand(Found.front(), Options);
}

/// False on a difference.
Expected<bool> checkFile() {
  Expected<frontend::DeviceCommand> Command = findCommand();
  if (!Command)
    return Command.takeError();
  // Both modules have to go before the context does.
  orc::ThreadSafeContext Context(std::make_unique<LLVMContext>());
  std::vector<launch::Launch> Launches;
  Expected<frontend::ParseResult> Parsed = frontend::parseForDevice(
      *Command, *Context.getContext(), [&](clang::ASTContext &Ast) {
        std::vector<std::string> Notes;
        Launches = launch::collectLaunches({{&Ast}, {}}, Notes);
      });
  if (!Parsed)
    return Parsed.takeError();
  for (const frontend::DroppedFunction &F : Parsed->Dropped)
    errs() << fmt::format("{} is left out: {}\n", F.Name, F.Cause.Message);
  if (!Parsed->Module)
    return createStringError(inconvertibleErrorCode(), "no device code");
  Expected<std::unique_ptr<TargetMachine>> Machine =
      lowering::createTargetMachine(Command->AnalysedArch);
  if (!Machine)
    return Machine.takeError();
  Module &Canonical = *Parsed->Module;
  lowering::inlineIntoKernels(Canonical, **Machine);
  std::unique_ptr<Module> Raw = CloneModule(Canonical);
  lowering::canonicalise(Canonical, **Machine);
  Expected<HostKernels> Kernels = HostKernels::compile(std::move(Raw), Context);
  if (!Kernels)
    return Kernels.takeError();
  Session S(*Kernels);
  for (Function *Kernel : lowering::kernelsOf(Canonical)) {
    if (demangle(Kernel->getName()).find(Only) == std::string::npos)
      continue;
    access::LaunchKnowledge Known;
    for (const launch::Launch &L : Launches)
      if (plainName(L.Mangled) == plainName(Kernel->getName()))
        Known.Launches.push_back(&L);
    S.check(*Kernel, Known);
  }
  S.summarise(File);
  return !S.Failed;
}

} // namespace

int main(int Count, char **Values) {
  cl::ParseCommandLineOptions(Count, Values,
                              "checks the lane evaluator on a CUDA file\n");
  Expected<bool> Same = checkFile();
  if (!Same) {
    errs() << "error: " << toString(Same.takeError()) << "\n";
    return 2;
  }
  return *Same ? 0 : 1;
}

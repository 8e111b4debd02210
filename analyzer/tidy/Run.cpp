//===- Run.cpp - What the checks of one file have in common ---------------===//

#include "analyzer/tidy/Run.h"

#include "analyzer/advice/Merge.h"
#include "analyzer/frontend/ParseBeside.h"
#include "analyzer/reuse/launches/UserInput.h"
#include "analyzer/tool/ProfileChoice.h"
#include "analyzer/tool/UnitOptions.h"
#include "rules/RunRules.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

namespace warpwise::tidy {

Run &Run::current() {
  static Run Only;
  return Only;
}

void Run::want(const std::string &Rule, const Wishes &Its) {
  Wanted[Rule] = Its;
}

/// The parts of "a, b".
static std::vector<std::string> partsOf(llvm::StringRef List) {
  llvm::SmallVector<llvm::StringRef> Texts;
  List.split(Texts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::vector<std::string> Parts;
  for (const llvm::StringRef Text : Texts)
    if (!Text.trim().empty())
      Parts.push_back(Text.trim().str());
  return Parts;
}

/// What the first check says that says something.
std::string Run::first(std::string Wishes::*Member) const {
  for (const auto &[Rule, Its] : Rules)
    if (!(Its.*Member).empty())
      return Its.*Member;
  return "";
}

static llvm::Expected<profile::Profile> load(const std::string &Gpu,
                                             const std::string &Named,
                                             const std::string &Architecture) {
  if (!Gpu.empty() && !Named.empty())
    return llvm::createStringError("Gpu and Profile exclude each other");
  auto Known = tool::namedProfile(Gpu, Named);
  if (!Known)
    return Known.takeError();
  return *Known ? std::move(**Known) : tool::defaultProfile(Architecture);
}

llvm::Error Run::prepare() {
  auto Loaded = Loading.get();
  if (!Loaded)
    return Loaded.takeError();
  Device = std::move(*Loaded);
  Options = tool::optionsFor(Device);
  Options.Threads = llvm::hardware_concurrency().compute_thread_count();
  nvcc::Answer NotAsked;
  NotAsked.Problem = "nvcc was not asked";
  Options.FromNvcc = std::make_shared<const nvcc::Answer>(std::move(NotAsked));
  for (const std::string &Text : partsOf(first(&Wishes::BlockDim))) {
    auto Block = tool::parseBlock(Text);
    if (!Block)
      return Block.takeError();
    Options.BlockOverrides.push_back(std::move(*Block));
  }
  for (const std::string &Text : partsOf(first(&Wishes::Arguments))) {
    auto Argument = reuse::parseArgument(Text);
    if (!Argument)
      return Argument.takeError();
    Options.Arguments[Argument->Name] = std::move(Argument->Value);
  }
  for (const auto &[Rule, Its] : Rules)
    if (double Factor; !Its.MinGain.empty() &&
                       llvm::StringRef(Its.MinGain).getAsDouble(Factor))
      return llvm::createStringError(
          fmt::format("'{}.MinGain: {}' is no number", Rule, Its.MinGain));
  return llvm::Error::success();
}

/// What the main thread of a program usually has: LLVM recurses.
constexpr std::optional<unsigned> StackBytes = 8u << 20;

namespace {

/// Says what a file launches, which is all that the host pass sees of kernels.
class HostPass : public clang::ASTConsumer {
  void HandleTranslationUnit(clang::ASTContext &Ast) override {
    for (const std::string &Launch : pipeline::launchesIn(Ast))
      llvm::errs() << "note: " << Launch << '\n';
  }
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
Run::listen(clang::CompilerInstance &Compiler, llvm::StringRef File) {
  Rules = std::exchange(Wanted, {});
  Findings.clear();
  Problems.clear();
  Changes.clear();
  TriedFixes = false;
  auto Nothing = std::make_unique<clang::ASTConsumer>();
  if (Rules.empty() || !Compiler.getLangOpts().CUDA)
    return Nothing;
  const auto Command = frontend::commandOf(Compiler, File);
  if (!Command) {
    if (!std::exchange(SaidHostPass, true))
      llvm::errs() << "note: cuda-memory checks look at kernels as the device "
                      "sees them: compile for it (--cuda-device-only, which "
                      "'warpwise commands' puts into a compile database)\n";
    return std::make_unique<HostPass>();
  }
  // Reading a user's own profile takes a 25th of a small file's parse, which
  // does not need it.
  Loading = std::async(std::launch::async, load, first(&Wishes::Gpu),
                       first(&Wishes::Profile), Command->RequestedArch);
  auto Consumer = pipeline::analyzeBeside(
      Compiler, *Command,
      [this]() -> const pipeline::AnalyzeOptions & {
        if (llvm::Error Problem = prepare())
          Problems.push_back(llvm::toString(std::move(Problem)));
        return Options;
      },
      [this](std::function<pipeline::AnalyzeResult()> Rest) {
        if (Problems.empty())
          Beside = llvm::thread(StackBytes, [this, Rest = std::move(Rest)] {
            Result.emplace(Rest());
            Judged = analysed(*Result);
          });
      });
  Analysed = *Command;
  if (!Consumer) {
    Problems.push_back(llvm::toString(Consumer.takeError()));
    return Nothing;
  }
  return std::move(*Consumer);
}

/// Whether clang-tidy, whose options these are, writes fixes anywhere.
static bool wantsFixes() {
  const auto &Options = llvm::cl::getRegisteredOptions();
  for (const llvm::StringRef Name : {"fix", "fix-errors", "export-fixes"})
    if (const llvm::cl::Option *Its = Options.lookup(Name))
      if (Its->getNumOccurrences() != 0)
        return true;
  return false;
}

/// What the checks that are enabled say, merged.
fix::Analysed Run::analysed(const pipeline::AnalyzeResult &Of) const {
  std::string Names = "-*";
  for (const auto &[Rule, Its] : Rules)
    Names += "," + Rule;
  rules::Judgement Said =
      rules::judgeModel(Of.Result, Device, advice::CheckGlobs(Names));
  // As `check` does (tool/Check.cpp): nobody can change these.
  std::erase_if(Said.Findings, [&](const advice::Finding &F) {
    return Of.Files.System.contains(F.Where.File);
  });
  return {std::move(Said.Findings), std::move(Said.Kernels), {}};
}

void Run::finish(clang::CompilerInstance &Compiler) {
  if (!Beside.joinable())
    return;
  Beside.join();
  judge(Compiler);
  Result.reset();
}

void Run::judge(clang::CompilerInstance &Compiler) {
  Findings = std::move(Judged.Findings);
  // clang-tidy would find the comments at the place, but not those at calls
  // that lead there.
  const advice::SourceText Read =
      [&](const std::string &Path) -> std::optional<std::string> {
    if (!Result->Files.Users.contains(Path))
      return std::nullopt;
    auto Text = Compiler.getVirtualFileSystem().getBufferForFile(Path);
    return Text ? std::optional((*Text)->getBuffer().str()) : std::nullopt;
  };
  advice::Suppressions(Read).removeFrom(Findings);
  Findings = advice::joinCauses(std::move(Findings));
  std::erase_if(Findings, [&](const advice::Finding &F) {
    if (F.Level == advice::Severity::Remark) // only on request, as for `check`
      return true;
    double Least = advice::UsualMinGain;
    const std::string &Own = Rules.at(F.Rule).MinGain;
    if (!Own.empty())
      (void)llvm::StringRef(Own).getAsDouble(Least);
    return F.Faster && F.Faster->Factor < Least;
  });
  if (wantsFixes())
    tryFixes(Read);
}

/// Each trial parses the file again, with the rewrites in it.
void Run::tryFixes(const advice::SourceText &Read) {
  const auto Trial = [&](const fix::Texts &Edited) {
    frontend::DeviceCommand Changed = Analysed;
    Changed.Edited =
        std::make_shared<const std::map<std::string, std::string>>(Edited);
    auto Now = pipeline::analyze(Changed, Options);
    if (!Now)
      return fix::Analysed{{}, {}, {llvm::toString(Now.takeError())}};
    fix::Analysed After = analysed(*Now);
    if (Now->Dropped.size() > Result->Dropped.size())
      After.Errors.push_back(Now->Dropped.front().Cause.Message);
    if (Now->HostErrors.size() > Result->HostErrors.size())
      After.Errors.push_back(Now->HostErrors.front().Message);
    return After;
  };
  fix::Analysed Before{std::move(Findings), std::move(Judged.Kernels), {}};
  auto Texts = fix::tryRewrites(Before, Read, Trial, /*MayNotGain=*/false);
  Findings = std::move(Before.Findings);
  TriedFixes = bool(Texts);
  if (!Texts)
    Problems.push_back(llvm::toString(Texts.takeError()));
}

} // namespace warpwise::tidy

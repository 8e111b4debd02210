//===- Run.cpp - What the checks of one file have in common ---------------===//

#include "analyzer/tidy/Run.h"

#include "analyzer/advice/Merge.h"
#include "analyzer/advice/Suppression.h"
#include "analyzer/frontend/ParseBeside.h"
#include "analyzer/reuse/launches/UserInput.h"
#include "analyzer/tool/ProfileChoice.h"
#include "analyzer/tool/UnitOptions.h"
#include "rules/RunRules.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

llvm::Error Run::prepare(const frontend::DeviceCommand &Command) {
  const auto First = [&](std::string Wishes::*Member) -> std::string {
    for (const auto &[Rule, Its] : Rules)
      if (!(Its.*Member).empty())
        return Its.*Member;
    return "";
  };
  const std::string Gpu = First(&Wishes::Gpu), Named = First(&Wishes::Profile);
  if (!Gpu.empty() && !Named.empty())
    return llvm::createStringError("Gpu and Profile exclude each other");
  auto Known = tool::namedProfile(Gpu, Named);
  if (!Known)
    return Known.takeError();
  Device =
      *Known ? std::move(**Known) : tool::defaultProfile(Command.RequestedArch);
  Options = tool::optionsFor(Device);
  nvcc::Answer NotAsked;
  NotAsked.Problem = "nvcc was not asked";
  Options.FromNvcc = std::make_shared<const nvcc::Answer>(std::move(NotAsked));
  for (const std::string &Text : partsOf(First(&Wishes::BlockDim))) {
    auto Block = tool::parseBlock(Text);
    if (!Block)
      return Block.takeError();
    Options.BlockOverrides.push_back(std::move(*Block));
  }
  for (const std::string &Text : partsOf(First(&Wishes::Arguments))) {
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

std::unique_ptr<clang::ASTConsumer>
Run::listen(clang::CompilerInstance &Compiler, llvm::StringRef File) {
  Rules = std::exchange(Wanted, {});
  Findings.clear();
  Problems.clear();
  auto Nothing = std::make_unique<clang::ASTConsumer>();
  if (Rules.empty() || !Compiler.getLangOpts().CUDA)
    return Nothing;
  const auto Command = frontend::commandOf(Compiler, File);
  if (!Command) {
    if (!std::exchange(SaidHostPass, true))
      llvm::errs() << "note: cuda-memory checks look at kernels as the device "
                      "sees them: compile for it (--cuda-device-only, which "
                      "'warpwise commands' puts into a compile database)\n";
    return Nothing;
  }
  const auto Fail = [&](llvm::Error Problem) {
    Problems.push_back(llvm::toString(std::move(Problem)));
    return std::move(Nothing);
  };
  if (llvm::Error Problem = prepare(*Command))
    return Fail(std::move(Problem));
  auto Consumer = pipeline::analyzeBeside(
      Compiler, *Command, Options,
      [this, &Compiler](pipeline::AnalyzeResult Result) {
        judge(std::move(Result), Compiler);
      });
  if (!Consumer)
    return Fail(Consumer.takeError());
  return std::move(*Consumer);
}

void Run::judge(pipeline::AnalyzeResult Result,
                clang::CompilerInstance &Compiler) {
  std::string Names = "-*";
  for (const auto &[Rule, Its] : Rules)
    Names += "," + Rule;
  Findings = rules::runRules(Result.Result, Device, advice::CheckGlobs(Names));
  // As `check` does (tool/Check.cpp): nobody can change these.
  std::erase_if(Findings, [&](const advice::Finding &F) {
    return Result.Files.System.contains(F.Where.File);
  });
  // clang-tidy would find the comments at the place, but not those at calls
  // that lead there.
  advice::Suppressions NoLint(
      [&](const std::string &Path) -> std::optional<std::string> {
        auto Text = Compiler.getVirtualFileSystem().getBufferForFile(Path);
        if (!Text || !Result.Files.Users.contains(Path))
          return std::nullopt;
        return (*Text)->getBuffer().str();
      });
  NoLint.removeFrom(Findings);
  Findings = advice::joinCauses(std::move(Findings));
  std::erase_if(Findings, [&](const advice::Finding &F) {
    double Least = tool::UsualMinGain;
    const std::string &Own = Rules.at(F.Rule).MinGain;
    if (!Own.empty())
      (void)llvm::StringRef(Own).getAsDouble(Least);
    return F.Faster && F.Faster->Factor < Least;
  });
}

} // namespace warpwise::tidy

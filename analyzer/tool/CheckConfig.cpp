//===- CheckConfig.cpp - What .warpwise says to check ---------------------===//

#include "analyzer/tool/CheckConfig.h"

#include "analyzer/tool/Messages.h"
#include "analyzer/tool/SourceFiles.h"
#include "rules/RunRules.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace warpwise::tool {

static std::string folderOf(const std::string &File) {
  return llvm::sys::path::parent_path(normalize(File)).str();
}

CheckConfig::CheckConfig(std::string Checks)
    : Checks(std::move(Checks)), Files(rules::ruleNames()) {}

llvm::Expected<config::Config>
CheckConfig::ofRun(const std::vector<std::string> &Paths) {
  if (Paths.empty())
    return Files.of(workingDirectory());
  return Files.of(llvm::sys::fs::is_directory(Paths.front())
                      ? normalize(Paths.front())
                      : folderOf(Paths.front()));
}

llvm::Error
CheckConfig::readFor(const std::vector<frontend::DeviceCommand> &Units) {
  for (const frontend::DeviceCommand &Unit : Units) {
    const std::string Folder = folderOf(Unit.File);
    if (Enabled.count(Folder))
      continue;
    auto Says = Files.of(Folder);
    if (!Says)
      return Says.takeError();
    // The last glob that matches decides.
    advice::ParsedChecks Parsed = advice::parseChecks(
        Says->Checks.value_or("") + "," + Checks, rules::ruleNames());
    if (!Parsed)
      return llvm::createStringError(Parsed.Error);
    Enabled[Folder] = std::move(*Parsed.Value);
  }
  return llvm::Error::success();
}

const advice::CheckGlobs &CheckConfig::checksOf(const std::string &File) const {
  return Enabled.at(folderOf(File));
}

std::optional<double> CheckConfig::minGainOf(const advice::Finding &F) {
  auto Says = Files.of(folderOf(F.Where.File));
  if (Says)
    return Says->minGain(F.Rule);
  // A header's folder; what speaks for the units has been read without error.
  printError(Says.takeError());
  return std::nullopt;
}

} // namespace warpwise::tool

//===- CheckConfig.h - What .warpwise says to check -------------*- C++ -*-===//
//
// The options of a run that files beside the code may give, where the command
// line does not.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_CHECKCONFIG_H
#define WARPWISE_ANALYZER_TOOL_CHECKCONFIG_H

#include "analyzer/advice/CheckGlobs.h"
#include "analyzer/advice/Finding.h"
#include "analyzer/config/Config.h"
#include "analyzer/tool/Inputs.h"

#include <map>
#include <string>
#include <vector>

namespace warpwise::tool {

class CheckConfig {
public:
  /// \p Checks: the value of --checks, which goes before the files.
  explicit CheckConfig(std::string Checks);

  /// What counts for the whole run: that of the first of \p Paths, or of the
  /// working folder. The error is one sentence.
  llvm::Expected<config::Config> ofRun(const std::vector<std::string> &Paths);

  /// Reads the files of all of \p Units. The error is one sentence.
  llvm::Error readFor(const std::vector<frontend::DeviceCommand> &Units);

  /// The rules for a unit's main file, which readFor() has seen.
  const advice::CheckGlobs &checksOf(const std::string &File) const;

  /// The factor that \p F has to gain; nothing where no file says.
  std::optional<double> minGainOf(const advice::Finding &F);

  const std::vector<std::string> &read() const { return Files.read(); }

private:
  std::string Checks;
  config::Files Files;
  std::map<std::string, advice::CheckGlobs> Enabled; ///< by folder
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_CHECKCONFIG_H

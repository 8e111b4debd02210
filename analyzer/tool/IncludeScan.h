//===- IncludeScan.h - Who includes a file ----------------------*- C++ -*-===//
//
// A header has no compile command of its own; a file that includes it has. The
// #include lines of the project's files are followed as text, without a
// preprocessor: conditions may make an include vanish, so the answer is a
// candidate that the analysis has to confirm.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_INCLUDESCAN_H
#define WARPWISE_ANALYZER_TOOL_INCLUDESCAN_H

#include "analyzer/frontend/CompileCommands.h"

#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace warpwise::tool {

class IncludeScan {
public:
  /// The user's files that \p Unit includes, directly or through others;
  /// normalized, without the unit itself.
  const std::vector<std::string> &
  includedBy(const frontend::DeviceCommand &Unit);

  bool includes(const frontend::DeviceCommand &Unit, llvm::StringRef File);

private:
  struct Include {
    std::string Name;
    bool Quoted;
  };
  const std::vector<Include> &includesIn(const std::string &File,
                                         const frontend::EditedTexts &Edited);
  std::string resolve(const Include &I, llvm::StringRef Folder,
                      const std::vector<std::string> &Search);
  bool isFile(const std::string &Path);

  /// By normalized path, and what the disk says by path.
  llvm::StringMap<std::vector<Include>> Texts;
  llvm::StringMap<bool> Exists;
  llvm::StringMap<std::vector<std::string>> Units;
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_INCLUDESCAN_H

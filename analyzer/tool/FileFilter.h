//===- FileFilter.h - Which files the user wants to hear of -----*- C++ -*-===//
//
// --exclude and --header-filter of `warpwise check`.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_FILEFILTER_H
#define WARPWISE_ANALYZER_TOOL_FILEFILTER_H

#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Regex.h"

#include <memory>
#include <string>
#include <vector>

namespace warpwise::tool {

class FileFilter {
public:
  /// \p HeaderFilter is a regular expression, empty: every header; \p Excluded
  /// are globs. The error names the one that is wrong.
  static llvm::Expected<FileFilter> create(const std::string &HeaderFilter,
                                           std::vector<std::string> Excluded);

  /// Whether a glob matches the path, absolute or from the working directory.
  bool isExcluded(const std::string &File) const;
  /// Whether findings in \p File, which is a header, are wanted.
  bool wantsHeader(const std::string &File) const;

private:
  /// The patterns refer to these.
  std::vector<std::string> Texts;
  std::vector<llvm::GlobPattern> Excluded;
  std::unique_ptr<llvm::Regex> Headers; ///< null: all
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_FILEFILTER_H

//===- FileFilter.cpp -----------------------------------------------------===//

#include "analyzer/tool/FileFilter.h"

#include "analyzer/tool/Messages.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace warpwise::tool {

llvm::Expected<FileFilter>
FileFilter::create(const std::string &HeaderFilter,
                   std::vector<std::string> Excluded) {
  FileFilter Result;
  Result.Texts = std::move(Excluded);
  for (const std::string &Text : Result.Texts) {
    llvm::Expected<llvm::GlobPattern> Glob = llvm::GlobPattern::create(Text);
    if (!Glob)
      return llvm::createStringError(
          fmt::format("'--exclude={}' is not a glob: {}", Text,
                      llvm::toString(Glob.takeError())));
    Result.Excluded.push_back(std::move(*Glob));
  }
  if (!HeaderFilter.empty()) {
    Result.Headers = std::make_unique<llvm::Regex>(HeaderFilter);
    std::string Why;
    if (!Result.Headers->isValid(Why))
      return llvm::createStringError(
          fmt::format("'--header-filter={}' is not a regular expression: {}",
                      HeaderFilter, Why));
  }
  return std::move(Result);
}

bool FileFilter::isExcluded(const std::string &File) const {
  const std::string Relative = displayPath(File);
  return llvm::any_of(Excluded, [&](const llvm::GlobPattern &Glob) {
    return Glob.match(File) || Glob.match(Relative);
  });
}

bool FileFilter::wantsHeader(const std::string &File) const {
  return !Headers || Headers->match(File);
}

} // namespace warpwise::tool

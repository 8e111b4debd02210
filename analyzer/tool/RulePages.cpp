//===- RulePages.cpp - Where the pages of the rules lie -------------------===//

#include "analyzer/tool/RulePages.h"

#include "analyzer/lsp/Uri.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace warpwise::tool {

std::string rulePageFile(const std::string &Rule) {
  namespace path = llvm::sys::path;
  llvm::SmallString<256> Installed(llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&rulePageFile)));
  path::remove_filename(Installed);
  path::append(Installed, "..", "share/doc/warpwise/rules");
  for (const llvm::StringRef Folder :
       {Installed.str(), llvm::StringRef(WARPWISE_RULE_PAGES)}) {
    llvm::SmallString<256> Page(Folder);
    path::append(Page, Rule, "README.md");
    path::remove_dots(Page, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::exists(Page))
      return Page.str().str();
  }
  return {};
}

std::string rulePageUri(const rules::Entry &Rule) {
  const std::string File = rulePageFile(std::string(Rule.Name));
  if (!llvm::StringRef(Rule.Uri).starts_with("file:") || File.empty())
    return std::string(Rule.Uri);
  return lsp::fileUri(File);
}

} // namespace warpwise::tool

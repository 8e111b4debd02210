//===- Actions.cpp - Rewrites as an editor offers them --------------------===//

#include "analyzer/lsp/Actions.h"

#include "analyzer/lsp/Sources.h"

#include <map>
#include <set>

namespace warpwise::lsp {

namespace json = llvm::json;

/// A WorkspaceEdit that makes the changes.
static json::Value editOf(const std::set<advice::Replacement> &Changes,
                          Sources &From) {
  std::map<std::string, json::Array> ByUri;
  for (const advice::Replacement &C : Changes)
    if (const Lines *Its = From.linesOf(C.Old.File))
      ByUri[From.uriOf(C.Old.File)].push_back(json::Object{
          {"range",
           toJSON(Its->rangeOf(C.Old.Offset, C.Old.Offset + C.Old.Length))},
          {"newText", json::fixUTF8(C.Text)}});
  json::Object Files;
  for (auto &[Uri, Edits] : ByUri)
    Files[Uri] = std::move(Edits);
  return json::Object{{"changes", std::move(Files)}};
}

json::Array codeActions(llvm::ArrayRef<Shown> Findings, const std::string &Uri,
                        const std::string &File,
                        const advice::SourceText &Read) {
  Sources From(Uri, File, Read);
  json::Array All;
  std::set<advice::Replacement> Together;
  for (const auto &[F, Diagnostic] : Findings) {
    if (!F->Fix || !F->Fix->isOffered())
      continue;
    const std::set<advice::Replacement> Changes(F->Fix->Changes.begin(),
                                                F->Fix->Changes.end());
    Together.insert(Changes.begin(), Changes.end());
    std::string Title = F->Fix->Title;
    if (!F->Fix->Verified.empty())
      Title += " (" + F->Fix->Verified + ")";
    const json::Value *Range = Diagnostic.getAsObject()->get("range");
    All.push_back(json::Object{{"title", json::fixUTF8(Title)},
                               {"kind", "quickfix"},
                               {"isPreferred", true},
                               {"diagnostics", json::Array{Diagnostic}},
                               {"range", *Range},
                               {"edit", editOf(Changes, From)}});
  }
  if (!All.empty())
    All.push_back(
        json::Object{{"title", "make all changes that Warpwise has verified"},
                     {"kind", "source.fixAll.warpwise"},
                     {"edit", editOf(Together, From)}});
  return All;
}

} // namespace warpwise::lsp

//===- EditorSettings.cpp - What an editor's user sets --------------------===//

#include "analyzer/tool/EditorSettings.h"

#include <fmt/format.h>

namespace json = llvm::json;

namespace warpwise::tool {

static llvm::Error wrong(llvm::StringRef Name, llvm::StringRef Expected) {
  return llvm::createStringError(fmt::format(
      "the setting 'warpwise.{}': expected {}", Name.str(), Expected.str()));
}

static llvm::Error readText(const json::Object &From, llvm::StringRef Name,
                            std::string &Into) {
  const json::Value *Given = From.get(Name);
  if (!Given || Given->getAsNull())
    return llvm::Error::success();
  const auto Text = Given->getAsString();
  if (!Text)
    return wrong(Name, "a text");
  if (!Text->empty())
    Into = Text->str();
  return llvm::Error::success();
}

static llvm::Error readTexts(const json::Object &From, llvm::StringRef Name,
                             std::vector<std::string> &Into) {
  const json::Value *Given = From.get(Name);
  if (!Given || Given->getAsNull())
    return llvm::Error::success();
  const json::Array *All = Given->getAsArray();
  if (!All)
    return wrong(Name, "a list of texts");
  for (const json::Value &One : *All) {
    if (!One.getAsString())
      return wrong(Name, "a list of texts");
    Into.push_back(One.getAsString()->str());
  }
  return llvm::Error::success();
}

llvm::Error applySettings(const json::Value &Settings, CheckOptions &Into) {
  const json::Object *From = Settings.getAsObject();
  if (!From)
    return llvm::Error::success();
  AnalysisOptions &Analysis = Into.Analysis;
  std::string Gpu, Profile;
  std::vector<std::string> Blocks;
  for (const auto &[Name, Text] :
       {std::pair<const char *, std::string *>{"gpu", &Gpu},
        {"profile", &Profile},
        {"checks", &Into.Checks},
        {"headerFilter", &Into.HeaderFilter},
        {"compileCommands", &Analysis.Database},
        {"cudaPath", &Analysis.CudaPath}})
    if (llvm::Error Problem = readText(*From, Name, *Text))
      return Problem;
  if (!Gpu.empty() || !Profile.empty()) {
    Analysis.Gpu = Gpu;
    Analysis.ProfileFile = Profile;
  }
  if (!Gpu.empty() && !Profile.empty())
    return wrong("gpu", "no value where 'warpwise.profile' has one");
  if (llvm::Error Problem = readTexts(*From, "arguments", Into.Arguments))
    return Problem;
  if (llvm::Error Problem = readTexts(*From, "blocks", Blocks))
    return Problem;
  for (const std::string &Text : Blocks) {
    auto Block = parseBlock(Text);
    if (!Block)
      return llvm::joinErrors(wrong("blocks", "KERNEL=32x8"),
                              Block.takeError());
    Analysis.Blocks.push_back(std::move(*Block));
  }
  // The server itself shows them, or not.
  if (const json::Value *Given = From->get("inlayHints");
      Given && !Given->getAsNull() && !Given->getAsBoolean())
    return wrong("inlayHints", "true or false");
  if (const json::Value *Given = From->get("minGain");
      Given && !Given->getAsNull()) {
    if (!Given->getAsNumber())
      return wrong("minGain", "a number");
    Into.MinGain = *Given->getAsNumber();
  }
  return llvm::Error::success();
}

} // namespace warpwise::tool

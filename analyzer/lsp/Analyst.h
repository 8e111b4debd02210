//===- Analyst.h - Who knows what to say of a document ----------*- C++ -*-===//
//
// What the server asks and is told, as values that travel between processes.
// The server itself reads no code: a confined process a document does, and
// what it says is ready to be handed to the editor.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LSP_ANALYST_H
#define WARPWISE_ANALYZER_LSP_ANALYST_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::lsp {

struct Question {
  std::string Uri;  ///< as the editor spells it
  std::string File; ///< the path that it means
  int64_t Version = 0;
  /// What the editor has in place of files, by path.
  std::map<std::string, std::string> Texts;
  /// The user's settings, as the editor hands them on.
  llvm::json::Value Settings = nullptr;
};

/// What an editor shows over some words of the document.
struct Remark {
  llvm::json::Value Range = nullptr; ///< as the protocol has it
  std::string Markdown;
  std::string Label; ///< for the end of its line, or empty
};

/// Parts of an answer, as they become known. Each is whole.
struct Answer {
  int64_t Version = 0; ///< of the question
  /// All diagnostics of the document, as the protocol has them.
  std::optional<llvm::json::Array> Diagnostics;
  std::optional<std::vector<Remark>> Remarks;
  /// CodeActions of the protocol; those that change a place have a "range"
  /// besides.
  std::optional<llvm::json::Array> Actions;
  /// Files that the answer rests on, besides the document.
  std::optional<std::vector<std::string>> Files;
  /// One sentence on the profile that it is judged by, or empty.
  std::string Profile;
  /// One sentence for the user, or empty: why there is no more to say.
  std::string Problem;
  /// More could be said if other files were open.
  bool MissesFiles = false;
  /// Nothing follows.
  bool IsLast = false;
};

using Tell = llvm::function_ref<void(const Answer &)>;

/// Lives in the document's process.
class Analyst {
public:
  virtual ~Analyst() = default;
  /// Called before each question, in the process that stays: what is prepared
  /// here is there for the questions that follow. False when what was prepared
  /// for earlier ones does not hold any more; then another process is asked.
  virtual bool prepare(const Question &) { return true; }
  /// Called in a process of its own, which ends with the answer.
  virtual void answer(const Question &Asked, Tell Say) = 0;
};

using MakeAnalyst = std::function<std::unique_ptr<Analyst>()>;

llvm::json::Value toJSON(const Question &Q);
bool fromJSON(const llvm::json::Value &From, Question &Q,
              llvm::json::Path Path);
llvm::json::Value toJSON(const Answer &A);
bool fromJSON(const llvm::json::Value &From, Answer &A, llvm::json::Path Path);

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_ANALYST_H

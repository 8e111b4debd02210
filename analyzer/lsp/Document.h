//===- Document.h - What the server knows of an open document ---*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LSP_DOCUMENT_H
#define WARPWISE_ANALYZER_LSP_DOCUMENT_H

#include "analyzer/confinement/Process.h"
#include "analyzer/lsp/Analyst.h"
#include "analyzer/lsp/Channel.h"

#include "mlir/Tools/lsp-server-support/Protocol.h"

#include <chrono>
#include <optional>
#include <set>
#include <string>

namespace warpwise::lsp {

using Clock = std::chrono::steady_clock;

class Document {
public:
  Document(mlir::lsp::URIForFile Uri, std::string Text, int64_t Version)
      : Uri(std::move(Uri)), Text(std::move(Text)), Version(Version) {}

  mlir::lsp::URIForFile Uri;
  std::string Text;
  int64_t Version;
  /// When its text was changed last.
  Clock::time_point Changed;
  /// When it is to be looked at; unset: what is known is of this version.
  std::optional<Clock::time_point> Due;
  /// What is known of this version: nothing that can be asked for, remarks,
  /// all.
  enum class Known { Nothing, Shown, All } Has = Known::Nothing;
  std::vector<Remark> Remarks;
  llvm::json::Array Actions;
  /// Files that the last answer rests on.
  std::set<std::string> Files;
  /// More could be said if other files were open.
  bool MissesFiles = false;
  /// Of the progress that is shown; 0: none is.
  int64_t ProgressToken = 0;

  /// What is known is of another version or of other files.
  void outdate(Clock::time_point LookAgain);

  /// Whether its process is at work.
  bool isAsked() const { return Since.has_value(); }
  std::optional<Clock::time_point> askedSince() const { return Since; }
  /// Asks \p Make's analyst in the document's process, which is started if
  /// there is none. False when there can be none; then why() says why.
  bool ask(const Question &Asked, const MakeAnalyst &Make,
           uint64_t MemoryLimit);
  /// The other end of its process; -1: there is none.
  int socket() const { return Process.isRunning() ? Talk.socket() : -1; }
  short events() const { return Talk.events(); }
  /// The answers that have arrived. Where the process has ended over it, the
  /// last one says so.
  std::vector<Answer> answers();
  /// Ends its process, with all that it knows.
  void forget();
  /// Why there is no answer.
  const std::string &why() const { return Problem; }

private:
  Answer failed(std::string Why);

  confinement::Process Process;
  Channel Talk;
  std::optional<Clock::time_point> Since;
  int64_t AskedVersion = 0;
  std::string Problem;
};

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_DOCUMENT_H

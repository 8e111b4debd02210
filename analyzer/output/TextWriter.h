//===- TextWriter.h - Findings as compiler warnings -------------*- C++ -*-===//
//
// The form that every editor and every CI system already reads: clang's, with
// the rule in brackets as clang-tidy puts it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_OUTPUT_TEXTWRITER_H
#define WARPWISE_ANALYZER_OUTPUT_TEXTWRITER_H

#include "analyzer/advice/Finding.h"
#include "analyzer/advice/Suppression.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace warpwise::output {

struct TextOptions {
  /// Escape sequences for colours and bold.
  bool Color = false;
  /// Absolute paths below it are printed relative to it. Empty: as they are.
  std::string WorkingDirectory;
  /// Gives the source lines to show; unset: none are shown.
  advice::SourceText Source;
};

class TextWriter {
public:
  TextWriter(llvm::raw_ostream &Out, TextOptions Options)
      : Out(Out), Options(std::move(Options)) {}

  void write(const advice::Finding &F);

private:
  void writeLine(const access::Place &Where, llvm::StringRef Severity,
                 const std::string &Message, llvm::StringRef Rule);
  void writeSnippet(const access::Place &Where);
  const std::vector<std::string> &linesOf(const std::string &File);

  llvm::raw_ostream &Out;
  TextOptions Options;
  std::map<std::string, std::vector<std::string>> Files;
};

/// \p Path relative to \p Folder when that is shorter, else as it is.
std::string shortenPath(const std::string &Path, const std::string &Folder);

/// What one run did, for its last line.
struct RunSummary {
  size_t Findings = 0, Suppressed = 0;
  size_t Kernels = 0, SkippedKernels = 0;
  size_t Accesses = 0, Judged = 0; ///< those whose cost is known
};

/// "5 warnings in 12 kernels, 80 of 84 accesses judged (2 suppressed by NOLINT,
/// 1 kernel not analysed)"
std::string summaryLine(const RunSummary &S);

} // namespace warpwise::output

#endif // WARPWISE_ANALYZER_OUTPUT_TEXTWRITER_H

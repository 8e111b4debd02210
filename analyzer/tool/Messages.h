//===- Messages.h - What the command says about itself ----------*- C++ -*-===//
//
// Errors, notes and progress on stderr; stdout belongs to the results.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_MESSAGES_H
#define WARPWISE_ANALYZER_TOOL_MESSAGES_H

#include "analyzer/model/AccessModel.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <string>

namespace warpwise::tool {

/// --color: nothing follows the terminal and the variable NO_COLOR.
enum class ColorChoice { Auto, Always, Never };
void setColors(ColorChoice Choice);
/// Whether results on stdout are to be coloured.
bool colorsOnOutput();

/// Places below it are printed relative to it; empty when it is gone.
std::string workingDirectory();

/// \p File for a message: relative to the working directory if it is below.
std::string displayPath(const std::string &File);

/// "error: SENTENCE"
void printError(llvm::StringRef Sentence);
void printError(llvm::Error Problem);
/// "FILE:LINE:COLUMN: error: SENTENCE"
void printErrorAt(const access::Place &Where, llvm::StringRef Sentence);
/// "note: SENTENCE"
void printNote(llvm::StringRef Sentence);
void printNoteAt(const access::Place &Where, llvm::StringRef Sentence);

/// A line of a table, as it is.
void printLine(llvm::StringRef Line);

/// "[3/50] a.cu, about 40 s left" on one line that overwrites itself; only on a
/// terminal.
class Progress {
public:
  Progress(size_t Total, bool Quiet);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void step(llvm::StringRef Name);

  /// Where it is shown from now on, in a process whose stderr is kept from the
  /// terminal.
  static void showOn(int File);

private:
  void clear();

  std::string timeLeft() const;

  size_t Total, Done = 0;
  std::chrono::steady_clock::time_point Begun =
      std::chrono::steady_clock::now();
  bool Shown;
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_MESSAGES_H

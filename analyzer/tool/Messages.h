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

/// "[3/50] a.cu" on one line that overwrites itself; only on a terminal.
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

  size_t Total, Done = 0;
  bool Shown;
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_MESSAGES_H

//===- Messages.h - What the program says about itself ----------*- C++ -*-===//
//
// Errors, notes and progress on stderr; stdout belongs to the results.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_MESSAGES_H
#define WARPWISE_PROFILER_TOOL_MESSAGES_H

#include <string_view>

namespace warpwise::tool {

/// "error: SENTENCE"
void printError(std::string_view Sentence);
/// "warning: SENTENCE"
void printWarning(std::string_view Sentence);
/// "note: SENTENCE"
void printNote(std::string_view Sentence);

/// Writes to stdout; false after an error, which has been printed.
bool print(std::string_view Text);

/// Whether someone watches stderr.
bool stderrIsTerminal();

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_MESSAGES_H

//===- Looking.h - The process of a document --------------------*- C++ -*-===//
//
// A document has a process that keeps what helps with the next question, and
// for each question a child of that, which looks. What is outdated is ended
// with its child and costs nothing that is kept.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LSP_LOOKING_H
#define WARPWISE_ANALYZER_LSP_LOOKING_H

#include "analyzer/confinement/Process.h"
#include "analyzer/lsp/Analyst.h"
#include "analyzer/lsp/Channel.h"

#include <cstdint>
#include <string>

namespace warpwise::lsp {

/// The document's process: answers \p Server's questions until it is gone, or
/// until what \p Knows has prepared does not hold any more, which is said.
void lookForEver(Channel &Server, Analyst &Knows, uint64_t MemoryLimit);

/// The message that nobody waits for an answer any more.
llvm::json::Value stopLooking();
/// Whether the process says that another one has to be asked.
bool isStale(const llvm::json::Value &Message);

/// Ends \p Which, and says what became of it: "crashed (signal 11)".
std::string describeEnd(confinement::Process &Which);

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_LOOKING_H

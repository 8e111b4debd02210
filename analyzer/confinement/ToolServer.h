//===- ToolServer.h - Programs for processes that start none ----*- C++ -*-===//
//
// A confined process starts no program, but wants to know what the toolkit's
// assembler says. So before there is anything foreign, a server is started that
// runs programs on request: each with exactly the arguments that were given
// then. All that a process can choose is what the program reads.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_CONFINEMENT_TOOLSERVER_H
#define WARPWISE_ANALYZER_CONFINEMENT_TOOLSERVER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace warpwise::confinement {

/// What in a tool's arguments stands for the file with its input, and for one
/// that it may write and nobody reads.
inline constexpr const char *InputFile = "/proc/self/fd/3";
inline constexpr const char *ScratchFile = "/proc/self/fd/4";

/// A program of ours or of the toolkit that the user named, and how it is run.
struct Tool {
  std::string Program;                ///< path
  std::vector<std::string> Arguments; ///< without the program's name
  unsigned Seconds = 20; ///< of CPU time, and three times as long in all

  bool operator==(const Tool &) const = default;
};

struct ToolAnswer {
  int Status = 0;     ///< exit status; negative: ended by a signal
  std::string Output; ///< on standard output and standard error
};

class ToolServer {
public:
  /// Forks the server, which ends when this process does.
  static llvm::Expected<ToolServer> start(std::vector<Tool> Tools);
  ToolServer(ToolServer &&);
  ~ToolServer();

  /// A connection for a process that is forked next; -1 when there is none.
  int connect() const;
  /// What connect() needs in a process that has closed its files.
  int controlFile() const { return Control; }
  const std::vector<Tool> &tools() const { return Tools; }

private:
  std::vector<Tool> Tools;
  int Control = -1;
  int Process = -1;

  ToolServer() = default;
};

/// From here on runTool() asks the server behind \p Connection, which -1 stands
/// for nobody, so that every request fails.
void askToolServer(int Connection, std::vector<Tool> Tools);

/// Runs \p What on \p Input: here, or where askToolServer() said. The error is
/// one clause.
llvm::Expected<ToolAnswer> runTool(const Tool &What, llvm::StringRef Input);

} // namespace warpwise::confinement

#endif // WARPWISE_ANALYZER_CONFINEMENT_TOOLSERVER_H

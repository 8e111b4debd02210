//===- Commands.h - The sub-commands ----------------------------*- C++ -*-===//
//
// One function per sub-command, each in a file of its own. They return the exit
// status.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_COMMANDS_H
#define WARPWISE_ANALYZER_TOOL_COMMANDS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace warpwise::tool {

enum ExitStatus {
  ExitDone = 0,
  ExitWanted = 1, ///< there is what --fail-on asks for
  ExitError = 2   ///< which has been printed
};

int runCheck();
int runAccesses();
int runReuse();
int runCommands();
int runLsp();
int runExplain();
int runListRules();
int runCompletion();
int runManual();
int runClusterCheck();
int runClusterProfile();
int runClusterTask();

/// Becomes the program warpwise-profile, which lies beside this one, when the
/// command line asks for one of its sub-commands. Returns only when it does
/// not (nothing), or when that program cannot be started (the exit status).
std::optional<int> handOver(char **Argv);

/// Where a program is that lies beside this one.
std::string siblingProgram(llvm::StringRef Name);

/// Writes to stdout when \p File is empty or "-", else as io::writeFile() does.
/// False after an error, which has been printed.
bool writeResult(llvm::StringRef File,
                 llvm::function_ref<void(llvm::raw_ostream &)> Write);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_COMMANDS_H

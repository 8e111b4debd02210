//===- Main.cpp - The warpwise command ------------------------------------===//
//
// Picks the sub-command. Everything else is in the sub-commands' files.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/CommandLine.h"
#include "analyzer/tool/Commands.h"
#include "analyzer/tool/Messages.h"

#include <csignal>
#include <fcntl.h>
#include <iterator>

namespace warpwise::tool {

static int runCommand() {
  struct {
    llvm::cl::SubCommand &Command;
    int (*Run)();
  } const Table[] = {
      {checkCommand(), runCheck},
      {accessesCommand(), runAccesses},
      {reuseCommand(), runReuse},
      {commandsCommand(), runCommands},
      {lspCommand(), runLsp},
      {explainCommand(), runExplain},
      {listRulesCommand(), runListRules},
      {completionCommand(), runCompletion},
      {manualCommand(), runManual},
      {clusterCheckCommand(), runClusterCheck},
      {clusterProfileCommand(), runClusterProfile},
      {clusterTaskCommand(), runClusterTask},
  };
  for (const auto &Entry : Table)
    if (Entry.Command)
      return Entry.Run();
  printError("no command given; see 'warpwise --help'");
  return ExitError;
}

/// A shell may close them (">&-"). What is opened next would be taken for them
/// then: results would go to a file of ours.
static void openStandardFiles() {
  const int Modes[] = {O_RDONLY, O_RDONLY, O_WRONLY}; // results must not vanish
  for (int File = 0; File != std::ssize(Modes); ++File)
    if (::fcntl(File, F_GETFD) < 0)
      ::open("/dev/null", Modes[File]);
}

} // namespace warpwise::tool

int main(int Argc, char **Argv) {
  // A file that grows beyond "ulimit -f" is an error like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  warpwise::tool::openStandardFiles();
  if (auto Problem = warpwise::tool::checkUnambiguous(Argv)) {
    warpwise::tool::printError(std::move(Problem));
    return warpwise::tool::ExitError;
  }
  if (std::optional<int> Status = warpwise::tool::handOver(Argv))
    return *Status;
  if (!warpwise::tool::parseCommandLine(Argc, Argv))
    return warpwise::tool::ExitError;
  return warpwise::tool::runCommand();
}

//===- Commands.cpp - warpwise completion, manual -------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/tool/CommandLine.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/reference/Completion.h"
#include "analyzer/tool/reference/Manual.h"

#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

namespace cl = llvm::cl;

namespace warpwise::tool {

static cl::opt<std::string> Shell(cl::Positional, cl::desc("bash|zsh|fish"),
                                  cl::cat(optionCategory()),
                                  cl::sub(completionCommand()));

static int print(const std::string &Text) {
  return writeResult("", [&](llvm::raw_ostream &Out) { Out << Text; })
             ? ExitDone
             : ExitError;
}

int runCompletion() {
  if (Shell == "bash")
    return print(bashCompletion(commandTable()));
  if (Shell == "zsh")
    return print(zshCompletion(commandTable()));
  if (Shell == "fish")
    return print(fishCompletion(commandTable()));
  printError(Shell.empty()
                 ? "no shell given; there are bash, zsh and fish"
                 : fmt::format("unknown shell '{}'; there are bash, zsh and "
                               "fish",
                               Shell.getValue()));
  return ExitError;
}

int runManual() { return print(manualPage(commandTable(), version())); }

} // namespace warpwise::tool

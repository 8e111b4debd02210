//===- Output.cpp - Where results go --------------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/tool/Messages.h"

#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

namespace warpwise::tool {

bool writeResult(llvm::StringRef File,
                 llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  if (!File.empty() && File != "-") {
    llvm::Error Problem =
        llvm::writeToOutput(File, [&](llvm::raw_ostream &Out) {
          Write(Out);
          return llvm::Error::success();
        });
    if (!Problem)
      return true;
    printError(fmt::format("cannot write '{}': {}", File.str(),
                           llvm::toString(std::move(Problem))));
    return false;
  }
  llvm::raw_fd_ostream &Out = llvm::outs();
  Write(Out);
  Out.flush();
  if (!Out.has_error())
    return true;
  // Without clear_error, LLVM aborts the process when it ends.
  printError(fmt::format("cannot write to standard output: {}",
                         Out.error().message()));
  Out.clear_error();
  return false;
}

} // namespace warpwise::tool

//===- Output.cpp - Where results go --------------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/tool/Messages.h"
#include "profiler/io/ReadFile.h"
#include "profiler/io/WriteFile.h"

#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

namespace warpwise::tool {

bool writeResult(llvm::StringRef File,
                 llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  if (!File.empty() && File != "-") {
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    Write(Stream);
    // What is as it was keeps its time, so that nothing has to follow it.
    if (const auto Old = io::readFile(File.str()); Old && *Old == Text)
      return true;
    const std::string Why = io::writeFile(File.str(), Text);
    if (!Why.empty())
      printError(fmt::format("cannot write '{}': {}", File.str(), Why));
    return Why.empty();
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

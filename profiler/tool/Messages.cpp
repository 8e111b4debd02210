//===- Messages.cpp - What the program says about itself ------------------===//

#include "profiler/tool/Messages.h"

#include "profiler/io/Printable.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

#include <unistd.h>

namespace warpwise::tool {

bool stderrIsTerminal() { return ::isatty(STDERR_FILENO) == 1; }

static void say(std::string_view Severity, std::string_view Color,
                std::string_view Sentence) {
  const char *Off = std::getenv("NO_COLOR");
  const bool Colored = stderrIsTerminal() && (!Off || !*Off);
  fmt::print(stderr, "{}{}: {}{}\n", Colored ? Color : "", Severity,
             Colored ? "\033[0m" : "", io::shortened(io::printable(Sentence)));
}

void printError(std::string_view Sentence) {
  say("error", "\033[1;31m", Sentence);
}

void printWarning(std::string_view Sentence) {
  say("warning", "\033[1;35m", Sentence);
}

void printNote(std::string_view Sentence) {
  say("note", "\033[1;36m", Sentence);
}

bool print(std::string_view Foreign) {
  const std::string Text = io::printableLines(Foreign);
  // Plain stdio, because fmt::print throws when the disk is full.
  const bool Written =
      std::fwrite(Text.data(), 1, Text.size(), stdout) == Text.size() &&
      std::fflush(stdout) == 0;
  if (!Written)
    printError(fmt::format("cannot write to standard output: {}",
                           std::generic_category().message(errno)));
  return Written;
}

} // namespace warpwise::tool

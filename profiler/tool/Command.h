//===- Command.h - One sub-command and the list of all ----------*- C++ -*-===//
//
// A sub-command is one file with a static RegisteredCommand in it. Nothing else
// names it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_COMMAND_H
#define WARPWISE_PROFILER_TOOL_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tool {

struct Command {
  /// "profiles" for `warpwise profiles NAME`, empty for `warpwise NAME`.
  std::string_view Group;
  std::string_view Name;
  std::string_view Summary; ///< one line for the help
  /// Declares the options on \p App. What it returns runs after they were read
  /// and gives the exit status: 0, or 1 after an error that has been printed.
  std::function<int()> (*Declare)(CLI::App &App);
};

class RegisteredCommand {
public:
  explicit RegisteredCommand(Command C);
};

/// All sub-commands by group, then by name.
const std::vector<Command> &commands();

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_COMMAND_H

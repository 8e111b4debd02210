//===- Main.cpp - The program behind warpwise profile and profiles --------===//
//
// A program of its own, because it links CUDA and no LLVM; so its command line
// is read by CLI11 and not, as the analyzer's, by LLVM. `warpwise` starts it
// with its own arguments, so it calls itself that.
//
//===----------------------------------------------------------------------===//

#include "profiler/tool/Command.h"
#include "profiler/tool/Messages.h"

#include <fmt/format.h>

#include <cctype>
#include <map>

namespace warpwise::tool {
namespace {

/// Indented like the rest of warpwise's help, without CLI11's type clutter.
class HelpFormat : public CLI::Formatter {
public:
  HelpFormat() {
    column_width(28);
    label("REQUIRED", "(required)");
  }
};

/// The command line, and what runs when a sub-command was given.
class CommandLine {
public:
  CommandLine()
      : Top("Measures GPUs and keeps what was measured as device profiles.",
            "warpwise") {
    Top.formatter(std::make_shared<HelpFormat>());
    Groups["profiles"] = Top.add_subcommand(
        "profiles", "Look at the device profiles that there are");
    for (const Command &Each : commands()) {
      CLI::App &Parent =
          Each.Group.empty() ? Top : *Groups.at(std::string(Each.Group));
      CLI::App *App = Parent.add_subcommand(std::string(Each.Name),
                                            std::string(Each.Summary));
      Run[App] = Each.Declare(*App);
    }
  }

  int run(int Argc, char **Argv) {
    try {
      Top.parse(Argc, Argv);
    } catch (const CLI::CallForHelp &) {
      return print(Top.help()) ? 0 : 1;
    } catch (const CLI::ParseError &E) {
      return refuse(E.what());
    }
    for (const auto &[App, Action] : Run)
      if (App->parsed())
        return Action();
    return refuse("");
  }

private:
  /// Says what is wrong with the command line.
  int refuse(std::string Why) {
    CLI::App *Given = &Top;
    while (!Given->get_subcommands().empty())
      Given = Given->get_subcommands().front();
    if (Given == Groups.at("profiles"))
      printError("use 'warpwise profiles list' or 'warpwise profiles show "
                 "NAME'; see 'warpwise profiles --help'");
    else if (Given == &Top)
      printError("use 'warpwise profile' or 'warpwise profiles'");
    else {
      // CLI11 writes sentences; ours begin in lower case.
      if (Why.size() > 1 && std::islower(static_cast<unsigned char>(Why[1])))
        Why[0] =
            static_cast<char>(std::tolower(static_cast<unsigned char>(Why[0])));
      const std::string Group = Given->get_parent() == &Top
                                    ? ""
                                    : Given->get_parent()->get_name() + " ";
      printError(fmt::format("{}; see 'warpwise {}{} --help'", Why, Group,
                             Given->get_name()));
    }
    return 1;
  }

  CLI::App Top;
  std::map<std::string, CLI::App *> Groups;
  std::map<CLI::App *, std::function<int()>> Run;
};

} // namespace
} // namespace warpwise::tool

int main(int Argc, char **Argv) {
  return warpwise::tool::CommandLine().run(Argc, Argv);
}

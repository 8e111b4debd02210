//===- ProfilesPlot.cpp - warpwise profiles plot --------------------------===//

#include "profiler/io/WriteFile.h"
#include "profiler/profile/Profile.h"
#include "profiler/tool/Command.h"
#include "profiler/tool/Messages.h"
#include "profiler/tool/reports/Plot.h"

#include <fmt/format.h>

#include <memory>

namespace warpwise::tool {
namespace {

struct Options {
  std::string Name, Output;
};

int run(const Options &O) {
  const auto Found = profile::find(O.Name);
  if (!Found) {
    printError(Found.reason());
    return 1;
  }
  std::vector<profile::Profile> Literature;
  for (const std::string &Name : profile::builtinNames())
    if (std::optional<profile::Profile> P = profile::builtin(Name))
      Literature.push_back(std::move(*P));
  const std::string Page = reports::plotPage(*Found, Literature);
  const std::string Output =
      O.Output.empty() ? Found->Name + ".html" : O.Output;
  if (Output == "-")
    return print(Page) ? 0 : 1;
  if (const std::string Wrong = io::writeFile(Output, Page); !Wrong.empty()) {
    printError(fmt::format("cannot write '{}': {}", Output, Wrong));
    return 1;
  }
  return print(fmt::format("written to {}\n", Output)) ? 0 : 1;
}

std::function<int()> declare(CLI::App &App) {
  auto O = std::make_shared<Options>();
  App.add_option("NAME", O->Name, "A profile, part of a GPU's name, or a file")
      ->required()
      ->option_text("(required)");
  App.add_option("--output", O->Output,
                 "Where to write the page (default: NAME.html here;\n"
                 "-: to standard output)")
      ->option_text("FILE");
  return [O] { return run(*O); };
}

const RegisteredCommand Registered({
    .Group = "profiles",
    .Name = "plot",
    .Summary = "Draw a profile's curves as one self-contained HTML page",
    .Declare = declare,
});

} // namespace
} // namespace warpwise::tool

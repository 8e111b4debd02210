//===- ProfilesExport.cpp - warpwise profiles export ----------------------===//

#include "profiler/profile/Profile.h"
#include "profiler/tool/Command.h"
#include "profiler/tool/Messages.h"
#include "profiler/tool/reports/Mt4g.h"

#include <memory>

namespace warpwise::tool {
namespace {

struct Options {
  std::string Name, Format;
};

int run(const Options &O) {
  const auto Found = profile::find(O.Name);
  if (!Found) {
    printError(Found.reason());
    return 1;
  }
  for (const std::string &Line : reports::missingForMt4g(*Found))
    printNote(Line);
  return print(reports::toMt4g(*Found)) ? 0 : 1;
}

std::function<int()> declare(CLI::App &App) {
  auto O = std::make_shared<Options>();
  App.add_option("NAME", O->Name, "A profile, part of a GPU's name, or a file")
      ->required()
      ->option_text("(required)");
  App.add_option("--format", O->Format, "mt4g: the JSON of MT4G 1.2")
      ->required()
      ->check(CLI::IsMember({"mt4g"}))
      ->option_text("FORMAT (required)");
  return [O] { return run(*O); };
}

const RegisteredCommand Registered({
    .Group = "profiles",
    .Name = "export",
    .Summary = "Print a profile in the format of another tool",
    .Declare = declare,
});

} // namespace
} // namespace warpwise::tool

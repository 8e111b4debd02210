//===- ProfilesShow.cpp - warpwise profiles show --------------------------===//

#include "profiler/profile/Profile.h"
#include "profiler/tool/Command.h"
#include "profiler/tool/Messages.h"

#include <memory>

namespace warpwise::tool {
namespace {

int run(const std::string &Name) {
  const auto Found = profile::find(Name);
  if (Found)
    return print(profile::describe(*Found)) ? 0 : 1;
  printError(Found.reason());
  return 1;
}

std::function<int()> declare(CLI::App &App) {
  auto Name = std::make_shared<std::string>();
  App.add_option("NAME", *Name, "A profile, part of a GPU's name, or a file")
      ->required()
      ->option_text("(required)");
  return [Name] { return run(*Name); };
}

const RegisteredCommand Registered({
    .Group = "profiles",
    .Name = "show",
    .Summary = "Print a profile in words: values, intervals, where from",
    .Declare = declare,
});

} // namespace
} // namespace warpwise::tool

//===- ProfilesList.cpp - warpwise profiles list --------------------------===//

#include "profiler/profile/Profile.h"
#include "profiler/tool/Command.h"
#include "profiler/tool/Messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::tool {
namespace {

std::string line(const std::string &Name) {
  const auto Found = profile::find(Name);
  return Found ? fmt::format("{:<20}  {:<8}  {}; {}\n", Name,
                             Found->Architecture, Found->Gpu, Found->Origin)
               : fmt::format("{:<20}  {}\n", Name, Found.reason());
}

int run() {
  std::string Text;
  const std::vector<std::string> Own = profile::userNames();
  for (const std::string &Name : Own)
    Text += line(Name);
  // A user's own profile hides the built-in one of the same name.
  for (const std::string &Name : profile::builtinNames())
    if (std::find(Own.begin(), Own.end(), Name) == Own.end())
      Text += line(Name);
  return print(Text) ? 0 : 1;
}

const RegisteredCommand Registered({
    .Group = "profiles",
    .Name = "list",
    .Summary = "List the profiles, the user's own before the built-in ones",
    .Declare = [](CLI::App &) { return std::function<int()>(run); },
});

} // namespace
} // namespace warpwise::tool

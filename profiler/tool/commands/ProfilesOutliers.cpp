//===- ProfilesOutliers.cpp - warpwise profiles outliers ------------------===//

#include "profiler/profile/Profile.h"
#include "profiler/tool/Command.h"
#include "profiler/tool/Messages.h"
#include "profiler/tool/reports/Outliers.h"

#include <memory>

namespace warpwise::tool {
namespace {

enum ExitStatus { NoOutliers = 0, SomeOutliers = 1, ExitError = 2 };

int run(const std::vector<std::string> &Names) {
  std::vector<profile::Profile> Profiles;
  bool Failed = false;
  for (const std::string &Name : Names) {
    auto Read = profile::find(Name);
    if (Read) {
      Profiles.push_back(std::move(*Read));
      continue;
    }
    printError(Read.reason());
    Failed = true;
  }
  const reports::OutlierSearch Found = reports::findOutliers(Profiles);
  if (!print(reports::outlierPage(Found)) || Failed)
    return ExitError;
  return Found.Outliers.empty() ? NoOutliers : SomeOutliers;
}

std::function<int()> declare(CLI::App &App) {
  auto Names = std::make_shared<std::vector<std::string>>();
  App.add_option("PROFILES", *Names, "Profiles of GPUs of one kind: files")
      ->required()
      ->option_text("(required)");
  return [Names] { return run(*Names); };
}

const RegisteredCommand Registered({
    .Group = "profiles",
    .Name = "outliers",
    .Summary = "Of many GPUs, those that are not like the others; the exit "
               "status is 1 when there are some",
    .Declare = declare,
});

} // namespace
} // namespace warpwise::tool

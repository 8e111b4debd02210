//===- OutputFile.cpp - Where a profile goes ------------------------------===//

#include "profiler/tool/OutputFile.h"

#include "profiler/io/WriteFile.h"
#include "profiler/profile/Profile.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace fs = std::filesystem;

namespace warpwise::tool {

/// More than any profile needs; a disk that lacks it counts as full.
constexpr size_t RoomForProfile = 4 << 20;

io::Expected<std::string> defaultOutput(const std::string &Name) {
  const std::string Folder = profile::userFolder();
  if (Folder.empty())
    return io::Failure{
        "there is no home folder to keep the profile in; use --output FILE"};
  if (std::string Why = whyNotAFolder(Folder); !Why.empty())
    return io::Failure{std::move(Why)};
  return (fs::path(Folder) / (Name + ".json")).string();
}

std::string whyNotWritable(const std::string &Path) {
  const std::string Why = io::whyNotWritable(Path, RoomForProfile);
  return Why.empty() ? "" : fmt::format("cannot write '{}': {}", Path, Why);
}

std::string whyNotAFolder(const std::string &Path) {
  std::error_code Wrong;
  fs::create_directories(Path, Wrong);
  if (Wrong)
    return fmt::format("cannot create the folder '{}': {}", Path,
                       Wrong.message());
  if (!fs::is_directory(Path, Wrong))
    return fmt::format("'{}' is no folder", Path);
  if (::access(Path.c_str(), W_OK) == 0)
    return "";
  return fmt::format("cannot write '{}': {}", Path,
                     std::generic_category().message(errno));
}

} // namespace warpwise::tool

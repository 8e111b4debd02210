//===- OutputFile.cpp - Where a profile goes ------------------------------===//

#include "profiler/tool/OutputFile.h"

#include "profiler/profile/Profile.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace warpwise::tool {

/// More than any profile needs; a disk that lacks it counts as full.
constexpr off_t RoomForProfile = 4 << 20;

static std::string cannotWrite(const std::string &Path, int Error) {
  return fmt::format("cannot write '{}': {}", Path,
                     std::generic_category().message(Error));
}

std::string defaultOutput(const std::string &Name, std::string &Error) {
  const std::string Folder = profile::userFolder();
  if (Folder.empty()) {
    Error = "there is no home folder to keep the profile in; use --output FILE";
    return "";
  }
  Error = whyNotAFolder(Folder);
  return Error.empty() ? (fs::path(Folder) / (Name + ".json")).string() : "";
}

std::string whyNotWritable(const std::string &Path) {
  std::error_code Ignored;
  if (fs::is_directory(Path, Ignored))
    return fmt::format("cannot write '{}': it is a folder", Path);
  std::string Temporary = Path + ".XXXXXX";
  const int Fd = ::mkstemp(Temporary.data());
  if (Fd < 0)
    return cannotWrite(Path, errno);
  const int Error = ::posix_fallocate(Fd, 0, RoomForProfile);
  ::close(Fd);
  ::unlink(Temporary.c_str());
  return Error == 0 ? "" : cannotWrite(Path, Error);
}

std::string whyNotAFolder(const std::string &Path) {
  std::error_code Wrong;
  fs::create_directories(Path, Wrong);
  if (Wrong)
    return fmt::format("cannot create the folder '{}': {}", Path,
                       Wrong.message());
  if (!fs::is_directory(Path, Wrong))
    return fmt::format("'{}' is no folder", Path);
  return ::access(Path.c_str(), W_OK) == 0 ? "" : cannotWrite(Path, errno);
}

} // namespace warpwise::tool

//===- DeviceLock.cpp - One measurement at a time -------------------------===//

#include "profiler/tool/DeviceLock.h"

#include "profiler/profile/Profile.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace warpwise::tool {
namespace fs = std::filesystem;

namespace {

/// What the holder wrote into the file: its process.
std::string holderOf(int File) {
  char Text[32] = {};
  const ssize_t Read = ::pread(File, Text, sizeof Text - 1, 0);
  const std::string Number(Text, Read > 0 ? size_t(Read) : 0);
  const bool IsNumber = !Number.empty() &&
                        Number.find_first_not_of("0123456789\n") == Number.npos;
  return IsNumber
             ? fmt::format(" (process {})", Number.substr(0, Number.find('\n')))
             : "";
}

} // namespace

DeviceLock::DeviceLock(const std::string &Folder, const std::string &Uuid) {
  std::error_code Error;
  fs::create_directories(Folder, Error);
  const std::string Path = (fs::path(Folder) / (Uuid + ".lock")).string();
  // Never through a link: another user may have made the folder.
  File = ::open(Path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (File < 0) {
    Why = fmt::format("cannot lock the GPU with '{}': {}", Path,
                      std::strerror(errno));
    return;
  }
  if (::flock(File, LOCK_EX | LOCK_NB) != 0) {
    Taken = errno == EWOULDBLOCK;
    Why = Taken
              ? fmt::format("another run of Warpwise measures this GPU{}",
                            holderOf(File))
              : fmt::format("cannot lock '{}': {}", Path, std::strerror(errno));
    ::close(std::exchange(File, -1));
    return;
  }
  const std::string Number = fmt::format("{}\n", ::getpid());
  // Only for the sentence above; without it that names no process.
  if (::ftruncate(File, 0) == 0)
    (void)!::pwrite(File, Number.data(), Number.size(), 0);
}

DeviceLock::~DeviceLock() {
  if (File >= 0)
    ::close(File);
}

DeviceLock::DeviceLock(DeviceLock &&Other) noexcept
    : File(std::exchange(Other.File, -1)), Taken(Other.Taken),
      Why(std::move(Other.Why)) {}

DeviceLock &DeviceLock::operator=(DeviceLock &&Other) noexcept {
  std::swap(File, Other.File);
  std::swap(Taken, Other.Taken);
  std::swap(Why, Other.Why);
  return *this;
}

std::string lockFolder() {
  std::error_code Error;
  if (const char *Runtime = std::getenv("XDG_RUNTIME_DIR");
      Runtime && *Runtime && fs::is_directory(Runtime, Error))
    return (fs::path(Runtime) / "warpwise").string();
  const std::string Profiles = profile::userFolder();
  return Profiles.empty()
             ? ""
             : (fs::path(Profiles).parent_path() / "locks").string();
}

} // namespace warpwise::tool

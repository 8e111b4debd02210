//===- File.cpp - Whole files in and out ----------------------------------===//
//
// On POSIX calls, because a stream cannot be synced and hides the reason of a
// failure.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/File.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace warpwise;

namespace {

/// Far above any profile; keeps `--profile=/dev/zero` from eating the machine.
constexpr size_t MaxBytes = size_t(64) << 20;

/// An open file that is closed on every way out.
struct Descriptor {
  int Fd;

  explicit Descriptor(int Fd) : Fd(Fd) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() {
    if (Fd >= 0)
      ::close(Fd);
  }
};

std::string failure(const char *Verb, const std::string &Path, int Error) {
  return fmt::format("cannot {} '{}': {}", Verb, Path,
                     std::generic_category().message(Error));
}

/// Writes all of \p Text and has it on disk. Returns errno or 0.
int writeAndSync(int Fd, std::string_view Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(Fd, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return errno;
    Text.remove_prefix(static_cast<size_t>(Written));
  }
  // mkstemp gives 0600; a profile is for everyone who may see the folder.
  if (::fchmod(Fd, 0644) != 0 || ::fsync(Fd) != 0)
    return errno;
  return 0;
}

} // namespace

std::string profile::readFile(const std::string &Path, std::string &Text) {
  Descriptor File(::open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  if (File.Fd < 0)
    return failure("read", Path, errno);
  Text.clear();
  char Buffer[1 << 16];
  while (true) {
    ssize_t Read = ::read(File.Fd, Buffer, sizeof Buffer);
    if (Read < 0 && errno == EINTR)
      continue;
    if (Read < 0)
      return failure("read", Path, errno);
    if (Read == 0)
      return "";
    Text.append(Buffer, static_cast<size_t>(Read));
    if (Text.size() > MaxBytes)
      return fmt::format("cannot read '{}': it is larger than {} MiB", Path,
                         MaxBytes >> 20);
  }
}

std::string profile::replaceFile(const std::string &Path,
                                 std::string_view Text) {
  std::string Temporary = Path + ".XXXXXX";
  Descriptor File(::mkstemp(Temporary.data()));
  if (File.Fd < 0)
    return failure("write", Path, errno);
  int Error = writeAndSync(File.Fd, Text);
  if (Error == 0 && ::rename(Temporary.c_str(), Path.c_str()) != 0)
    Error = errno;
  if (Error != 0) {
    ::unlink(Temporary.c_str());
    return failure("write", Path, Error);
  }
  // The new name survives a power cut only when the folder is on disk, too.
  // The file is complete either way, so a folder that cannot be synced is no
  // error.
  std::string Folder = std::filesystem::path(Path).parent_path().string();
  Descriptor Parent(::open(Folder.empty() ? "." : Folder.c_str(),
                           O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (Parent.Fd >= 0)
    ::fsync(Parent.Fd);
  return "";
}

//===- WriteFile.cpp ------------------------------------------------------===//
//
// On POSIX calls, because a stream cannot be synced and hides the reason of a
// failure.
//
//===----------------------------------------------------------------------===//

#include "profiler/io/WriteFile.h"

#include "profiler/io/Descriptor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>

namespace warpwise::io {
namespace {

/// What the kernel follows at most, too.
constexpr unsigned MostLinks = 40;

std::string reason(int Error) {
  return Error == 0 ? "" : std::generic_category().message(Error);
}

/// While it lives, a file that may not grow further is an error of write() and
/// not the end of the process.
class LimitIsAnError {
  struct sigaction Before;

public:
  LimitIsAnError() {
    struct sigaction Ignore = {};
    Ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGXFSZ, &Ignore, &Before);
  }
  LimitIsAnError(const LimitIsAnError &) = delete;
  ~LimitIsAnError() { ::sigaction(SIGXFSZ, &Before, nullptr); }
};

/// Returns errno or 0.
int writeAll(int Fd, std::string_view Text) {
  const LimitIsAnError Here;
  while (!Text.empty()) {
    const ssize_t Written = ::write(Fd, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return errno;
    Text.remove_prefix(static_cast<size_t>(Written));
  }
  return 0;
}

/// The permissions that open() would give to a new file.
mode_t newFileMode() {
  const mode_t Mask = ::umask(0);
  ::umask(Mask);
  return 0666 & ~Mask;
}

struct stat statusOf(const std::string &Path, int &Error) {
  struct stat Status = {};
  Error = ::stat(Path.c_str(), &Status) == 0 ? 0 : errno;
  return Status;
}

bool isSame(const struct stat &A, const struct stat &B) {
  return A.st_dev == B.st_dev && A.st_ino == B.st_ino;
}

std::string folderOf(const std::string &Path) {
  const size_t Slash = Path.rfind('/');
  if (Slash == Path.npos)
    return ".";
  return Slash == 0 ? "/" : Path.substr(0, Slash);
}

/// Where the links at \p Path lead, whether there is a file or not. Returns
/// errno or 0.
int followLinks(std::string &Path) {
  for (unsigned Links = 0; Links != MostLinks; ++Links) {
    char Buffer[4096];
    const ssize_t Length = ::readlink(Path.c_str(), Buffer, sizeof Buffer);
    if (Length < 0) // no link, or nothing there
      return 0;
    if (Length == sizeof Buffer)
      return ENAMETOOLONG;
    std::string To(Buffer, static_cast<size_t>(Length));
    Path = To.starts_with('/') ? To : folderOf(Path) + "/" + To;
  }
  return ELOOP;
}

/// How to get a text to a path.
struct Target {
  int Error = 0;
  /// Write to what is there, at Path as it was given.
  bool Through = false;
  /// A standard stream that goes to the same file; -1: none does.
  int Stream = -1;
  std::string Path; ///< behind all links
  mode_t Mode = 0;
};

Target targetOf(const std::string &Path) {
  Target To;
  To.Path = Path;
  struct stat Status = statusOf(Path, To.Error);
  if (To.Error == ENOENT) {
    To.Error = followLinks(To.Path);
    To.Mode = newFileMode();
    return To;
  }
  if (To.Error != 0)
    return To;
  if (S_ISDIR(Status.st_mode)) {
    To.Error = EISDIR;
    return To;
  }
  To.Mode = Status.st_mode & 07777;
  // /dev/stdout, wherever the shell has sent it.
  for (const int Stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat Open;
    if (::fstat(Stream, &Open) == 0 && isSame(Status, Open)) {
      To.Through = true;
      To.Stream = Stream;
      return To;
    }
  }
  To.Error = followLinks(To.Path);
  int Lost = 0;
  // Below /proc a link need not lead where it says.
  To.Through = !S_ISREG(Status.st_mode) ||
               !isSame(Status, statusOf(To.Path, Lost)) || Lost != 0;
  return To;
}

int writeThrough(const std::string &Path, int Stream, std::string_view Text) {
  if (Stream >= 0)
    return writeAll(Stream, Text);
  const Descriptor File(::open(Path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  return File ? writeAll(File.Fd, Text) : errno;
}

/// A new file in an open folder, under a name that nobody else has.
Descriptor createTemporary(int Folder, const std::string &Name,
                           std::string &Temporary) {
  constexpr unsigned Attempts = 100;
  for (unsigned I = 0; I != Attempts; ++I) {
    Temporary = fmt::format("{}.{:x}-{:x}", Name, unsigned(::getpid()), I);
    const int Fd =
        ::openat(Folder, Temporary.c_str(),
                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (Fd >= 0 || errno != EEXIST)
      return Descriptor(Fd);
  }
  return Descriptor(-1);
}

/// Writes beside \p Name in \p Folder, syncs, renames. Returns errno or 0.
int replaceIn(int Folder, const std::string &Name, mode_t Mode,
              std::string_view Text) {
  std::string Temporary;
  const Descriptor File = createTemporary(Folder, Name, Temporary);
  if (!File)
    return errno;
  int Error = writeAll(File.Fd, Text);
  if (Error == 0 &&
      (::fchmod(File.Fd, Mode) != 0 || ::fsync(File.Fd) != 0 ||
       ::renameat(Folder, Temporary.c_str(), Folder, Name.c_str()) != 0))
    Error = errno;
  if (Error != 0) {
    ::unlinkat(Folder, Temporary.c_str(), 0);
    return Error;
  }
  // The new name survives a power cut only when the folder is on disk, too.
  // The file is complete either way, so a folder that cannot be synced is no
  // error.
  ::fsync(Folder);
  return 0;
}

Descriptor openFolder(const std::string &Path) {
  return Descriptor(::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

std::string nameOf(const std::string &Path) {
  return Path.substr(Path.rfind('/') + 1);
}

} // namespace

std::string writeFile(const std::string &Path, std::string_view Text) {
  const Target To = targetOf(Path);
  if (To.Error != 0)
    return reason(To.Error);
  if (To.Through)
    return reason(writeThrough(Path, To.Stream, Text));
  const Descriptor Folder = openFolder(folderOf(To.Path));
  if (!Folder)
    return reason(errno);
  return reason(replaceIn(Folder.Fd, nameOf(To.Path), To.Mode, Text));
}

std::string whyNotWritable(const std::string &Path, size_t Bytes) {
  const Target To = targetOf(Path);
  if (To.Error != 0)
    return reason(To.Error);
  if (To.Through)
    return To.Stream >= 0 || ::access(Path.c_str(), W_OK) == 0 ? ""
                                                               : reason(errno);
  const Descriptor Folder = openFolder(folderOf(To.Path));
  if (!Folder)
    return reason(errno);
  std::string Temporary;
  const Descriptor File =
      createTemporary(Folder.Fd, nameOf(To.Path), Temporary);
  if (!File)
    return reason(errno);
  const LimitIsAnError Here;
  const int Error = ::posix_fallocate(File.Fd, 0, static_cast<off_t>(Bytes));
  ::unlinkat(Folder.Fd, Temporary.c_str(), 0);
  return reason(Error);
}

std::string createBelow(const std::string &Folder, const std::string &Name,
                        std::string_view Text) {
  Descriptor Here = openFolder(Folder);
  size_t Begin = 0;
  for (size_t End; Here && (End = Name.find('/', Begin)) != Name.npos;
       Begin = End + 1) {
    const std::string Part = Name.substr(Begin, End - Begin);
    if (::mkdirat(Here.Fd, Part.c_str(), 0777) != 0 && errno != EEXIST)
      return reason(errno);
    const int Next = ::openat(Here.Fd, Part.c_str(),
                              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat Status;
    if (Next < 0 &&
        ::fstatat(Here.Fd, Part.c_str(), &Status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(Status.st_mode))
      return fmt::format("'{}' is a link", Name.substr(0, End));
    Here = Descriptor(Next);
  }
  if (!Here)
    return reason(errno);
  return reason(replaceIn(Here.Fd, Name.substr(Begin), newFileMode(), Text));
}

} // namespace warpwise::io

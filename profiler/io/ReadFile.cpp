//===- ReadFile.cpp -------------------------------------------------------===//

#include "profiler/io/ReadFile.h"

#include "profiler/io/Descriptor.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>

namespace warpwise::io {

static Failure reason(int Error) {
  return {std::generic_category().message(Error)};
}

static Failure tooLarge(size_t MaxBytes) {
  return {MaxBytes >> 20
              ? fmt::format("it is larger than {} MiB", MaxBytes >> 20)
              : fmt::format("it is larger than {} bytes", MaxBytes)};
}

Expected<std::string> readFile(const std::string &Path, size_t MaxBytes) {
  // Looked at after it was opened, so that nobody can put a pipe in its place
  // meanwhile; without O_NONBLOCK opening a pipe would wait for its writer.
  const Descriptor File(
      ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat Status;
  if (!File || ::fstat(File.Fd, &Status) != 0)
    return reason(errno);
  if (S_ISDIR(Status.st_mode))
    return reason(EISDIR);
  if (!S_ISREG(Status.st_mode))
    return Failure{"it is not a regular file"};
  // The size is a hint only: files below /proc have none, others can grow.
  if (Status.st_size > 0 && size_t(Status.st_size) > MaxBytes)
    return tooLarge(MaxBytes);
  std::string Text;
  Text.reserve(size_t(Status.st_size) + 1);
  char Buffer[1 << 16];
  while (true) {
    const ssize_t Read = ::read(File.Fd, Buffer, sizeof Buffer);
    if (Read < 0 && errno == EINTR)
      continue;
    if (Read < 0)
      return reason(errno);
    if (Read == 0)
      return Text;
    Text.append(Buffer, static_cast<size_t>(Read));
    if (Text.size() > MaxBytes)
      return tooLarge(MaxBytes);
  }
}

} // namespace warpwise::io

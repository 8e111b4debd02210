//===- ImageWriter.cpp ----------------------------------------------------===//

#include "mnf_case_study/image/ImageWriter.h"

#include "profiler/io/WriteFile.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mnf {

static std::string because(const std::string &Path, int Error) {
  return fmt::format("cannot write '{}': {}", Path,
                     std::generic_category().message(Error));
}

Expected<ImageWriter> ImageWriter::create(const std::string &Path,
                                          EnviHeader Header) {
  struct stat Status = {};
  if (::stat(Path.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode))
    return Failure{
        fmt::format("cannot write '{}': it is not a regular file", Path)};
  if (std::string Why = warpwise::io::whyNotWritable(Path + ".hdr", 4096);
      !Why.empty())
    return Failure{fmt::format("cannot write '{}.hdr': {}", Path, Why)};

  ImageWriter Writer;
  Writer.Path = Path;
  Writer.Header = std::move(Header);
  std::string Beside = Path + ".XXXXXX";
  Writer.File = warpwise::io::Descriptor(::mkostemp(Beside.data(), O_CLOEXEC));
  if (!Writer.File)
    return Failure{because(Path, errno)};
  Writer.Beside = Beside;
  if (int Error = ::posix_fallocate(Writer.File.Fd, 0,
                                    off_t(Writer.Header.dataBytes())))
    return Failure{because(Path, Error)};
  return Writer;
}

ImageWriter::~ImageWriter() {
  if (!Beside.empty())
    ::unlink(Beside.c_str());
}

std::string ImageWriter::write(const void *Data, size_t Bytes, uint64_t At) {
  const char *From = static_cast<const char *>(Data);
  while (Bytes > 0) {
    const ssize_t Written = ::pwrite(File.Fd, From, Bytes, off_t(At));
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return because(Path, errno);
    From += Written;
    At += uint64_t(Written);
    Bytes -= size_t(Written);
  }
  return "";
}

std::string ImageWriter::finish() {
  const mode_t Mask = ::umask(0);
  ::umask(Mask);
  if (::fchmod(File.Fd, 0666 & ~Mask) != 0 || ::fsync(File.Fd) != 0)
    return because(Path, errno);
  if (std::string Why =
          warpwise::io::writeFile(Path + ".hdr", formatHeader(Header));
      !Why.empty())
    return fmt::format("cannot write '{}.hdr': {}", Path, Why);
  if (::rename(Beside.c_str(), Path.c_str()) != 0)
    return because(Path, errno);
  Beside.clear();
  return "";
}

} // namespace mnf

//===- EnviImage.cpp ------------------------------------------------------===//

#include "mnf_case_study/image/EnviImage.h"

#include "profiler/io/Descriptor.h"
#include "profiler/io/ReadFile.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace mnf {
namespace {

namespace fs = std::filesystem;
using warpwise::io::Descriptor;

struct Files {
  std::string Header, Data;
};

Expected<Files> findFiles(const std::string &Path) {
  std::error_code Ignored;
  const fs::path Given(Path);
  if (Given.extension() == ".hdr") {
    const fs::path Stem = fs::path(Given).replace_extension();
    for (const char *Ending :
         {"", ".img", ".dat", ".bsq", ".bil", ".bip", ".raw"})
      if (fs::path Data = Stem.string() + Ending; fs::exists(Data, Ignored))
        return Files{Path, Data.string()};
    return Failure{fmt::format("'{}' has no image beside it", Path)};
  }
  for (const fs::path &Header :
       {fs::path(Path + ".hdr"), fs::path(Given).replace_extension(".hdr")})
    if (fs::exists(Header, Ignored))
      return Files{Header.string(), Path};
  return Failure{
      fmt::format("'{}' has no header beside it ('{}.hdr')", Path, Path)};
}

template <typename Sample> Sample swapped(Sample Value) {
  unsigned char Bytes[sizeof(Sample)];
  std::memcpy(Bytes, &Value, sizeof(Sample));
  for (size_t I = 0; I < sizeof(Sample) / 2; ++I)
    std::swap(Bytes[I], Bytes[sizeof(Sample) - 1 - I]);
  std::memcpy(&Value, Bytes, sizeof(Sample));
  return Value;
}

} // namespace

Expected<EnviImage> EnviImage::open(const std::string &Path) {
  auto Names = findFiles(Path);
  if (!Names)
    return Failure{Names.reason()};
  auto Text = warpwise::io::readFile(Names->Header);
  if (!Text)
    return Failure{
        fmt::format("cannot read '{}': {}", Names->Header, Text.reason())};
  auto Header = parseHeader(*Text);
  if (!Header)
    return Failure{fmt::format("'{}': {}", Names->Header, Header.reason())};

  const auto Because = [&](int Error) {
    return Failure{fmt::format("cannot read '{}': {}", Names->Data,
                               std::generic_category().message(Error))};
  };
  // Never waits for the other end of a pipe.
  const Descriptor File(
      ::open(Names->Data.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat Status = {};
  if (!File || ::fstat(File.Fd, &Status) != 0)
    return Because(errno);
  if (!S_ISREG(Status.st_mode))
    return Failure{fmt::format("'{}' is not a regular file", Names->Data)};
  const uint64_t Needed = Header->Offset + Header->dataBytes();
  const uint64_t There = uint64_t(Status.st_size);
  if (There < Needed)
    return Failure{fmt::format("'{}' has {} bytes where its header promises {}",
                               Names->Data, There, Needed)};

  EnviImage Image;
  Image.Header = std::move(*Header);
  Image.File = Names->Data;
  Image.Bytes = size_t(Needed);
  void *Mapping =
      ::mmap(nullptr, Image.Bytes, PROT_READ, MAP_PRIVATE, File.Fd, 0);
  if (Mapping == MAP_FAILED)
    return Because(errno);
  Image.Mapping = Mapping;
  return Image;
}

EnviImage::~EnviImage() {
  if (Mapping)
    ::munmap(Mapping, Bytes);
}

template <typename Sample>
void EnviImage::readLines(size_t First, size_t Count, Sample *Planes) const {
  assert(sizeof(Sample) == bytesOf(Header.Type) && "not the type of the file");
  assert(First + Count <= Header.Size.Lines && "lines behind the last one");
  const auto [Bands, Lines, Samples] = Header.Size;
  // In samples: how far it is from a band, a line and a column to the next.
  size_t NextBand = Lines * Samples, NextLine = Samples, NextColumn = 1;
  if (Header.Layout == Interleave::Bil)
    NextBand = Samples, NextLine = Bands * Samples;
  else if (Header.Layout == Interleave::Bip)
    NextBand = 1, NextLine = Bands * Samples, NextColumn = Bands;
  const bool Swap =
      Header.BigEndian != (std::endian::native == std::endian::big);
  const auto *Data = static_cast<const char *>(Mapping) + Header.Offset;

  // The offset need not be a multiple of the sample's size, so samples are
  // copied by bytes. Lines outside: BIL and BIP then touch each page once.
  for (size_t Line = 0; Line < Count; ++Line) {
    for (size_t Band = 0; Band < Bands; ++Band) {
      const char *From =
          Data + (Band * NextBand + (First + Line) * NextLine) * sizeof(Sample);
      Sample *To = Planes + (Band * Count + Line) * Samples;
      if (NextColumn == 1)
        std::memcpy(To, From, Samples * sizeof(Sample));
      else
        for (size_t I = 0; I < Samples; ++I)
          std::memcpy(To + I, From + I * NextColumn * sizeof(Sample),
                      sizeof(Sample));
      if (Swap)
        for (size_t I = 0; I < Samples; ++I)
          To[I] = swapped(To[I]);
    }
  }
}

template void EnviImage::readLines(size_t, size_t, uint8_t *) const;
template void EnviImage::readLines(size_t, size_t, int16_t *) const;
template void EnviImage::readLines(size_t, size_t, uint16_t *) const;
template void EnviImage::readLines(size_t, size_t, float *) const;

std::string EnviImage::whyNotFinite() const {
  if (Header.Type != SampleType::Float32)
    return "";
  const auto [Bands, Lines, Samples] = Header.Size;
  std::vector<float> Strip(Bands * Samples);
  for (size_t Line = 0; Line < Lines; ++Line) {
    readLines(Line, 1, Strip.data());
    for (size_t I = 0; I < Strip.size(); ++I)
      if (!std::isfinite(Strip[I]))
        return fmt::format("'{}' has {} in band {}, line {}, sample {}, which "
                           "has no covariance",
                           File, Strip[I], I / Samples + 1, Line + 1,
                           I % Samples + 1);
  }
  return "";
}

} // namespace mnf

//===- ImageWriter.h - Writes an ENVI image, whole or not at all *- C++ -*-===//
//
// A result arrives in pieces and can be larger than memory. It grows in a file
// beside its place, which takes its name when all is there; until then, and
// after a failure or an interrupt, what was at that name stays.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_IMAGE_IMAGEWRITER_H
#define WARPWISE_MNF_CASE_STUDY_IMAGE_IMAGEWRITER_H

#include "mnf_case_study/image/EnviHeader.h"
#include "profiler/io/Descriptor.h"

#include <string>
#include <utility>

namespace mnf {

class ImageWriter {
public:
  /// Makes room for all of the image, so a full disk is known at once.
  static Expected<ImageWriter> create(const std::string &Path,
                                      EnviHeader Header);
  ImageWriter(ImageWriter &&Other) noexcept
      : Path(std::move(Other.Path)), Beside(std::exchange(Other.Beside, {})),
        Header(std::move(Other.Header)), File(std::move(Other.File)) {}
  ImageWriter &operator=(ImageWriter &&) = delete;
  /// Removes what finish() has not put in its place.
  ~ImageWriter();

  /// Puts samples at their place, counted in bytes from the first one. Empty,
  /// or the reason of the failure.
  std::string write(const void *Data, size_t Bytes, uint64_t At);

  /// Gives the image its name and writes the header beside it (PATH.hdr).
  std::string finish();

private:
  ImageWriter() : File(-1) {}

  std::string Path, Beside;
  EnviHeader Header;
  warpwise::io::Descriptor File;
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_IMAGE_IMAGEWRITER_H

//===- EnviHeader.h - The text beside an ENVI image -------------*- C++ -*-===//
//
// An ENVI image is a file of bare samples and a header: "key = value" lines
// after the word ENVI. Values in braces may go over several lines.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_IMAGE_ENVIHEADER_H
#define WARPWISE_MNF_CASE_STUDY_IMAGE_ENVIHEADER_H

#include "mnf_case_study/image/Shape.h"
#include "profiler/io/Expected.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mnf {

using warpwise::io::Expected;
using warpwise::io::Failure;

/// The numbers are ENVI's "data type".
enum class SampleType { UInt8 = 1, Int16 = 2, Float32 = 4, UInt16 = 12 };

size_t bytesOf(SampleType Type);
const char *nameOf(SampleType Type);

/// Which index is the slowest: the band, the line, or the line with the band
/// as the fastest.
enum class Interleave { Bsq, Bil, Bip };

const char *nameOf(Interleave Layout);

struct EnviHeader {
  Shape Size;
  SampleType Type = SampleType::UInt8;
  Interleave Layout = Interleave::Bsq;
  bool BigEndian = false;
  /// Bytes before the first sample.
  uint64_t Offset = 0;
  std::string Description;
  /// Empty or one a band.
  std::vector<std::string> BandNames;

  uint64_t dataBytes() const { return Size.size() * bytesOf(Type); }
};

/// The reason of a failure does not name the file.
Expected<EnviHeader> parseHeader(std::string_view Text);

std::string formatHeader(const EnviHeader &Header);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_IMAGE_ENVIHEADER_H

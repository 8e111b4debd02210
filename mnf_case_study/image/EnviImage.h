//===- EnviImage.h - Reads an ENVI image through a mapping ------*- C++ -*-===//
//
// The file is mapped, not read: an image may be larger than memory, and a strip
// of it is all that one pass needs.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_IMAGE_ENVIIMAGE_H
#define WARPWISE_MNF_CASE_STUDY_IMAGE_ENVIIMAGE_H

#include "mnf_case_study/image/EnviHeader.h"

#include <cassert>
#include <cstddef>
#include <string>
#include <utility>

namespace mnf {

class EnviImage {
public:
  /// \p Path is the image or its header; the other one is looked for beside it.
  static Expected<EnviImage> open(const std::string &Path);

  EnviImage(EnviImage &&Other) noexcept
      : Header(std::move(Other.Header)), File(std::move(Other.File)),
        Mapping(std::exchange(Other.Mapping, nullptr)), Bytes(Other.Bytes) {}
  EnviImage &operator=(EnviImage &&) = delete;
  ~EnviImage();

  const EnviHeader &header() const { return Header; }
  const Shape &shape() const { return Header.Size; }
  const std::string &file() const { return File; }

  /// Lines [First, First + Count) of all bands as planes, in this machine's
  /// byte order. \p Sample is the type of the file: visitSamples() finds it.
  template <typename Sample>
  void readLines(size_t First, size_t Count, Sample *Planes) const;

  /// Empty, or where a float is not a number.
  std::string whyNotFinite() const;

private:
  EnviImage() = default;

  EnviHeader Header;
  std::string File;
  void *Mapping = nullptr;
  size_t Bytes = 0;
};

/// Calls \p Function with a value of the C++ type of \p Type.
template <typename Callable>
decltype(auto) visitSamples(SampleType Type, Callable &&Function) {
  switch (Type) {
  case SampleType::UInt8:
    return Function(uint8_t());
  case SampleType::Int16:
    return Function(int16_t());
  case SampleType::UInt16:
    return Function(uint16_t());
  case SampleType::Float32:
    break;
  }
  assert(Type == SampleType::Float32 && "the header's parser knows no other");
  return Function(float());
}

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_IMAGE_ENVIIMAGE_H

//===- Cublas.h - What cuBLAS makes of the steps ----------------*- C++ -*-===//
//
// The yardstick. cuBLAS has no product of unsigned bytes: floats need four
// times the memory, and signed bytes have to have 128 taken off first. Its
// 32-bit sums of bytes overflow after 131,072 pixels, so the exact way cuts the
// image. A row of ones beside the bands makes their sums another product.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_DEVICE_CUBLAS_H
#define WARPWISE_MNF_CASE_STUDY_DEVICE_CUBLAS_H

#include "mnf_case_study/device/Cuda.h"

#include <cstdint>
#include <optional>

struct cublasContext;

namespace mnf {

class Cublas {
public:
  /// For images of up to that size.
  Cublas(int Bands, int Samples, int Lines);
  Cublas(const Cublas &) = delete;
  Cublas &operator=(const Cublas &) = delete;
  ~Cublas();

  static size_t bytesOfSums(int Bands, int Samples, int Lines);
  static size_t bytesOfHalves(int Bands, int Pixels);

  /// Copies as exact products need them: \p Pixels less 128, and ones.
  void makeSigned(const uint8_t *Image, int Pixels, int Pitch);
  /// The noise instead, by V5 of the filter.
  void makeNoise(const uint8_t *Image, int Samples, int Lines, int Pitch);
  /// Adds the exact products and sums of what was copied last.
  void addProducts(int64_t *Products, int64_t *OfBands);

  /// Step S8 from a copy in half precision, which holds bytes exactly, and
  /// weights in two halves.
  void makeHalves(const uint8_t *Image, int Pixels, int Pitch);
  void transformHalves(const float *Weights, int Components, float *Result,
                       int ResultPitch);

  /// The same from a copy in floats, and products that are not exact.
  void makeFloats(const uint8_t *Image, int Pixels, int Pitch);
  void transformFloats(const float *Weights, int Components, float *Result,
                       int ResultPitch);
  void multiplyFloats(float *Products, bool Tf32);

private:
  size_t roomForBytes() const;

  cublasContext *Handle = nullptr;
  int Bands, MostPixels;
  int Pixels = 0, Parts = 0, FloatPitch = 0;
  /// What was taken off the samples that were copied.
  int Less = 0;
  /// The image whose noise was copied, on the device.
  struct {
    const uint8_t *Image;
    int Samples, Lines, Pitch;
  } Noise = {};
  // What the calls above need, made when they first do.
  std::optional<Buffer<int8_t>> Bytes;
  std::optional<Buffer<char>> Wide;
  std::optional<Buffer<int32_t>> OfParts;
  std::optional<Buffer<float>> Floats;
  std::optional<Buffer<uint16_t>> Halves, HalfWeights;
  std::optional<Buffer<unsigned>> Largest;
  std::optional<Buffer<float>> Scalars;
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_DEVICE_CUBLAS_H

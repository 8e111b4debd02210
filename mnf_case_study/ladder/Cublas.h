//===- Cublas.h - What cuBLAS makes of the steps ----------------*- C++ -*-===//
//
// The yardstick. cuBLAS has no product of unsigned bytes: floats need four
// times the memory, and signed bytes have to have 128 taken off first. Its
// 32-bit sums of bytes overflow after 131,072 pixels, so the exact way cuts the
// image.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_LADDER_CUBLAS_H
#define WARPWISE_MNF_CASE_STUDY_LADDER_CUBLAS_H

#include <cstddef>
#include <cstdint>

struct cublasContext;

namespace mnf {

class Cublas {
public:
  /// Makes a float and a signed copy of the image.
  Cublas(const uint8_t *Image, int Bands, int Pixels, int Pitch);
  Cublas(const Cublas &) = delete;
  ~Cublas();

  void convertToFloat();
  /// Bands x Bands floats.
  void multiplyFloats(float *Products, bool Tf32);
  /// Into 32-bit sums, too many for them: how fast the instruction is.
  void multiplyBytes();
  /// Adds exact products of the samples less 128.
  void addProducts(int64_t *Products);
  /// Step S8 from the float copy.
  void transform(const float *Weights, int Components, float *Result,
                 int ResultPitch);

private:
  cublasContext *Handle = nullptr;
  const uint8_t *Image;
  int Bands, Pixels, Pitch, Parts;
  float *Floats = nullptr;
  int8_t *Bytes = nullptr;
  int32_t *OfParts = nullptr;
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_LADDER_CUBLAS_H

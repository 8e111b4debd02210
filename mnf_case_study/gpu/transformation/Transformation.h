//===- Transformation.h - Step S8, version by version -----------*- C++ -*-===//
//
// Result = transpose(Weights) * Image. Weights is Bands x Components on the
// device, Components planes of floats come out, ResultPitch apart. Versions up
// to V3 add band by band in the same order and agree to the last bit where the
// compiler fuses alike; V4 and V5 agree as well as floats allow.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_TRANSFORMATION_TRANSFORMATION_H
#define WARPWISE_MNF_CASE_STUDY_GPU_TRANSFORMATION_TRANSFORMATION_H

#include <cstdint>

namespace mnf {

/// As many as fit constant memory with 224 bands.
constexpr int MostComponents = 64;

/// A thread a pixel and component; the weights are in global memory.
void transformV0(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch);
/// The weights are in constant memory.
void transformV1(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch);
/// The image is shared by the components through shared memory, too.
void transformV2(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch);
/// A thread computes twenty components of four pixels.
void transformV3(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch);
/// Tensor cores, and weights as whole numbers of 24 bits: exact sums of those.
void transformV4(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch);
/// The same with bulk copies and a shorter preparation.
void transformV5(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_TRANSFORMATION_TRANSFORMATION_H

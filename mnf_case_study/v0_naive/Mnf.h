//===- Mnf.h - The hotspots of the MNF rotation, not optimised --*- C++ -*-===//
//
// Declares the naive kernels (version V0 of the paper, section 8.2) that have a
// file of their own. They are launched from Main.cu, so what their accesses
// cost can only be told from another translation unit.
//
// A hyperspectral image is a Bands x Pixels matrix of 8-bit samples, one band
// after the other; a band is Height rows of Width pixels.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_V0_NAIVE_MNF_H
#define WARPWISE_MNF_CASE_STUDY_V0_NAIVE_MNF_H

#include <cuda_runtime.h>

namespace mnf {

/// Step S1: Noise = Image - median of the 3x3 window. One thread per sample;
/// blockIdx.z is the band.
__global__ void filterNoise(const unsigned char *Image, short *Noise, int Width,
                            int Height);

/// Step S8: Components = transpose(Weights) * Image. One thread per pixel;
/// blockIdx.y is the component. Weights is a Bands x gridDim.y matrix.
__global__ void transformImage(const unsigned char *Image, const float *Weights,
                               float *Components, int Pixels, int Bands);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_V0_NAIVE_MNF_H

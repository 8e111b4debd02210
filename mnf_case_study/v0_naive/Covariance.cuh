//===- Covariance.cuh - Covariance matrix of the bands (V0) -----*- C++ -*-===//
//
// One thread computes one element of the matrix and walks along two bands.
// Neighbouring threads walk along neighbouring bands, a whole image apart, and
// the running sum stays in global memory: what the paper's V1 to V4 mend.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_V0_NAIVE_COVARIANCE_CUH
#define WARPWISE_MNF_CASE_STUDY_V0_NAIVE_COVARIANCE_CUH

namespace mnf {

/// Steps S2 (the noise, 16 bits) and S4 (the image, 8 bits). Covariance is a
/// Bands x Bands matrix that starts as zero.
template <typename Sample>
__global__ void addCovariance(const Sample *Data, const float *Means,
                              float *Covariance, int Bands, int Pixels) {
  int Column = blockIdx.x * blockDim.x + threadIdx.x;
  int Row = blockIdx.y * blockDim.y + threadIdx.y;
  if (Column >= Bands || Row >= Bands)
    return;

  int Element = Row * Bands + Column;
  for (int Pixel = 0; Pixel < Pixels; ++Pixel)
    Covariance[Element] += (Data[Row * Pixels + Pixel] - Means[Row]) *
                           (Data[Column * Pixels + Pixel] - Means[Column]);
  Covariance[Element] /= Pixels - 1;
}

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_V0_NAIVE_COVARIANCE_CUH

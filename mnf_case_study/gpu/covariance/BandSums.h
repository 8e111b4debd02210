//===- BandSums.h - The sum of each band ------------------------*- C++ -*-===//
//
// For versions of the covariance that add products alone.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_BANDSUMS_H
#define WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_BANDSUMS_H

#include <cstdint>

namespace mnf {

/// Adds the samples of each band; bands lie \p Pitch samples apart.
template <typename Sample>
void addBandSums(const Sample *Data, int64_t *OfBands, int Bands, int Pixels,
                 int Pitch);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_BANDSUMS_H

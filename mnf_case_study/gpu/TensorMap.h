//===- TensorMap.h - Planes as the copy engine sees them --------*- C++ -*-===//
//
// Hopper's bulk copies take boxes out of a matrix that a tensor map describes:
// where it begins, how far apart its rows are, how large a box is. What is not
// of the matrix comes as zeros. Without a header of the toolkit, so that the
// kernels can be analysed where there is none.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_TENSORMAP_H
#define WARPWISE_MNF_CASE_STUDY_GPU_TENSORMAP_H

#include <cstdint>

namespace mnf {

/// A CUtensorMap.
struct alignas(64) TensorMap {
  uint64_t Words[16];
};

/// The pixels of a box, in rows of 128 bytes whose pieces of 16 bytes are
/// exchanged so that eight rows have the same piece in eight different banks.
constexpr int PixelsOfBox = 128;

/// \p Bands rows of \p Pixels bytes, \p Pitch apart; boxes of \p BandsOfBox
/// bands. \p Data and \p Pitch are multiples of 16.
TensorMap mapOf(const void *Data, int Bands, int Pixels, int Pitch,
                int BandsOfBox);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_TENSORMAP_H

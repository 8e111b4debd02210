//===- Covariance.h - Steps S2 and S4, version by version -------*- C++ -*-===//
//
// Adds, for each pair of bands, the products of their samples to a Bands x
// Bands matrix of exact whole numbers; serial/Sums.h says how a covariance
// follows from them. Row <= column is what counts. Data points to the first
// pixel of the first band; bands lie Pitch samples apart. All versions have the
// same result bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_COVARIANCE_H
#define WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_COVARIANCE_H

#include <cstddef>
#include <cstdint>

namespace mnf {

/// A thread an element; the running sum is in global memory.
template <typename Sample>
void addProductsV0(const Sample *Data, int64_t *Products, int Bands, int Pixels,
                   int Pitch);
/// A block an element; the threads' sums are in shared memory.
template <typename Sample>
void addProductsV1(const Sample *Data, int64_t *Products, int Bands, int Pixels,
                   int Pitch);
/// A block an element; the threads' sums are in registers.
template <typename Sample>
void addProductsV2(const Sample *Data, int64_t *Products, int Bands, int Pixels,
                   int Pitch);
/// 16 x 16 elements a block, which share their samples through shared memory.
template <typename Sample>
void addProductsV3(const Sample *Data, int64_t *Products, int Bands, int Pixels,
                   int Pitch);
/// The same without bank conflicts.
template <typename Sample>
void addProductsV4(const Sample *Data, int64_t *Products, int Bands, int Pixels,
                   int Pitch);
/// The half of a symmetric matrix, 4 x 4 elements a thread, four samples a
/// multiplication (dp4a). Bytes only.
void addProductsV5(const uint8_t *Data, int64_t *Products, int Bands,
                   int Pixels, int Pitch);
/// All bands in one block: each sample is read once, tensor cores multiply, and
/// copies run ahead. Also adds up the bands. Bytes, and no more than MostBands.
void addProductsV6(const uint8_t *Data, int64_t *Products, int64_t *OfBands,
                   int Bands, int Pixels, int Pitch);
/// The same with wgmma, for Hopper; also of signed bytes. Scratch is memory on
/// the device.
size_t scratchBytesV7(int Pixels);
template <typename Sample>
void addProductsV7(const Sample *Data, int64_t *Products, int64_t *OfBands,
                   int Bands, int Pixels, int Pitch, void *Scratch);

/// One launch for one matrix or for two, whose blocks add up their own partial
/// sums. Data and Pitch are multiples of 16; one launch at a time.
struct JobV8 {
  const void *Data;
  bool IsSigned; ///< int8_t, or else uint8_t.
  int64_t *Products, *OfBands;
  int Pixels, Pitch;
};
size_t scratchBytesV8(int Pixels);
void addProductsV8(const JobV8 &Of, int Bands, void *Scratch);
void addProductsV8(const JobV8 (&Of)[2], int Bands, void *Scratch);

/// V7 of two sets of up to MostBands / 2 rows each: a MostBands x
/// MostBands matrix, in which the second set begins in the middle.
struct RowsV7 {
  const uint8_t *Sets[2];
  int Counts[2];
};
void addProductsOfRowsV7(const RowsV7 &Of, int64_t *Products, int64_t *OfRows,
                         int Pixels, int Pitch, void *Scratch);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_COVARIANCE_H

//===- WarpCost.h - What a warp's 32 addresses cost -------------*- C++ -*-===//
//
// Pure arithmetic: from the addresses of one request to sectors, wavefronts
// and constant words. Every function takes the addresses of all 32 lanes and
// the mask of those that are active; the others are ignored.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_WARP_WARPCOST_H
#define WARPWISE_ANALYZER_WARP_WARPCOST_H

#include <array>
#include <cstdint>

namespace warpwise::warp {

using LaneAddresses = std::array<uint64_t, 32>;

/// Distinct 32-byte sectors that the active lanes touch. The sector is the unit
/// of transfer between L1 and L2 since Maxwell (Nsight Compute documentation,
/// "Memory tables"; measured on the H200 for the project's ground truth).
unsigned sectors(const LaneAddresses &Addresses, uint32_t Active,
                 unsigned Bytes);

/// The sectors that the same distinct bytes would need if they lay densely
/// from an aligned start, as Nsight Compute's
/// memory_l2_theoretical_sectors_global_ideal counts them.
unsigned idealSectors(const LaneAddresses &Addresses, uint32_t Active,
                      unsigned Bytes);

/// Passes of a load through shared memory's 32 four-byte banks. 8-byte loads
/// are served per half warp and 16-byte ones per quarter warp; two halves
/// become one when each lane's neighbour (by lane ^ 1, or by lane ^ 2) is
/// inactive or reads the same address, and so do the quarters of a half warp.
/// Lanes that read the same word of a bank share a pass.
///
/// Source of this and the next four: 700 single requests on an H200, counted by
/// Nsight Compute (test/gpu/wavefronts); one of them takes a pass more than
/// said here.
unsigned wavefronts(const LaneAddresses &Addresses, uint32_t Active,
                    unsigned Bytes);

/// The same for a store, whose halves and quarters never join.
unsigned storeWavefronts(const LaneAddresses &Addresses, uint32_t Active,
                         unsigned Bytes);

/// The same for an atomic operation: lanes that hit the same word take turns,
/// so each lane counts. \p Bytes is 4 or 8 (or 16 for a compare-and-swap).
unsigned atomicWavefronts(const LaneAddresses &Addresses, uint32_t Active,
                          unsigned Bytes);

/// The passes that Nsight Compute calls ideal for a load: as many as the bytes
/// of the active lanes fill, neighbours (lane ^ 1) with one address counted
/// once.
unsigned idealWavefronts(const LaneAddresses &Addresses, uint32_t Active,
                         unsigned Bytes);

/// The same for a store, for which every active lane counts.
unsigned idealStoreWavefronts(uint32_t Active, unsigned Bytes);

/// Distinct 4-byte words, each of which constant memory serves separately.
unsigned distinctWords(const LaneAddresses &Addresses, uint32_t Active,
                       unsigned Bytes);

} // namespace warpwise::warp

#endif // WARPWISE_ANALYZER_WARP_WARPCOST_H

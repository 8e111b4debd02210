//===- WarpCost.h - What a warp's 32 addresses cost -------------*- C++ -*-===//
//
// Pure arithmetic: from the addresses of one request to sectors, wavefronts
// and constant words. Every function takes the device's law, the addresses of
// all 32 lanes and the mask of those that are active; the others are ignored.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_WARP_WARPCOST_H
#define WARPWISE_PROFILER_WARP_WARPCOST_H

#include "profiler/profile/RequestLaw.h"

#include <array>
#include <cstdint>

namespace warpwise::warp {

using profile::RequestLaw;
using LaneAddresses = std::array<uint64_t, RequestLaw::Lanes>;

/// Distinct sectors that the active lanes touch. The sector is the unit of
/// transfer between L1 and L2 since Maxwell (Nsight Compute documentation,
/// "Memory tables"; measured on the H200 for the project's ground truth).
unsigned sectors(const RequestLaw &Law, const LaneAddresses &Addresses,
                 uint32_t Active, unsigned Bytes);

/// Distinct lines of L1 that the active lanes touch.
unsigned lines(const RequestLaw &Law, const LaneAddresses &Addresses,
               uint32_t Active, unsigned Bytes);

/// The sectors that as many lanes would need if each had bytes of its own and
/// these lay densely from an aligned start, or those that they need now if
/// these are fewer, as lanes share: what Nsight Compute calls
/// memory_l2_theoretical_sectors_global_ideal. (So it was for 4,437 of 4,453
/// load and store instructions of full warps of PolyBench, cuda-samples and
/// HeCBench on an H200; the others are means over unlike requests.)
unsigned idealSectors(const RequestLaw &Law, const LaneAddresses &Addresses,
                      uint32_t Active, unsigned Bytes);

/// Passes of a load through the banks of shared memory. The warp is split into
/// as many phases as the width needs: halves for 8 bytes and quarters for 16
/// where a pass has 128 bytes. Two neighbouring phases become one when each
/// lane's neighbour (by lane ^ 1, or by lane ^ 2) is inactive or reads the same
/// address. Lanes that read the same word of a bank share a pass, and so do
/// words that the bank delivers together (RequestLaw::RowsPerPass).
///
/// Source of this and the next four: 700 single requests on an H200, counted by
/// Nsight Compute (test/gpu/wavefronts); one of them takes a pass more than
/// said here. That phases join is assumed of other GPUs.
unsigned wavefronts(const RequestLaw &Law, const LaneAddresses &Addresses,
                    uint32_t Active, unsigned Bytes);

/// The same for a store, whose halves and quarters never join.
unsigned storeWavefronts(const RequestLaw &Law, const LaneAddresses &Addresses,
                         uint32_t Active, unsigned Bytes);

/// The same for an atomic operation: lanes that hit the same word take turns,
/// so each lane counts, and each word of a bank is served by itself. \p Bytes
/// is 4 or 8 (or 16 for a compare-and-swap). Before Maxwell an atomic was a
/// loop around a lock; that its rounds are the turns is assumed.
unsigned atomicWavefronts(const RequestLaw &Law, const LaneAddresses &Addresses,
                          uint32_t Active, unsigned Bytes);

/// An atomic operation that shared memory lacks is a loop of a
/// compare-and-swap, in whose rounds all lanes try that have not succeeded yet.
/// Of those that want a word one succeeds, and of those of a phase that want a
/// bank (lanes in order). Each phase with a lane left takes two passes,
/// whatever its addresses. Source: 108 loops of one warp on an H200, 4 and 8
/// bytes, counted by Nsight Compute (ATOMS.CAST.SPIN; docs/h200.md).
struct SwapLoop {
  unsigned Rounds = 0;
  unsigned Wavefronts = 0, IdealWavefronts = 0; ///< of all rounds
  /// Of one round, to the nearest whole number.
  unsigned wavefrontsOfRound() const {
    return Rounds ? (2 * Wavefronts + Rounds) / (2 * Rounds) : 0;
  }
  unsigned idealOfRound() const {
    return Rounds ? (2 * IdealWavefronts + Rounds) / (2 * Rounds) : 0;
  }
};
SwapLoop swapLoop(const RequestLaw &Law, const LaneAddresses &Addresses,
                  uint32_t Active, unsigned Bytes);

/// The passes that Nsight Compute calls ideal for a load: as many as the bytes
/// of the active lanes fill, neighbours (lane ^ 1) with one address counted
/// once.
unsigned idealWavefronts(const RequestLaw &Law, const LaneAddresses &Addresses,
                         uint32_t Active, unsigned Bytes);

/// The same for a store, for which every active lane counts.
unsigned idealStoreWavefronts(const RequestLaw &Law, uint32_t Active,
                              unsigned Bytes);

/// The passes that a load needs even where no two lanes want one bank: the
/// halves (8 bytes a lane) or quarters (16) of a warp that have an active lane,
/// two that join as one.
unsigned conflictFreeWavefronts(const RequestLaw &Law,
                                const LaneAddresses &Addresses, uint32_t Active,
                                unsigned Bytes);

/// The same for a store.
unsigned conflictFreeStoreWavefronts(const RequestLaw &Law, uint32_t Active,
                                     unsigned Bytes);

/// Distinct words, each of which constant memory serves separately. They are as
/// wide as the elements that are loaded (RequestLaw::constantBytes).
unsigned distinctWords(const RequestLaw &Law, const LaneAddresses &Addresses,
                       uint32_t Active, unsigned Bytes);

} // namespace warpwise::warp

#endif // WARPWISE_PROFILER_WARP_WARPCOST_H

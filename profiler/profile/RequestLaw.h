//===- RequestLaw.h - How hardware splits a warp's request ------*- C++ -*-===//
//
// The few sizes on which it depends how many sectors, wavefronts and words the
// addresses of a warp make. Plain numbers, read off a profile once and handed
// to everything that counts; no count knows a size of its own.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_REQUESTLAW_H
#define WARPWISE_PROFILER_PROFILE_REQUESTLAW_H

#include "profiler/profile/Profile.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace warpwise::profile {

/// All sizes but one are powers of two. The defaults are those of every GPU
/// since Maxwell (CUDA C++ Programming Guide, compute capabilities 5.x
/// to 12.x).
struct RequestLaw {
  /// Threads of a warp: WARP_SZ of the PTX ISA, the same on all GPUs, and what
  /// lane masks of 32 bits rest on.
  static constexpr unsigned Lanes = 32;
  /// Bounds for arrays that are sized by a law.
  static constexpr unsigned MostBanks = 64;

  unsigned SectorBytes = 32; ///< unit of transfer between L1 and L2
  unsigned LineBytes = 128;  ///< of L1
  unsigned Banks = 32;       ///< of shared memory
  unsigned BankBytes = 4;    ///< of a bank's word
  /// Words that a bank delivers in one pass, when they are neighbours in the
  /// bank and the first one's row is a multiple of this. 2 on Kepler, whose
  /// banks have 64 bits also where their words have 32 (CUDA C Programming
  /// Guide, compute capability 3.x, "32-bit mode").
  unsigned RowsPerPass = 1;
  /// A line of the first level of the constant caches, and how many it has. No
  /// power of two, and 0 where nobody has measured it: nothing is said of what
  /// that level keeps then.
  unsigned ConstantLineBytes = 64;
  unsigned ConstantLines = 0;
  /// The most that one load or store moves for a lane, by the architecture.
  unsigned VectorBytes = 16;

  bool operator==(const RequestLaw &) const = default;

  /// What all banks together deliver in one pass.
  constexpr unsigned passBytes() const {
    return Banks * BankBytes * RowsPerPass;
  }
  /// Neighbouring lanes that fill one pass with accesses of \p Bytes each.
  constexpr unsigned lanesOfPass(unsigned Bytes) const {
    return std::clamp(passBytes() / std::bit_ceil(std::max(Bytes, 1u)), 1u,
                      Lanes);
  }
  /// What constant memory serves in a pass, of elements of \p Bytes: one of
  /// them, whatever its size, to all lanes that ask for it. On an H200 a
  /// request takes 2 clk for each distinct element of 1, 2, 4 and 8 bytes
  /// alike, bytes of one word included. That wider ones are served by eight is
  /// assumed.
  static constexpr unsigned constantBytes(unsigned Bytes) {
    return std::clamp(std::bit_floor(Bytes), 1u, 8u);
  }
  /// Two requests cost the same when their addresses differ by a multiple of
  /// this.
  constexpr unsigned period() const {
    return std::max(passBytes(), SectorBytes);
  }
};

/// A law and what of it the profile does not tell.
struct KnownLaw {
  RequestLaw Law;
  /// One for each size that is the default for want of a better one: "bytes of
  /// a bank's word: 4 (levels.shared.bank_width has no value)".
  std::vector<std::string> Assumed;
};

/// The law of the GPU that \p P describes.
KnownLaw requestLaw(const Profile &P);

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_REQUESTLAW_H

//===- ArchitectureLimits.h - What a compute capability fixes ---*- C++ -*-===//
//
// The one table of what all GPUs of an architecture have in common: how large
// blocks and grids may be, and what an SM holds. Who needs such a number takes
// it from here.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_ARCHITECTURELIMITS_H
#define WARPWISE_PROFILER_PROFILE_ARCHITECTURELIMITS_H

#include "profiler/profile/Profile.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpwise::profile {

/// The same on every GPU since compute capability 3.0.
constexpr unsigned MostBlockThreads = 1024;
constexpr std::array<uint32_t, 3> MostBlockExtents = {1024, 1024, 64};
constexpr std::array<uint32_t, 3> MostGridExtents = {2147483647, 65535, 65535};
constexpr unsigned MostThreadRegisters = 255; ///< since 3.5
constexpr uint64_t StaticSharedBytes = 48 << 10;
constexpr uint64_t ConstantBytes = 64 << 10;

struct ArchitectureLimits {
  unsigned Capability = 0; ///< 90 for 9.0
  /// What an SM does in a cycle: results of 32-bit and 64-bit floating point,
  /// of 32-bit integer addition and of the special functions (reciprocal,
  /// exponential, sine ...), instructions that it issues, and texels that it
  /// looks up (texture units of an SM).
  struct Throughput {
    unsigned Singles = 0, Doubles = 0, Integers = 0, Specials = 0, Issued = 0;
    unsigned Textures = 4;
  } Sm;
  unsigned SmThreads = 0, SmBlocks = 0;
  unsigned SmRegisters = 0, BlockRegisters = 0;     ///< of 32 bits
  uint64_t SmSharedBytes = 0, BlockSharedBytes = 0; ///< at the most
  uint64_t ReservedSharedBytes = 0; ///< of each block, by the system
  bool GlobalLoadsUseL1 = true;     ///< those without a cache hint
  /// Sizes that shared memory can be given of what it shares with L1, in KiB
  /// and ascending; 0 is not among them. Empty: L1 is by itself.
  std::span<const uint16_t> SharedSteps;
  /// The most that one load or store moves for a lane: PTX ISA, ld and st, .v4
  /// of 32 bits and, in global memory from 10.0 on, .v8.
  unsigned VectorBytes = 16;
  /// PTX ISA: cp.async from sm_80 on.
  bool hasAsyncCopies() const { return Capability >= 80; }
};

/// 90 for "sm_90" and "sm_90a"; nothing when it is neither.
std::optional<unsigned> capabilityOf(std::string_view Architecture);

/// The limits of \p Architecture ("sm_90", "sm_90a"), or null when it is not in
/// the table.
const ArchitectureLimits *limitsOf(std::string_view Architecture);

/// The whole table, ascending.
std::span<const ArchitectureLimits> architectures();

/// Limits, and whether they are those of the architecture that was asked for.
struct KnownLimits {
  ArchitectureLimits Limits;
  bool Assumed = false; ///< those of the closest older one, else of the oldest
};
KnownLimits closestLimits(std::string_view Architecture);

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_ARCHITECTURELIMITS_H

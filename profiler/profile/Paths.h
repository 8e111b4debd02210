//===- Paths.h - The paths of a profile by name -----------------*- C++ -*-===//
//
// Every path that the code names: paths::levels_l1_latency is
// "levels.l1.latency", spelled as in the document with '_' for the dots so that
// either can be searched for. The table is Paths.def.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_PATHS_H
#define WARPWISE_PROFILER_PROFILE_PATHS_H

#include "profiler/profile/EntryPath.h"

#include <string>
#include <string_view>

namespace warpwise::paths {

// NOLINTBEGIN(readability-identifier-naming)
#define RECORD2(A, B)                                                          \
  inline constexpr profile::EntryPath A##_##B{std::string_view(#A "." #B)};
#define RECORD3(A, B, C)                                                       \
  inline constexpr profile::EntryPath A##_##B##_##C{                           \
      std::string_view(#A "." #B "." #C)};
#define RECORD4(A, B, C, D)                                                    \
  inline constexpr profile::EntryPath A##_##B##_##C##_##D{                     \
      std::string_view(#A "." #B "." #C "." #D)};
#define RECORD5(A, B, C, D, E)                                                 \
  inline constexpr profile::EntryPath A##_##B##_##C##_##D##_##E{               \
      std::string_view(#A "." #B "." #C "." #D "." #E)};
#include "profiler/profile/Paths.def"
// NOLINTEND(readability-identifier-naming)

// Families: the same leaf for every memory, degree or count.

/// "levels.l1.latency" from "l1" and "latency".
inline std::string ofLevel(std::string_view Level, std::string_view Leaf) {
  return "levels." + std::string(Level) + "." + std::string(Leaf);
}
/// "warp.shared.b4" from "shared" and "b4".
inline std::string ofWarp(std::string_view Memory, std::string_view Leaf) {
  return "warp." + std::string(Memory) + "." + std::string(Leaf);
}
/// What a warp takes whose lanes read by groups of \p Degree one element.
inline std::string broadcast(std::string_view Memory, unsigned Degree) {
  return ofWarp(Memory, "broadcast.degree_" + std::to_string(Degree));
}
/// What a warp takes with a pattern: "aligned", "misaligned", "nonconsecutive".
inline std::string constraint(std::string_view Memory,
                              std::string_view Pattern) {
  return ofWarp(Memory, "constraint." + std::string(Pattern));
}
/// The curve of the SMs of the first blocks, \p PerSm of them on each.
inline std::string firstWave(unsigned PerSm) {
  const std::string One(topology_placement_first_wave.text());
  return PerSm == 1 ? One : One + "_" + std::to_string(PerSm);
}

} // namespace warpwise::paths

#endif // WARPWISE_PROFILER_PROFILE_PATHS_H

//===- LaunchFacts.h - How kernels are launched -----------------*- C++ -*-===//
//
// Grid, block, dynamic shared memory and arguments of kernel launches, as far
// as the host code tells. Plain data: collected from the AST by
// LaunchCollector, merged over a project by the tool, consumed by the lane
// evaluator.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_FACTS_LAUNCHFACTS_H
#define WARPWISE_ANALYZER_LAUNCH_FACTS_LAUNCHFACTS_H

#include "analyzer/launch/facts/Contents.h"
#include "analyzer/source/Place.h"

#include <array>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::launch {

/// x, y, z as in CUDA's dim3.
using Dim3 = std::array<uint32_t, 3>;

/// One kernel argument as the host passes it.
struct Argument {
  /// Value of an integer, bool or enumeration argument; 0 for a null pointer.
  std::optional<int64_t> Integer;
  /// Value of a floating-point argument.
  std::optional<double> Real;
  /// For a pointer: bytes from the start of its allocation. 0 for the result
  /// of cudaMalloc and its kin passed as it is.
  std::optional<int64_t> PointerOffset;
  /// For a pointer into a small allocation, a table: the bytes of that.
  std::optional<uint64_t> TableBytes;
  /// For a pointer: the bytes of its allocation, of any size, as far as one
  /// sees; where arguments lead to several places in it, from there to the next
  /// of these, or to its end. Nothing is proven by it.
  std::optional<uint64_t> AllocationBytes;
  /// For a pointer: to the start of an allocation of which the host code tells
  /// nobody but this kernel: it allocates, fills and frees it.
  bool IsScratch = false;
  /// For a pointer: another argument of the launch leads to the same
  /// allocation.
  bool IsShared = false;
  /// For a pointer: to memory that is not that of the GPU that runs the kernel:
  /// pinned memory of the host, or what another process has allocated.
  bool IsElsewhere = false;
  /// For a pointer: certainly not null, because the host code takes an address
  /// or allocates memory. Otherwise it may be null unless Integer says so.
  bool NotNull = false;
  /// For a by-value struct: known members by byte offset; of floating-point
  /// ones the bit pattern, of pointers what PointerOffset is of an argument.
  struct Member {
    uint64_t Offset = 0;
    unsigned Bytes = 0;
    int64_t Value = 0;
    /// False when the value is a default, as for the whole argument.
    bool Certain = true;
    bool IsPointer = false;

    auto operator<=>(const Member &) const = default;
  };
  std::vector<Member> Members;
  /// For a pointer: what is behind it, if the user has said so, or the host
  /// code copies it there. Equal contents of one unit are one object.
  std::shared_ptr<const Contents> Holds;
  /// False when the value is a default that the program can change at run
  /// time (overwritten under a condition that is not known here). Members have
  /// their own.
  bool Certain = true;

  bool operator==(const Argument &) const = default;
};

/// An extent that is computed from an integer argument of the launch: it is
/// (argument * Times + Plus) / By, rounded down.
struct FromArgument {
  uint32_t Argument = 0;
  int64_t Times = 1, Plus = 0, By = 1;

  /// Neither these three nor what they are asked about is larger, so that
  /// nothing overflows.
  static constexpr int64_t Most = int64_t(1) << 31;

  bool operator==(const FromArgument &) const = default;

  int64_t extentFor(int64_t Its) const {
    assert(std::abs(Its) <= Most && "no argument of a usual size");
    return (Its * Times + Plus) / By;
  }
  /// The argument for which \p Extent blocks have nothing left over.
  int64_t argumentFor(int64_t Extent) const { return Extent * By / Times; }
};

/// Along each axis; empty where nothing of the kind is known.
using FromArguments = std::array<std::optional<FromArgument>, 3>;

/// The condition of an alternative that is left when no other's holds.
inline constexpr std::string_view Otherwise = "otherwise";

/// One launch of one kernel, as far as it is known. The same launch in a host
/// loop appears once for each distinct set of values.
struct Launch {
  std::string Mangled; ///< of the kernel's device-side name
  Place At;            ///< of the call, without a column
  std::optional<Dim3> Block, Grid;
  /// False when Block is a default that the program can change at run time.
  bool BlockCertain = true, GridCertain = true;
  /// Of an unknown Block: its extents along the axes of which they are certain,
  /// 0 along the others. {0, 1, 1} is a row of threads along x.
  Dim3 BlockAxes = {0, 0, 0};
  /// Of an unknown Block: what its extents are limited by, 0 along axes where
  /// nothing is known, as behind `min(n, 1024)`. Long rows come to the limit.
  Dim3 BlockMost = {0, 0, 0};
  /// The same of an unknown Grid.
  Dim3 GridMost = {0, 0, 0};
  /// Of an unknown Grid: what it is computed from, in case that is an argument.
  FromArguments GridFrom = {};
  std::optional<uint64_t> DynamicSharedBytes;
  bool SharedBytesCertain = true;
  std::vector<Argument> Arguments;
  /// Of launches that are alternatives, what leads to this one: "n is 1", or
  /// Otherwise; empty when nothing does.
  std::string When;
  /// It is made for one value of a variable; another one is the general case.
  bool IsSpecial = false;
  /// There is none: each launch that is written is behind a condition that is
  /// false whatever the program gets, as for a type that another kernel is for.
  bool IsDead = false;
  /// The way here is for integers, one of the arguments at least, that are no
  /// multiples of this: what others leave over. 0: nothing of the kind.
  unsigned NoMultipleOf = 0;
  /// How often the walk saw exactly this launch.
  unsigned Count = 1;
  /// Iterations of the loop around it were left out before this one.
  bool AfterGap = false;

  bool operator==(const Launch &) const = default;
};

/// What Launch::BlockAxes, BlockMost or GridMost of two launches say in common.
inline Dim3 commonAxes(Dim3 Axes, const Dim3 &Others) {
  for (size_t Axis = 0; Axis != Axes.size(); ++Axis)
    if (Axes[Axis] != Others[Axis])
      Axes[Axis] = 0;
  return Axes;
}

/// What Launch::GridFrom of two launches say in common.
inline FromArguments commonFormulas(FromArguments All,
                                    const FromArguments &Others) {
  for (size_t Axis = 0; Axis != All.size(); ++Axis)
    if (All[Axis] != Others[Axis])
      All[Axis].reset();
  return All;
}

/// Where a block shape comes from.
enum class ShapeSource {
  Launch, ///< a launch in the project
  Bounds, ///< __launch_bounds__, an upper bound
  Option, ///< --block
  Assumed ///< tried because nothing is known
};

/// A launch as the access model lists it.
struct Shape {
  Dim3 Block = {1, 1, 1};
  std::optional<Dim3> Grid;
  uint64_t DynamicSharedBytes = 0;
  ShapeSource Source = ShapeSource::Assumed;
  Place At;                    ///< of the call, if there is one
  std::string When;            ///< as in Launch
  bool IsSpecial = false;      ///< as in Launch
  bool IsDead = false;         ///< as in Launch
  unsigned NoMultipleOf = 0;   ///< as in Launch
  Dim3 GridMost = {0, 0, 0};   ///< as in Launch
  FromArguments GridFrom = {}; ///< as in Launch

  bool isOtherwise() const { return When == Otherwise; }
  /// There is such a launch, in the project or for the user.
  bool wasSeen() const { return At.isKnown() || Source == ShapeSource::Option; }
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_FACTS_LAUNCHFACTS_H

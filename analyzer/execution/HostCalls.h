//===- HostCalls.h - What compiled kernels call -----------------*- C++ -*-===//
//
// The functions that stand for what the host has no instruction for, with the
// names under which compiled kernels find them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EXECUTION_HOSTCALLS_H
#define WARPWISE_ANALYZER_EXECUTION_HOSTCALLS_H

#include <cstdint>
#include <span>

namespace warpwise::execution {

/// Special registers, in the order of NamesOfRegisters.
enum class Register : uint32_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  WarpSize,
  MaskLess,
  MaskLessEqual,
  MaskEqual,
  MaskGreater,
  MaskGreaterEqual
};

/// As PTX has them; with an underscore for a dot it is the same register.
inline constexpr const char *NamesOfRegisters[] = {
    "tid.x",       "tid.y",       "tid.z",       "ntid.x",      "ntid.y",
    "ntid.z",      "ctaid.x",     "ctaid.y",     "ctaid.z",     "nctaid.x",
    "nctaid.y",    "nctaid.z",    "laneid",      "warpid",      "warpsize",
    "lanemask.lt", "lanemask.le", "lanemask.eq", "lanemask.gt", "lanemask.ge"};

enum class BarrierKind : uint32_t { Plain, Count, And, Or };

enum class Exchange : uint32_t {
  ShuffleIndex,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  Ballot,
  Any,
  All,
  Uniform,
  ActiveMask,
  Match,
  Add,
  MinS,
  MaxS,
  MinU,
  MaxU,
  And,
  Or,
  Xor
};

/// In a shuffle's result: the source lane was within the segment.
inline constexpr uint64_t ShuffleValid = uint64_t(1) << 32;

/// Bits of what spaceOf() answers.
enum : uint32_t { IsGlobal = 1, IsShared = 2, IsConstant = 4, IsLocal = 8 };

struct HostCall {
  const char *Name;
  void *Address;
};

/// The entry points of this process for kernels. Their names begin with
/// OwnPrefix (Names.h), which nothing that the source declares does.
std::span<const HostCall> hostCalls();

class BlockRunner;
/// The one whose threads call; there is one run at a time.
void setCurrent(BlockRunner *Runner);
BlockRunner &current();

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_HOSTCALLS_H

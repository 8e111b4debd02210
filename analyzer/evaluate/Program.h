//===- Program.h - A kernel as the lane evaluator runs it -------*- C++ -*-===//
//
// The part of a kernel that decides addresses and control flow, compiled from
// canonical IR into flat steps: floating-point work that no address depends on
// is left out. Built once for a kernel, run for many warps.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROGRAM_H
#define WARPWISE_ANALYZER_EVALUATE_PROGRAM_H

#include "analyzer/evaluate/LoadUses.h"
#include "analyzer/evaluate/PrivateUses.h"
#include "analyzer/evaluate/WarpWindow.h"
#include "analyzer/lowering/TensorCore.h"
#include "analyzer/model/AccessModel.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace llvm {
class AllocaInst;
class Function;
class GlobalVariable;
class Instruction;
class Value;
} // namespace llvm

namespace warpwise::access {

/// What a step does. Widths are in Step::Bits.
enum class Code : uint8_t {
  // Two operands, integers.
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  MinS,
  MaxS,
  MinU,
  MaxU,
  MulHighS,
  MulHighU,
  AddSaturateS,
  AddSaturateU,
  SubSaturateS,
  SubSaturateU,
  Equal,
  NotEqual,
  LessU,
  LessEqualU,
  LessS,
  LessEqualS,
  // Two operands, floating point; Bits is 32 or 64.
  FAdd,
  FSub,
  FMul,
  FDiv,
  FLess,
  FLessEqual,
  FEqual,
  FNotEqual,
  FMin,
  FMax,
  // One operand.
  Copy,
  ZeroExtend,
  SignExtend,
  Truncate,
  Abs,
  CountLeadingZeros,
  CountTrailingZeros,
  CountOnes,
  ReverseBits,
  FNeg,
  FFloor,
  FCeil,
  FTrunc,
  FRound, ///< halves away from zero
  FRoundEven,
  FSqrt,
  FAbs,
  SignedToFloat,
  UnsignedToFloat,
  FloatToSigned,
  FloatToUnsigned,
  FloatResize,
  // Three operands.
  Select,
  FunnelLeft,
  FunnelRight,
  /// Result = A + sign-extended B (SourceBits wide) * Immediate.
  AddScaled,
  // Memory. A is the address, B the value of a store.
  Load,
  Store,
  Atomic,
  /// An access whose result is not followed: cp.async, assembly, the further
  /// parts of a split access.
  CallAccess,
  /// A request of a matrix fragment. B is the leading dimension in elements.
  Fragment,
  // Between the lanes of the warp.
  ShuffleIndex,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  Ballot, ///< Immediate: whether the votes are only counted
  VoteAny,
  VoteAll,
  /// A sum, or what else redux.sync makes, of all lanes.
  WarpReduce,
  ActiveMask,
  /// The Immediate-th member of the aggregate or vector A.
  Extract,
  /// Unknown in every lane; Immediate holds the Origin bits.
  Unknown,
  /// Uniform when every operand is, else unknown; Immediate is the Origin.
  Opaque,
  /// A barrier: sibling accesses do not reach across it.
  Barrier
};

constexpr uint32_t NoSlot = ~0u;

struct Step {
  Code What;
  uint8_t Bits = 64, SourceBits = 64;
  uint32_t Result = NoSlot;
  uint32_t A = NoSlot, B = NoSlot, C = NoSlot;
  int64_t Immediate = 0;
  /// Index into Program::Sites, or -1.
  int32_t Site = -1;
  const llvm::Instruction *From = nullptr;
};

/// A value that is there before the first step.
struct Preset {
  enum class Kind {
    Constant,
    Argument,
    Global,
    Private,
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
    LaneMaskLess,
    LaneMaskLessEqual,
    LaneMaskEqual,
    LaneMaskGreater,
    LaneMaskGreaterEqual,
    Assumed,  ///< uniform, but nothing is known
    Undefined ///< unknown in every lane
  } What;
  uint32_t Slot = 0;
  /// Constant: the value. Argument: its number. Global, Private: an offset.
  uint64_t Number = 0;
  const llvm::Value *Object = nullptr;
};

struct Phi {
  uint32_t Slot;
  uint8_t Bits; ///< of the value
  /// Slot of the incoming value, by predecessor block.
  std::vector<std::pair<uint32_t, uint32_t>> Incoming;
};

struct BlockCode {
  std::vector<Phi> Phis;
  uint32_t FirstStep = 0, EndStep = 0;
  /// None: lanes end here.
  enum class Ending { None, Jump, Branch, Switch } End = Ending::None;
  uint32_t Condition = NoSlot;
  uint8_t ConditionBits = 1;
  /// The condition is computed from what all threads of a block have alike, and
  /// once: whatever it is, the warps of a block go the same way.
  bool IsOfBlock = false;
  /// The condition is computed from where in the grid the thread is, and
  /// perhaps from arguments, and from nothing else.
  bool IsOfPlace = false;
  /// Jump: one. Branch: taken when true, else. Switch: default first.
  std::vector<uint32_t> Targets;
  std::vector<uint64_t> Cases; ///< of Targets[1], Targets[2] ...
  /// Innermost loop, as an index into Program::Loops, or -1.
  int32_t Loop = -1;
  bool IsHeader = false;
  /// Block where all paths from here meet again; NoSlot: only at the end.
  uint32_t Meets = NoSlot;
  /// One of the ways of a branch whose ways meet here stores to private memory.
  bool JoinsPrivateStores = false;
  /// What one execution takes of a warp; see BlockSchedule.h.
  std::array<float, PipeCount> Issued{}, Leading{};
  /// Of Issued and ChainSteps, what belongs to the end; see Gathering.h.
  std::array<float, PipeCount> Gathered{};
  float GatheredSteps = 0;
  double BulkBytes = 0; ///< of the copies that one lane starts there
  float ChainSteps = 0;
  unsigned Barriers = 0;
  /// nvcc does without the branch around it: a warp of which no lane takes part
  /// goes through it all the same, switched off.
  bool IsPredicated = false;
  unsigned SharedRequests = 0; ///< that it makes then, too
  /// How often nvcc writes it out: the rounds of the loops around it that are.
  float Copies = 1;
};

/// A loop whose remaining rounds are known at its header. See LoopCounting.h.
struct Countdown {
  /// The loop goes on while Compare holds, with the counter on one side.
  Code Compare = Code::LessS;
  bool CounterIsA = true;
  uint8_t Bits = 32;
  uint32_t Counter = NoSlot, Bound = NoSlot;
  /// What one round adds to a phi of the header.
  struct Advance {
    uint32_t Slot = NoSlot;
    /// The phi takes over what that one, which advances so, held in the round
    /// before: "Last = I++". NoSlot: it advances itself.
    uint32_t Follows = NoSlot;
    uint32_t Step = NoSlot; ///< or NoSlot: Constant
    int64_t Constant = 0;
    uint8_t Bits = 64;
    bool Subtract = false;
  };
  std::vector<Advance> Advances; ///< those that follow others before these
  unsigned CounterAdvance = 0;   ///< the counter's own, in Advances
  /// What is compared is the counter's value of the next round.
  bool Ahead = false;
};

struct LoopInfo {
  int32_t Parent = -1;
  uint32_t Header = 0;
  unsigned Depth = 1;
  bool HasInner = false; ///< loops lie in it
  std::optional<Countdown> Count;
  /// Slots whose values change from round to round.
  std::vector<uint32_t> Varying;
};

/// One memory instruction.
struct Site {
  const llvm::Instruction *Instruction = nullptr;
  Space Memory = Space::Generic;
  Operation Op = Operation::Load;
  unsigned Bytes = 0;
  Access::Kind Sort = Access::Kind::Plain;
  uint32_t Block = 0;
  unsigned LoopDepth = 0;
  /// The variable behind the pointer, or null when there are several.
  const llvm::Value *Object = nullptr;
  /// See lowering::ObjectInfo::IsWithin.
  bool IsWithinObject = false;
  /// Sites with the same number are candidates for siblings: same block (or
  /// loop that is written out) and operation, same object or same pointer to
  /// one of several, no barrier in between.
  int Segment = -1;
  /// The outermost loop around it that the compiler writes out, with all loops
  /// in between, or -1.
  int32_t UnrolledIn = -1;
  uint32_t Lanes = ~0u; ///< lanes whose address counts
  /// If the kernel does not say which of its indices is the one that runs along
  /// memory: their strides, of which one is likely 1.
  std::vector<const llvm::Value *> OpenStrides;
  /// See shortSteps().
  std::vector<const llvm::Value *> ShortSteps;
  /// See laneStrides().
  std::vector<const llvm::Value *> LaneStrides;
  /// Shared atomics: lanes with the same address take turns.
  bool Serialises = false;
  /// An atomic that shared memory lacks: nvcc makes a loop of it, of which one
  /// round is listed.
  bool IsEmulated = false;
  /// Atomics: nvcc carries out one for all lanes of a warp; all are seen to hit
  /// one word.
  bool IsJoined = false, HitsOneWord = false;
  /// Atomics: those of \p Active that go to memory.
  uint32_t lanesThatAsk(uint32_t Active) const {
    return IsJoined ? Active & (0u - Active) : Active;
  }
  /// See Access::Waits and Access::WaitGroup.
  float Waits = 0, WaitsIfRestricted = 0, WaitsIfInRegister = 0;
  std::optional<unsigned> WaitGroup;
  unsigned RoundsAtOnce = 1; ///< see Access::RoundsAtOnce
  /// The same, wherever the loop begins (FirstRound::Aligned).
  unsigned MostRoundsAtOnce = 1;
  /// The loop during which a register could hold what it accesses, or -1, and
  /// which of the thread's words that is. See CarriedWords.h.
  int32_t CarriedIn = -1;
  unsigned CarriedWord = 0;
  /// See Access.
  bool BringsTile = false, IsFactor = false, IsCounted = false; ///< see Access
  /// Loads: the shared array that takes the value as it is, or null.
  const llvm::Value *StagedIn = nullptr;
  bool IsTensorTile = false; ///< see Access
  Index At;
  std::optional<WarpWindow> Window; ///< see warpWindow()
  int64_t RoundBytes = 0;           ///< see Access
  SwapLoop Swaps = SwapLoop::None;  ///< see Access
  bool RoundsAddUp = false, BeginsAfresh = false, IsSameInRounds = false,
       WalksAcross = false, IsOverGrid = false, Gathers = false; ///< see Access
  /// For tensor core fragments: index into Program::Fragments.
  int Fragment = -1;
};

/// One request of a matrix fragment, with the bytes of an element.
struct FragmentStep {
  lowering::FragmentRequest Request;
  unsigned ElementBytes = 0;
};

/// Whatever runs a program relies on what ProgramBuilder.cpp's isWellFormed()
/// asserts: every index is within its table, and every block but the entry is
/// entered from where its phis expect.
struct Program {
  const llvm::Function *Kernel = nullptr;
  /// In an order in which every block of a loop comes before what follows the
  /// loop; 0 is the entry.
  std::vector<BlockCode> Blocks;
  std::vector<Step> Steps;
  std::vector<Preset> Presets;
  std::vector<LoopInfo> Loops;
  std::vector<Site> Sites;
  std::vector<FragmentStep> Fragments;
  /// Private arrays whose contents are followed, with their sizes.
  std::vector<std::pair<const llvm::AllocaInst *, uint64_t>> Privates;
  /// Their accesses, with the block that holds each.
  std::vector<std::pair<PrivateUse, uint32_t>> PrivateUses;
  /// Sizes of the variables and by-value arguments that it names, 0 where the
  /// launch gives it. Whoever runs it asks LLVM no sizes: that would be a
  /// change of what threads share.
  std::map<const llvm::Value *, uint64_t> ObjectBytes;
  uint32_t Slots = 0;

  bool UsesTidY = false, UsesTidZ = false;
  /// Three given integers or more are multiplied with each other in 32 bits.
  bool MultipliesSizes = false;
  /// By axis: whether it asks for the number of its block.
  std::array<bool, 3> AsksForBlock{};
  bool asksForBlock() const {
    return AsksForBlock[0] || AsksForBlock[1] || AsksForBlock[2];
  }
  /// A memory instruction, or a call that may lead to some, that no site
  /// stands for, and what it is ("a texture fetch").
  struct Omission {
    const llvm::Instruction *Instruction = nullptr;
    std::string What;
  };
  std::vector<Omission> Omissions;
  /// Memory instructions of the kernel as it was compiled, and those of them
  /// that sites stand for.
  unsigned MemoryInstructions = 0, Modelled = 0;
};

/// True when loop \p Inner is \p Outer or lies in it; -1 is the whole kernel.
bool isWithin(const std::vector<LoopInfo> &Loops, int32_t Inner, int32_t Outer);

Program compileKernel(llvm::Function &Kernel);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_PROGRAM_H

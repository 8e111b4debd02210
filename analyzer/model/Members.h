//===- Members.h - All members of the model's structures --------*- C++ -*-===//
//
// For those who write a model down and read it again: members(S, Do) calls Do
// with every member of S, in their order. A member that is added to a structure
// does not compile before it is added here.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_MODEL_MEMBERS_H
#define WARPWISE_ANALYZER_MODEL_MEMBERS_H

#include "analyzer/model/AccessModel.h"

#include <concepts>
#include <type_traits>

namespace warpwise::access {

/// \p S is a \p T, which may be const.
template <typename S, typename T>
concept IsA = std::same_as<std::remove_const_t<S>, T>;

template <IsA<profile::RequestLaw> S> void members(S &From, auto &&Do) {
  auto &[SectorBytes, LineBytes, Banks, BankBytes, RowsPerPass,
         ConstantLineBytes, ConstantLines, VectorBytes] = From;
  Do(SectorBytes, LineBytes, Banks, BankBytes, RowsPerPass, ConstantLineBytes,
     ConstantLines, VectorBytes);
}

template <IsA<launch::Contents> S> void members(S &From, auto &&Do) {
  auto &[What, ElementBytes, Elements, Below, Seed, Data, IsLikely] = From;
  Do(What, ElementBytes, Elements, Below, Seed, Data, IsLikely);
}

template <IsA<launch::Argument::Member> S> void members(S &From, auto &&Do) {
  auto &[Offset, Bytes, Value, Certain, IsPointer] = From;
  Do(Offset, Bytes, Value, Certain, IsPointer);
}

template <IsA<launch::Argument> S> void members(S &From, auto &&Do) {
  auto &[Integer, Real, PointerOffset, TableBytes, AllocationBytes, IsScratch,
         IsShared, IsElsewhere, NotNull, Members, Holds, Certain] = From;
  Do(Integer, Real, PointerOffset, TableBytes, AllocationBytes, IsScratch,
     IsShared, IsElsewhere, NotNull, Members, Holds, Certain);
}

template <IsA<launch::FromArgument> S> void members(S &From, auto &&Do) {
  auto &[Argument, Times, Plus, By] = From;
  Do(Argument, Times, Plus, By);
}

template <IsA<launch::Launch> S> void members(S &From, auto &&Do) {
  auto &[Mangled, At, Block, Grid, BlockCertain, GridCertain, BlockAxes,
         BlockMost, GridMost, GridFrom, DynamicSharedBytes, SharedBytesCertain,
         Arguments, When, IsSpecial, IsDead, NoMultipleOf, Count, AfterGap] =
      From;
  Do(Mangled, At, Block, Grid, BlockCertain, GridCertain, BlockAxes, BlockMost,
     GridMost, GridFrom, DynamicSharedBytes, SharedBytesCertain, Arguments,
     When, IsSpecial, IsDead, NoMultipleOf, Count, AfterGap);
}

template <IsA<launch::Shape> S> void members(S &From, auto &&Do) {
  auto &[Block, Grid, DynamicSharedBytes, Source, At, When, IsSpecial, IsDead,
         NoMultipleOf, GridMost, GridFrom] = From;
  Do(Block, Grid, DynamicSharedBytes, Source, At, When, IsSpecial, IsDead,
     NoMultipleOf, GridMost, GridFrom);
}

template <IsA<Frame> S> void members(S &From, auto &&Do) {
  auto &[Where, Function] = From;
  Do(Where, Function);
}

template <IsA<LanePattern> S> void members(S &From, auto &&Do) {
  auto &[ActiveMask, Offsets, Stride, Warp, IsMadeUp, IsStepMadeUp, StepVaries,
         StepFactors] = From;
  Do(ActiveMask, Offsets, Stride, Warp, IsMadeUp, IsStepMadeUp, StepVaries,
     StepFactors);
}

template <IsA<Footprint> S> void members(S &From, auto &&Do) {
  auto &[Requests, FreshSectors, FreshRequests, UsedBytes, UsedSectors,
         ExtentBytes, ObjectExtent, FreshBeside, SameBeside, AlsoRead, Again,
         OwnSectors, OwnBytes, Turns, ForeignTurns, LostLines] = From;
  Do(Requests, FreshSectors, FreshRequests, UsedBytes, UsedSectors, ExtentBytes,
     ObjectExtent, FreshBeside, SameBeside, AlsoRead, Again, OwnSectors,
     OwnBytes, Turns, ForeignTurns, LostLines);
}

template <IsA<GroupCost> S> void members(S &From, auto &&Do) {
  auto &[Sectors, IdealSectors, Rounds, Requests] = From;
  Do(Sectors, IdealSectors, Rounds, Requests);
}

template <IsA<Unstaged> S> void members(S &From, auto &&Do) {
  auto &[Sectors, Lines, LinePasses, FreshSectors, FreshRequests] = From;
  Do(Sectors, Lines, LinePasses, FreshSectors, FreshRequests);
}

template <IsA<Cost::FirstRequest> S> void members(S &From, auto &&Do) {
  auto &[Warp, ActiveMask] = From;
  Do(Warp, ActiveMask);
}

template <IsA<Cost> S> void members(S &From, auto &&Do) {
  auto &[Launch, State, Reason, ActiveLanes, Sectors, IdealSectors, Wavefronts,
         IdealWavefronts, ConflictFreeWavefronts, JoinedWavefronts, Words,
         SwapRounds, Low, High, Possible, Least, Most, DataDecides, IsIndexed,
         ObjectBytes, IsScratch, IsShared, IsElsewhere, First, WithSiblings,
         SharedSectors, RecordSectors, Beside, Lines, LinePasses, Reach, Direct,
         KeptIfInRegister, LoadedBeside, Requests, Weight, PerWarp,
         RoundsPerEntry, Worst, IssuedAlone, StepsAlone] = From;
  Do(Launch, State, Reason, ActiveLanes, Sectors, IdealSectors, Wavefronts,
     IdealWavefronts, ConflictFreeWavefronts, JoinedWavefronts, Words,
     SwapRounds, Low, High, Possible, Least, Most, DataDecides, IsIndexed,
     ObjectBytes, IsScratch, IsShared, IsElsewhere, First, WithSiblings,
     SharedSectors, RecordSectors, Beside, Lines, LinePasses, Reach, Direct,
     KeptIfInRegister, LoadedBeside, Requests, Weight, PerWarp, RoundsPerEntry,
     Worst, IssuedAlone, StepsAlone);
}

template <IsA<Element> S> void members(S &From, auto &&Do) {
  auto &[Type, Bytes, Holds, IsLibrarys, LongestMember] = From;
  Do(Type, Bytes, Holds, IsLibrarys, LongestMember);
}

template <IsA<Access> S> void members(S &From, auto &&Do) {
  auto &[Where, MergedWith, InlinedAt, InLibrary, Memory, Op, Bytes, Object,
         Root, Of, Index, IndexBytes, IndexOffset, RoundBytes, Array, Trips,
         IsRestricted, LoopDepth, Loop, Group, Slides, RoundsAddUp,
         BeginsAfresh, IsSameInRounds, WalksAcross, Gathers, IsOverGrid,
         Repeats, Kept, KeptIfRestricted, WaitsIfRestricted, WaitsIfInRegister,
         BringsTile, StagedIn, IsTensorTile, IsFactor, IsCounted, Sort, Waits,
         IsWrittenOut, WaitGroup, RoundsAtOnce, IsJoined, Accumulates,
         IsAnswerUsed, Swaps, SettlesAfter, RepeatsPerLane, PerLaunch] = From;
  Do(Where, MergedWith, InlinedAt, InLibrary, Memory, Op, Bytes, Object, Root,
     Of, Index, IndexBytes, IndexOffset, RoundBytes, Array, Trips, IsRestricted,
     LoopDepth, Loop, Group, Slides, RoundsAddUp, BeginsAfresh, IsSameInRounds,
     WalksAcross, Gathers, IsOverGrid, Repeats, Kept, KeptIfRestricted,
     WaitsIfRestricted, WaitsIfInRegister, BringsTile, StagedIn, IsTensorTile,
     IsFactor, IsCounted, Sort, Waits, IsWrittenOut, WaitGroup, RoundsAtOnce,
     IsJoined, Accumulates, IsAnswerUsed, Swaps, SettlesAfter, RepeatsPerLane,
     PerLaunch);
}

template <IsA<PrivateArray> S> void members(S &From, auto &&Do) {
  auto &[Name, Declared, Bytes, DynamicIndex, IndexText, CountsRounds, Of,
         EscapesTo, IntoRecursion, OutOfReach, MayBeSelected, IsTable, Array,
         Confirmed] = From;
  Do(Name, Declared, Bytes, DynamicIndex, IndexText, CountsRounds, Of,
     EscapesTo, IntoRecursion, OutOfReach, MayBeSelected, IsTable, Array,
     Confirmed);
}

template <IsA<Work> S> void members(S &From, auto &&Do) {
  auto &[Blocks, IsWholeGrid, BlockThreads, SharedBytes, Issued, Leading,
         Gathered, BulkBytes, SwitchedOff, IdleBlocks, ChainSteps,
         GatheredSteps, MostRuns, Barriers, TripsKnown] = From;
  Do(Blocks, IsWholeGrid, BlockThreads, SharedBytes, Issued, Leading, Gathered,
     BulkBytes, SwitchedOff, IdleBlocks, ChainSteps, GatheredSteps, MostRuns,
     Barriers, TripsKnown);
}

template <IsA<Kernel::Omission> S> void members(S &From, auto &&Do) {
  auto &[Where, Reason] = From;
  Do(Where, Reason);
}

template <IsA<Kernel::Balance> S> void members(S &From, auto &&Do) {
  auto &[Written, Lowered, Modelled] = From;
  Do(Written, Lowered, Modelled);
}

template <IsA<Kernel> S> void members(S &From, auto &&Do) {
  auto &[Name, Mangled, Template, Where, State, Reason, Launches, Works,
         HasBarriers, CallsElsewhere, Registers, SpillStores, SpillLoads,
         SpillBytes, Accesses, Arrays, Pointers, Threads, PrivateArrays,
         SelectedBytes, NotModelled, Instructions] = From;
  Do(Name, Mangled, Template, Where, State, Reason, Launches, Works,
     HasBarriers, CallsElsewhere, Registers, SpillStores, SpillLoads,
     SpillBytes, Accesses, Arrays, Pointers, Threads, PrivateArrays,
     SelectedBytes, NotModelled, Instructions);
}

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_MODEL_MEMBERS_H

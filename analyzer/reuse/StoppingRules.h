//===- StoppingRules.h - How little of a launch is enough -------*- C++ -*-===//
//
// Every number that decides what is simulated of a launch and when its figures
// have settled. None of them belongs to a GPU, and none is from the literature:
// they were chosen on PolyBench/GPU and cuda-samples, so that the errors of
// docs/accuracy.md stay as small as they are when all is simulated.
//
// "Halved" and "doubled" say what else would happen to the mean errors of 24
// launches of nine PolyBench programs that have waves to leave out (L1 0.09
// points, L2 0.95 points, reads of L2 1.30 %) and to the accesses that are
// simulated. Where neither is said, both change none of these: the rule is for
// launches that the nine programs do not have.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_STOPPINGRULES_H
#define WARPWISE_ANALYZER_REUSE_STOPPINGRULES_H

#include <cstddef>
#include <cstdint>

namespace warpwise::reuse::stopping {

//===----------------------------------------------------------------------===//
// What is planned before anything runs (Sampling.cpp, Simulator.cpp)
//===----------------------------------------------------------------------===//

/// Lines that warps ask for, of all blocks together, that may be simulated
/// where the user says nothing.
/// Halved: L1 0.11, reads 2.11, 0.88 times the accesses; doubled: L1 0.11,
/// reads 1.45, 1.51 times the accesses.
inline constexpr uint64_t UsualAccesses = 24'000'000;
/// A GPU does an access in less than a hundredth of the time that the model
/// needs; a large launch may so have this share of its accesses at least.
/// Halved: reads 1.23, 0.85 times the accesses; doubled: 1.10 and 1.18 times.
inline constexpr double LeastOfLaunch = 0.03;
/// Up to so many waves are simulated whole.
/// Doubled: reads 1.18, 1.05 times the accesses.
inline constexpr double WholeWaves = 1.5;
/// Blocks of a part of a wave; fewer say too little of the others.
inline constexpr uint64_t LeastBlocksOfChunk = 128;
/// Parts of a wave, and of one that has too few blocks for so many. More parts
/// may agree sooner, and each says less. Not tried otherwise.
inline constexpr uint64_t UsualChunksOfWave = 4, LeastChunksOfWave = 2;
/// SMs that remain where some are left out.
/// Doubled: L1 0.12, reads 2.62, 1.08 times the accesses.
inline constexpr uint64_t LeastSms = 8;
/// Blocks from all over the grid that must access about as much as each other,
/// and the share of a block's accesses by which they may differ.
inline constexpr unsigned ComparedBlocks = 7;
inline constexpr double MostBlockDifference = 0.02;

//===----------------------------------------------------------------------===//
// Which launches of a kernel are modelled (KernelLaunches.cpp)
//===----------------------------------------------------------------------===//

/// Of more different launches than this only the first, the middle one and the
/// last are modelled, unless the user names others. More take as much more
/// time; no launch's own figures change.
inline constexpr size_t MostLaunches = 8;

//===----------------------------------------------------------------------===//
// When two parts of a launch say the same (Sampling.cpp)
//===----------------------------------------------------------------------===//

/// Differences of hit rates, of one.
/// Halved: L1 0.07 and L2 1.05, or L2 1.06; doubled: 0.95 times the accesses,
/// or L2 1.00.
inline constexpr double MostL1Difference = 0.005, MostL2Difference = 0.05;
/// Of sectors by block.
/// Halved: L2 1.04, reads 1.39.
inline constexpr double MostTrafficDifference = 0.05;
/// Reads of DRAM below this share of those of L2 need not be the same.
inline constexpr double LittleDram = 0.2;

//===----------------------------------------------------------------------===//
// Which parts are compared (Chunks.cpp)
//===----------------------------------------------------------------------===//

/// Parts that are told apart; the last one has all blocks that are left.
inline constexpr uint64_t MostChunks = 128;
/// Parts after the first wave that are dealt alone.
/// Halved: L2 1.04, reads 0.97, 1.05 times the accesses.
inline constexpr size_t MostAloneChunks = 2;
/// After each so many parts that did not agree one more is put together.
inline constexpr size_t ChunksBeforeMore = 4;
/// Misses of known lines, of all, from which on L1 may be warming up.
/// Doubled: L1 0.12, L2 0.99.
inline constexpr double MostKnownMisses = 0.03;
/// Until L1s have been filled so often.
inline constexpr double MostFillings = 1.25;

//===----------------------------------------------------------------------===//
// What L1s will find because all blocks read it (Chunks.cpp, SharedLines.cpp)
//===----------------------------------------------------------------------===//

/// By how much of L1's hit rate what is foreseen may be wrong.
inline constexpr double MostForeseenError = 0.01;
/// The share of SMs that must have shown how fast that changes.
inline constexpr double LeastOfSms = 0.5;
/// One of two to this many lines is followed.
inline constexpr unsigned FollowedShift = 2;
/// A line is read by all when so many SMs have fetched it, and not yet more
/// than this share of all.
/// LeastCopies halved: reads 1.10; doubled: L2 0.99.
inline constexpr double LeastCopies = 6, MostOfSms = 0.9;
/// The share of known misses that are of such lines.
/// Doubled, which is never: L2 1.03, reads 1.19, 1.07 times the accesses.
inline constexpr double LeastShared = 0.8;
/// What an SM may lack of them when its L1 is full.
/// Halved: L1 0.11, L2 1.01, reads 1.36.
inline constexpr double MostSharedLeft = 0.25;

//===----------------------------------------------------------------------===//
// Long loops of few blocks (TraceWindows.cpp)
//
// Here of 14 launches of eight programs (L1 0.06, L2 1.07, reads 3.94). Those
// from MostWarpDifference on were not tried.
//===----------------------------------------------------------------------===//

/// Accesses of a launch below which looking costs as much as is saved.
inline constexpr double LeastLaunchAccesses = 1e6;
/// Windows of each warp's trace that are tried, and how many are simulated.
/// LeastWindows doubled: L2 1.11, reads 3.55, twice the time.
inline constexpr unsigned MostWindows = 64, LeastWindows = 16;
/// Halved: reads 3.47, four times the time, as windows disagree; doubled: reads
/// 3.57, 1.7 times the time.
inline constexpr unsigned SimulatedWindows = 4;
/// Of those that are simulated, the last ones stand for the rest: more than
/// one, as a row's share of a window may end within what L2 fetches at once.
/// Halved: L2 1.00, reads 3.41; doubled, the cold one counts: L1 13.78.
inline constexpr unsigned StandingWindows = 2;
/// SMs drift apart, the fastest at first: where the last two of a few windows
/// differ, those of some more may not.
inline constexpr unsigned MostSimulatedWindows = 6;
/// Windows of fewer accesses of a warp, or of the launch, say little.
/// Of a warp halved: L2 1.30, reads 5.07; doubled: reads 3.55, 1.8 times the
/// time.
inline constexpr size_t LeastWarpAccessesOfWindow = 64;
inline constexpr double LeastAccessesOfWindow = 250'000;
/// The share by which what a site does in windows may differ, what is little
/// beside the other sites, and how many requests it takes for a window to be
/// one more or less than another.
inline constexpr double MostWindowDifference = 0.03, LittleOfWindow = 0.01;
inline constexpr double LeastRequestsOfWindow = 1.5;
/// The share by which the lengths of warps' traces may differ, and accesses
/// that always may: one request.
inline constexpr double MostWarpDifference = 0.03, AccessesOfRequest = 32;
/// The shares by which the misses of two windows may differ; SMs that drift
/// apart merge less and less of theirs.
inline constexpr double MostL1MissDifference = 0.03;
inline constexpr double MostL2MissDifference = 0.15;
/// Reads of DRAM below this share of those of L2 need not be the same.
inline constexpr double LittleDramOfWindow = 0.5;

} // namespace warpwise::reuse::stopping

#endif // WARPWISE_ANALYZER_REUSE_STOPPINGRULES_H

//===- Repair.h - What an advice leaves of a launch's demands ---*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_PRICE_REPAIR_H
#define WARPWISE_ANALYZER_PRICE_REPAIR_H

#include "analyzer/model/AccessModel.h"
#include "analyzer/price/DeviceRates.h"
#include "analyzer/price/KernelTime.h"

#include <cstddef>
#include <optional>
#include <span>

namespace warpwise::price {

/// What an atomic adds up is added up before it reaches that memory: in global
/// memory's place by the threads of a block, in shared memory's by those of a
/// warp.
struct Accumulation {
  /// That a block adds to. One word is added up in registers and by shuffles,
  /// several in shared memory.
  double Words = 1;
  /// Of a request of several words there.
  double Wavefronts = 1;
};

/// A block brings what it reads into shared memory first, tile by tile and side
/// by side, and reads it there.
struct Staging {
  double Sectors = 0;    ///< that a block brings, each once
  double Wavefronts = 1; ///< of a request, afterwards
  /// Requests as they are that one afterwards serves (access::Access).
  double RoundsAtOnce = 1;
};

/// What following an advice makes of one access.
struct Repair {
  size_t Access = 0; ///< index into Kernel::Accesses
  /// Of a request, afterwards; unset: as before.
  std::optional<double> Sectors = {}, Wavefronts = {}, Words = {};
  /// Where data decide how much of that is reached: the sectors of a request if
  /// little of it is.
  std::optional<double> SectorsAtWorst = {};
  std::optional<double> LostLines = {};
  /// Of its requests, the share that is left.
  double Share = 1;
  /// Of these, so many become one of as many times wider lanes.
  double AtOnce = 1;
  /// Its bytes come, or go, with the request of that one, index into
  /// Kernel::Accesses: for each lane they share a sector. Share is 0 then.
  std::optional<size_t> With = {};
  /// Of what is done for it alone (Cost::IssuedAlone), the share that is left
  /// where some of its requests are.
  double AloneShare = 1;
  /// Of the times that a warp waits for it, the share that is left.
  double Waits = 1;
  /// Elements that a thread handles at a time, in place of one, so that there
  /// are as many times fewer threads.
  double ElementsPerThread = 1;
  /// It accesses shared memory afterwards, of which each thread takes so many
  /// bytes more, free of conflicts.
  std::optional<double> IntoShared = {};
  /// Registers may hold it instead, which costs nothing.
  bool MayVanish = false;
  /// Registers hold it, which are so many bytes of a thread more, and what was
  /// done for it alone goes with it, or at least the accesses.
  std::optional<double> IntoRegisters = {};
  std::optional<Accumulation> AddsUp = {};
  /// Atomics: a plain load asks first whether it would change anything. Of the
  /// lanes, the share for which it would, if they came one after the other.
  std::optional<double> Changes = {};
  std::optional<Staging> Staged = {};
  /// It loads from where what lies in shared memory was copied from; the copies
  /// themselves are repairs that leave nothing.
  std::optional<access::Unstaged> Direct = {};
  /// It is an asynchronous copy to shared memory.
  bool IntoAsyncCopy = false;
  /// Atomics on halves: it adds to both of a word, to one of them nothing.
  bool InPairs = false;
  /// Atomics: one does what a loop of compare-and-swap does now, and nobody
  /// waits for it.
  bool IntoOneAtomic = false;
  /// All lanes want one word, which constant memory hands to them.
  bool IntoConstant = false;
};

/// What following an advice makes of the launch as a whole, as factors.
struct Reshape {
  double Blocks = 1;
  double IdleBlocks = 1; ///< of those that do next to nothing
  double BlockThreads = 1;
  double SharedBytes = 1; ///< of a block
  /// Of each request that has room for them, where as many times fewer warps do
  /// the work.
  double Lanes = 1;
  /// Of a thread, and nothing is spilled: in numbers, not as a factor.
  std::optional<unsigned> Registers = {};
  /// What is spilled lies in shared memory.
  bool SpillsIntoShared = false;
  /// Of a thread, where it has one now: there are as many times fewer blocks,
  /// which do the same for each result but for what repairs leave out.
  double Results = 1;
  /// A thread brings as many to what its block puts together at the end
  /// (Access::Gathers), where it brings one now: there are as many times fewer
  /// blocks.
  double Brought = 1;
  /// Of the rounds of each loop that only add up (Access::RoundsAddUp), as many
  /// threads do a part each, where one does all now, and put together what they
  /// have found.
  double Parts = 1;
};

/// How much of what an advice promises comes true.
enum class Success { Usual, Least, Most };

/// Whether how much comes true of \p R is not for the source to say.
bool dependsOn(const Repair &R, Success How);

/// \p Before, launch \p Launch of \p K, with \p Repairs and \p Shape. Nothing
/// where that cannot be.
std::optional<Demands>
repaired(const access::Kernel &K, unsigned Launch, const Demands &Before,
         std::span<const Repair> Repairs, const DeviceRates &Device,
         const std::optional<Reshape> &Shape, Success How);

} // namespace warpwise::price

#endif // WARPWISE_ANALYZER_PRICE_REPAIR_H

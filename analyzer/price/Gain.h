//===- Gain.h - How much faster a kernel gets by a repair -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_PRICE_GAIN_H
#define WARPWISE_ANALYZER_PRICE_GAIN_H

#include "analyzer/model/AccessModel.h"
#include "analyzer/price/DeviceRates.h"
#include "analyzer/price/KernelTime.h"

#include <optional>
#include <span>
#include <string>

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
  /// Of the rounds of each loop that only add up (Access::RoundsAddUp), as many
  /// threads do a part each, where one does all now, and put together what they
  /// have found.
  double Parts = 1;
};

/// Time as it is over time as repaired.
struct Gain {
  double Factor = 1, Low = 1, High = 1;
  /// What the kernel is bound by as it is: "L2", "L2 and latency".
  std::string BoundBy;
  /// Of the launch as it is, in microseconds; unset where its grid or the
  /// rounds of its loops are not known. The factor is then that of a launch
  /// that fills the GPU and runs long enough.
  std::optional<double> Microseconds;
  /// The size of the grid is not known: the gain is that of one that fills the
  /// GPU, a smaller one may gain less.
  bool FillsGpu = false;
  /// No launch of the kernel was seen. Filled in like Under.
  bool IsUnlaunched = false;
  /// The launch that this is about, where the kernel has others, too: "block
  /// 32x8 (host.cu:88)". Filled in by who knows how to call it.
  std::string Under = {};
  /// The lower end if nothing but what the repair leaves were uncertain. What
  /// the parts of a time are off by is as likely to raise a gain as to lower
  /// it. For rules: no output has it, and what is read back has none.
  double Sure = 1;

  bool operator==(const Gain &) const = default;
};

/// A launch as it is.
struct Standing {
  double Nanoseconds = 0;
  bool IsWhole = false; ///< as in Gain: nothing of it is unknown
  std::string BoundBy;
};

/// The launch of \p K by which what \p Repairs change of \p Launch is priced:
/// the largest that the same call is known to make with the same block and that
/// does what they repair, as a loop over sizes does; itself, if there is none.
/// Ways to a call that are not told apart are one launch of which little is
/// known.
unsigned pricedFor(const access::Kernel &K, unsigned Launch,
                   std::span<const Repair> Repairs = {});

/// Whether launch \p Launch of \p K waits for a bus, which no profile knows.
bool goesElsewhere(const access::Kernel &K, unsigned Launch);

/// Launch \p Launch of \p K; one of unknown size fills the GPU. Nothing where
/// it goesElsewhere().
std::optional<Standing> standingOf(const access::Kernel &K, unsigned Launch,
                                   const DeviceRates &Device);

/// What \p Repairs and \p Shape make of launch \p Launch of \p K. Nothing when
/// there is nothing of either, when the work of an access that they change is
/// not known, or where there is no standingOf().
std::optional<Gain> gainOf(const access::Kernel &K, unsigned Launch,
                           std::span<const Repair> Repairs,
                           const DeviceRates &Device,
                           const std::optional<Reshape> &Shape = {});

} // namespace warpwise::price

#endif // WARPWISE_ANALYZER_PRICE_GAIN_H

//===- CacheOptions.h - The caches that are simulated -----------*- C++ -*-===//
//
// Every parameter of the physical half of the model: those of RDGC (Kiani and
// Rajabzadeh, Table 2) and what an H200 has beyond them. A device profile fills
// in what was measured; `set` changes one by its name, for exploring.
//
// What no benchmark measures was chosen on PolyBench/GPU. "Halved" and
// "doubled" say what else would happen to the mean errors of 15 launches of ten
// of its programs on an H200 (L1 0.08 points, L2 1.36 points, reads of L2 3.67
// %). Whatever changes the order of events moves these by 0.03, 0.1 and 0.5;
// where neither is said, it is not more than that. Paths such as
// levels.dram.latency name what an H200's profile says.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_CACHEOPTIONS_H
#define WARPWISE_ANALYZER_REUSE_CACHEOPTIONS_H

#include "profiler/profile/Profile.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::reuse {

/// From a line's number to its set.
enum class IndexFunction {
  Modulo,
  ShiftedModulo, ///< without the lowest IndexShift bits
  Prime,         ///< modulo the largest prime up to the number of sets
  Xor            ///< parities of XorMasks, or all bits folded
};
enum class Replacement { Lru, Lfu, Fifo, Random };
/// Which line leaves when the data array is full and the set has a free tag.
enum class PoolVictim {
  Set,   ///< the set's own next victim, another set's only if it has none
  Lru,   ///< the least recently used of the cache
  Random ///< any
};
/// What a store does in a cache that writes through.
enum class StorePolicy {
  Allocate,   ///< the stored sectors become valid
  NoAllocate, ///< the line stays as it is
  Evict       ///< a line that is present leaves (RDGC: write-evict)
};
enum class Bypass {
  Off,
  Writes,
  ReadsAndWrites,
  Global ///< all but local memory, as before compute capability 6
};
enum class BlockMapping {
  RoundRobin, ///< block number modulo SMs
  Partition4, ///< so with groups of four consecutive blocks
  Partition8,
  Random,
  Measured ///< the device's first wave, then the SM that frees first
};
/// Which of the warps that are ready issues next.
enum class WarpOrder {
  RoundRobin,
  GreedyThenOldest,
  Any ///< by chance, on every SM otherwise
};

struct CacheLevel {
  uint64_t CapacityBytes = 0;
  /// Of L2, which no benchmark measures, halved or doubled: the same.
  unsigned Ways = 4;
  /// 0: as many as the capacity needs. More, and the data array is a pool that
  /// is smaller than the tags.
  uint64_t Sets = 0;
  unsigned LineBytes = 128;
  unsigned FillBytes = 32; ///< what a miss brings in, aligned
  IndexFunction Index = IndexFunction::Xor;
  unsigned IndexShift = 0;
  std::vector<uint64_t> XorMasks; ///< over line numbers, a bit of the set each
  Replacement Policy = Replacement::Lru;
  /// Least recently used: of the three the one that explains sweeps of all L1
  /// (CORR and COVAR of PolyBench, 62 % hits on an H200; the others say 70).
  PoolVictim Pool = PoolVictim::Lru;
  /// Ports are those of each bank. Banks of L2 halved: L2 1.57, reads 4.29;
  /// doubled: L2 1.57, reads 4.76. L1's one bank doubled: as it was.
  unsigned Banks = 1, Ports = 1;
  /// Registers for misses under way; 0 registers: never the limit.
  unsigned MshrSets = 1, MshrSize = 0;
  unsigned LatencyCycles = 0;

  bool operator==(const CacheLevel &) const = default;
};

/// SMs of a texture processing cluster: 2k and 2k + 1.
constexpr unsigned TpcSms = 2;

/// What an SM holds and how its warps take turns.
struct SmOptions {
  unsigned Count = 132;
  /// Of the architecture, see profile::ArchitectureLimits.
  unsigned Threads = 0, Blocks = 0, Registers = 0;
  uint64_t SharedBytes = 0;
  uint64_t ReservedSharedBytes = 0; ///< of each block, by the system
  unsigned Schedulers = 4;          ///< halved: L2 1.49
  /// Clocks of an H200 show no order: where L1 is the limit, the first and the
  /// last warp of a block are thousands of cycles apart after a few iterations,
  /// either ahead, and come together again. With strict turns SMs would keep
  /// together and share more misses than they do. The lead is fitted to SYRK,
  /// SYR2K and GESUMMV of PolyBench.
  WarpOrder Order = WarpOrder::Any;
  unsigned WarpLead = 32; ///< instructions that a warp is ahead by chance
  /// Of a warp, before it waits for their values. Halved: L2 1.57, reads 4.65;
  /// doubled: reads 4.28.
  unsigned LoadsInFlight = 4;
  /// Between two memory instructions of a warp. Chosen, not measured.
  unsigned IssueGapCycles = 2;

  bool operator==(const SmOptions &) const = default;
};

struct CacheOptions {
  SmOptions Sm;
  CacheLevel L1, L2;
  StorePolicy Stores = StorePolicy::Allocate;
  Bypass L1Bypass = Bypass::Off;
  /// Whether a load of a sector that is on its way counts as a hit.
  bool PendingHits = true;
  /// Usable L1 by carve-out, ascending: pairs of shared memory and L1 bytes.
  /// Empty: L1 has its capacity whatever shared memory takes.
  std::vector<std::array<uint64_t, 2>> L1ByCarveout;
  /// Bytes that shared memory can be given, ascending.
  std::vector<uint64_t> SharedSteps;

  unsigned Partitions = 2; ///< sides of L2; each keeps what its SMs read
  std::vector<unsigned> SmToPartition; ///< empty: by the group of the SM
  /// More for the first touch of the other side: levels.l2.latency_far, 456,
  /// beyond L2's 280 here. What a profile gives is less, as it times the first
  /// touch itself (levels.l2.first_touch_other_side).
  unsigned FarCycles = 176;
  /// By which answers of L2 differ by chance. Chosen, not measured.
  unsigned JitterCycles = 40;
  /// Of all SMs; 0: never the limit. levels.l2.bandwidth_write, 4660 GB/s, at
  /// the 1980 MHz of device.clock.
  unsigned StoreBytesPerCycle = 2353;
  /// levels.dram.latency is 654 and, measured another way, 659.
  unsigned DramCycles = 660;
  /// 0: never the limit. Chosen, not measured: somewhat more than the 2431 that
  /// levels.dram.bandwidth_peak comes to at 1980 MHz. No profile changes it.
  unsigned DramBytesPerCycle = 2600;

  /// Misses of SMs of one group that ask for the same sectors become one
  /// request to L2 while that is under way: so long if L2 has the line, and as
  /// much longer as the answer takes longer. Counters of an H200: all that come
  /// 33 cycles later are merged, a fifth at 66, none at 99.
  unsigned MergeCycles = 60;
  /// That one answer serves at most; so counted. Halved: L2 1.48, reads 5.85;
  /// doubled: L2 1.57.
  unsigned MergeRequests = 4;
  /// By SM: its GPC. An SM that shares a group with its neighbour at most is
  /// known to none; what it shares in truth, see mergeGroups.
  std::vector<unsigned> SmToGroup;
  /// In which stores of an SM's warps to the same sectors become one:
  /// concurrency.store_merge.window.
  unsigned StoreMergeCycles = 96;

  BlockMapping Blocks = BlockMapping::Measured;
  /// SMs of the first wave, by the blocks that an SM had room for.
  std::map<unsigned, std::vector<unsigned>> FirstWave;
  /// From a block's end to the next one's start: topology.placement.refill when
  /// this was written; an H200 measured since has 374.
  unsigned DispatchCycles = 467;
  /// In which every SM gets another block, when all have room; in the first
  /// wave and later: topology.placement.first_round and .later_round.
  unsigned FirstRoundCycles = 26, RoundCycles = 139;

  /// Where each parameter comes from that a profile gave ("measured", "api") or
  /// its architecture ("architecture"; "assumed" where that is not known).
  std::map<std::string, std::string> Origin;
  /// Of all others: "default", or "H200" where the caches are another GPU's.
  /// The defaults fit counters of an H200; no other GPU's caches have been
  /// fitted.
  std::string DefaultOrigin = "default";

  /// Those of an H200, from the literature where nothing was measured.
  CacheOptions();

  /// Shared memory takes its steps from \p Bytes, L1 has the rest.
  void shareL1(uint64_t Bytes);
};

/// The caches of the GPU that \p P describes.
CacheOptions optionsFromProfile(const profile::Profile &P);

/// A parameter that has a name.
struct OptionInfo {
  std::string_view Name;   ///< "l1.ways"
  std::string_view Values; ///< "a number", "lru, lfu, fifo, random"
  std::string_view Help;
  /// Sets it, or returns what is wrong with the value.
  std::string (*Set)(CacheOptions &, std::string_view Value);
  std::string (*Get)(const CacheOptions &);
};

/// All of them, in the order in which help lists them.
std::span<const OptionInfo> optionInfos();
/// Sets one by name. Returns an empty string or one sentence.
std::string set(CacheOptions &Options, std::string_view Name,
                std::string_view Value);
/// What does not fit together, or an empty string.
std::string validate(const CacheOptions &Options);
/// "measured", "api", "architecture", "set", "default" or "H200" for the
/// parameter \p Name.
std::string originOf(const CacheOptions &Options, std::string_view Name);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_CACHEOPTIONS_H

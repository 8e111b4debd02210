//===- CacheOptions.cpp - Defaults and what a profile gives ---------------===//

#include "analyzer/reuse/CacheOptions.h"

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// L1 and shared memory of an H200 together, as measured.
constexpr uint64_t UnifiedKib = 249;

/// What an SM of \p Architecture holds.
void setLimits(CacheOptions &O, std::string_view Architecture) {
  const auto [Limits, Assumed] = profile::closestLimits(Architecture);
  O.Sm.Threads = Limits.SmThreads;
  O.Sm.Blocks = Limits.SmBlocks;
  O.Sm.Registers = Limits.SmRegisters;
  O.Sm.SharedBytes = Limits.SmSharedBytes;
  O.Sm.ReservedSharedBytes = Limits.ReservedSharedBytes;
  O.SharedSteps.clear();
  for (uint16_t Kib : Limits.SharedSteps)
    O.SharedSteps.push_back(uint64_t(Kib) << 10);
  O.L1Bypass = Limits.GlobalLoadsUseL1 ? Bypass::Off : Bypass::Global;
  for (const char *Option :
       {"sm.threads", "sm.blocks", "sm.registers", "sm.shared", "l1.bypass"})
    O.Origin[Option] = Assumed ? "assumed" : "architecture";
}

/// Takes values out of a profile and remembers what their status was.
class ProfileReader {
public:
  ProfileReader(const profile::Profile &P, CacheOptions &O) : P(P), O(O) {}

  template <typename Number>
  bool number(profile::EntryPath Path, std::string_view Option, Number &To) {
    const profile::Quantity *Q = P.find(Path);
    if (!Q || !Q->Value || *Q->Value < 1)
      return false;
    To = Number(std::llround(*Q->Value));
    note(Option, Q->State);
    return true;
  }

  bool converged(profile::EntryPath Path) const {
    const profile::Quantity *Q = P.find(Path);
    return Q && Q->State != profile::Status::NotConverged;
  }

  std::string word(profile::EntryPath Path, std::string_view Option) {
    const profile::Quantity *Q = P.find(Path);
    if (!Q || Q->Word.empty())
      return "";
    note(Option, Q->State);
    return Q->Word;
  }

  /// The curve's second column, when the first one counts from zero.
  std::vector<unsigned> list(profile::EntryPath Path, std::string_view Option) {
    std::vector<unsigned> Values;
    const profile::Curve *Found = P.curve(Path);
    if (!Found)
      return Values;
    for (const auto &[X, Y] : Found->Points) {
      if (X != double(Values.size()) || Y < 0)
        return {};
      Values.push_back(unsigned(Y));
    }
    note(Option, Found->State);
    return Values;
  }

  void note(std::string_view Option, profile::Status State) {
    O.Origin[std::string(Option)] = profile::statusName(State);
  }

private:
  const profile::Profile &P;
  CacheOptions &O;
};

void readL1(ProfileReader &Read, const profile::Profile &P, CacheOptions &O) {
  Read.number(paths::levels_l1_line, "l1.line", O.L1.LineBytes);
  Read.number(paths::levels_sector, "l1.fill", O.L1.FillBytes);
  Read.number(paths::levels_l1_ways, "l1.ways", O.L1.Ways);
  Read.number(paths::levels_l1_latency, "l1.latency", O.L1.LatencyCycles);
  const bool OwnCapacity =
      Read.number(paths::levels_l1_capacity, "l1.capacity", O.L1.CapacityBytes);
  uint64_t Unified = 0;
  const auto *Curve = P.curve(paths::levels_l1_capacity_by_carveout);
  if (Curve && !Curve->Points.empty()) {
    O.L1ByCarveout.clear();
    for (const auto &[Shared, Usable] : Curve->Points)
      O.L1ByCarveout.push_back({uint64_t(Shared), uint64_t(Usable)});
    std::sort(O.L1ByCarveout.begin(), O.L1ByCarveout.end());
    Read.note("l1.unified", Curve->State);
  } else if (Read.number(paths::levels_l1_unified, "l1.unified", Unified)) {
    O.shareL1(Unified);
  } else if (OwnCapacity) {
    O.L1ByCarveout.clear();
  }
  // Tags of another GPU would be no better than none.
  if (!Read.number(paths::levels_l1_sets, "l1.sets", O.L1.Sets) && OwnCapacity)
    O.L1.Sets = 0;
  if (const std::string Index = Read.word(paths::levels_l1_index, "l1.index");
      !Index.empty())
    O.L1.Index = Index == "modulo" ? IndexFunction::Modulo : IndexFunction::Xor;
  const std::vector<unsigned> Masks =
      Read.list(paths::levels_l1_index_masks, "l1.xor_masks");
  if (!Masks.empty() && std::has_single_bit(O.L1.Sets) &&
      Masks.size() == size_t(std::countr_zero(O.L1.Sets)))
    O.L1.XorMasks.assign(Masks.begin(), Masks.end());
  const std::string Policy =
      Read.word(paths::levels_l1_replacement, "l1.replacement");
  if (Policy == "FIFO")
    O.L1.Policy = Replacement::Fifo;
  else if (Policy == "random" || Policy == "not-MRU")
    O.L1.Policy = Replacement::Random;
}

void readL2(ProfileReader &Read, CacheOptions &O) {
  Read.number(paths::levels_l2_capacity, "l2.capacity", O.L2.CapacityBytes);
  Read.number(paths::levels_l2_line, "l2.line", O.L2.LineBytes);
  Read.number(paths::levels_l2_fill, "l2.fill", O.L2.FillBytes);
  Read.number(paths::levels_l2_latency, "l2.latency", O.L2.LatencyCycles);
  Read.number(paths::levels_dram_latency, "dram.latency", O.DramCycles);
  if (Read.word(paths::levels_l2_replacement, "l2.replacement") == "LRU")
    O.L2.Policy = Replacement::Lru;
  Read.number(paths::topology_l2_partitions, "l2.partitions", O.Partitions);
  O.SmToPartition = Read.list(paths::topology_sm_to_l2_partition, "l2.sides");
  unsigned First = 0;
  if (Read.number(paths::levels_l2_first_touch_other_side, "l2.far", First))
    O.FarCycles = First > O.L2.LatencyCycles ? First - O.L2.LatencyCycles : 0;
  const auto BytesPerCycle = [&](profile::EntryPath Path, const char *Option,
                                 unsigned &Value) {
    unsigned GigabytesPerSecond = 0, Megahertz = 0;
    if (Read.number(Path, Option, GigabytesPerSecond) &&
        Read.number(paths::device_clock, Option, Megahertz))
      Value = unsigned(1000.0 * GigabytesPerSecond / Megahertz);
  };
  BytesPerCycle(paths::levels_l2_bandwidth_write, "l2.store_bandwidth",
                O.StoreBytesPerCycle);
}

void readSms(ProfileReader &Read, CacheOptions &O) {
  Read.number(paths::device_sm_count, "sm.count", O.Sm.Count);
  Read.number(paths::levels_shared_capacity, "sm.shared", O.Sm.SharedBytes);
  Read.number(paths::levels_shared_reserved_per_block, "sm.shared",
              O.Sm.ReservedSharedBytes);
  // One that did not converge is no window: the gain fades in other ways too.
  if (Read.converged(paths::concurrency_merge_window))
    Read.number(paths::concurrency_merge_window, "merge.window", O.MergeCycles);
  Read.number(paths::concurrency_store_merge_window, "store_merge.window",
              O.StoreMergeCycles);
  Read.number(paths::topology_placement_refill, "blocks.dispatch",
              O.DispatchCycles);
  Read.number(paths::topology_placement_first_round, "blocks.first_round",
              O.FirstRoundCycles);
  Read.number(paths::topology_placement_later_round, "blocks.round",
              O.RoundCycles);
  O.SmToGroup = Read.list(paths::topology_sm_to_gpc, "merge.groups");
  for (unsigned Room : {1u, 2u, 4u, 8u}) {
    std::vector<unsigned> Sms =
        Read.list(paths::firstWave(Room), "blocks.first_wave");
    if (!Sms.empty() && *std::max_element(Sms.begin(), Sms.end()) < O.Sm.Count)
      O.FirstWave[Room] = std::move(Sms);
  }
}

} // namespace

/// As an H200's profile says under levels.l1 and levels.l2, but for L2's ways
/// and banks, which were chosen. Of L2's replacement it says no more than that
/// it is not LRU; 280 lies between levels.l2.latency, 275, and .latency_near,
/// 283.
CacheOptions::CacheOptions() {
  L1.CapacityBytes = (UnifiedKib - 8) << 10; // the least goes to shared memory
  L1.Ways = 4;
  L1.Sets = 512;
  L1.LatencyCycles = 32;
  L2.CapacityBytes = uint64_t(60) << 20;
  L2.Ways = 16;
  L2.FillBytes = 64;
  L2.Policy = Replacement::Random;
  L2.Banks = 48;
  L2.LatencyCycles = 280;
  setLimits(*this, "sm_90");
  Origin.clear();
  shareL1(UnifiedKib << 10);
}

void CacheOptions::shareL1(uint64_t Bytes) {
  L1ByCarveout.clear();
  for (uint64_t Shared : SharedSteps)
    if (Shared < Bytes)
      L1ByCarveout.push_back({Shared, Bytes - Shared});
}

CacheOptions reuse::optionsFromProfile(const profile::Profile &P) {
  CacheOptions O;
  if (P.Gpu.find("H200") == std::string::npos)
    O.DefaultOrigin = "H200";
  setLimits(O, P.Architecture);
  ProfileReader Read(P, O);
  readSms(Read, O);
  readL1(Read, P, O);
  readL2(Read, O);
  return O;
}

std::string reuse::originOf(const CacheOptions &Options,
                            std::string_view Name) {
  const auto At = Options.Origin.find(std::string(Name));
  return At == Options.Origin.end() ? Options.DefaultOrigin : At->second;
}

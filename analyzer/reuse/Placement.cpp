//===- Placement.cpp - Which blocks run on which SM -----------------------===//

#include "analyzer/reuse/Placement.h"

#include "profiler/profile/Occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

uint32_t scramble(uint32_t X) {
  X ^= X >> 16;
  X *= 0x85EBCA6B;
  X ^= X >> 13;
  X *= 0xC2B2AE35;
  return X ^ X >> 16;
}

} // namespace

std::string reuse::residency(const CacheOptions &Options,
                             const LaunchShape &Shape, Residency &Out) {
  const SmOptions &Sm = Options.Sm;
  if (Shape.warps() == 0 || Shape.blocks() == 0)
    return "the launch has no threads";
  const auto TooLarge = [](std::string_view What, uint64_t Has, uint64_t Most) {
    return fmt::format("a block needs {} {}, and an SM has {}", Has, What,
                       Most);
  };
  const profile::Occupancy Held = profile::occupancyOf(
      {Sm.Threads, Sm.Blocks, Sm.Registers, Sm.SharedBytes,
       Sm.ReservedSharedBytes},
      {Shape.threads(), Shape.RegistersPerThread, Shape.SharedBytesPerBlock});
  if (Held.Threads > Sm.Threads)
    return TooLarge("threads", Shape.threads(), Sm.Threads);
  if (Held.Registers > Sm.Registers)
    return TooLarge("registers", Held.Registers, Sm.Registers);
  if (Held.SharedBytes > Sm.SharedBytes)
    return TooLarge("bytes of shared memory", Held.SharedBytes, Sm.SharedBytes);
  const uint64_t SharedBytes = Held.Blocks * Held.SharedBytes;
  Out.BlocksPerSm = unsigned(Held.Blocks);
  Out.CarveoutBytes = SharedBytes;
  Out.L1Bytes = Options.L1.CapacityBytes;
  // The driver takes the smallest step that all resident blocks fit into.
  for (const auto &[Carveout, Usable] : Options.L1ByCarveout) {
    Out.L1Bytes = Usable;
    if (Carveout >= SharedBytes) {
      Out.CarveoutBytes = Carveout;
      break;
    }
  }
  return "";
}

/// One block for each SM, in the order of the device, or with consecutive
/// blocks in different groups where only those are known.
std::vector<unsigned> Placement::roundOfSms() const {
  const auto At = Options.FirstWave.find(1);
  if (At != Options.FirstWave.end())
    return At->second;
  std::vector<unsigned> Sms(Options.Sm.Count);
  std::iota(Sms.begin(), Sms.end(), 0);
  if (Options.SmToGroup.size() != Sms.size())
    return Sms;
  std::vector<unsigned> Seen(Sms.size() + 1, 0), RankOf(Sms.size());
  for (unsigned Sm : Sms)
    RankOf[Sm] = Seen[std::min<size_t>(Options.SmToGroup[Sm], Sms.size())]++;
  std::sort(Sms.begin(), Sms.end(), [&](unsigned A, unsigned B) {
    return std::pair(RankOf[A], A) < std::pair(RankOf[B], B);
  });
  return Sms;
}

/// The SMs of a grid that has fewer blocks than there are SMs. Each TPC gets
/// one block before any gets two, the GPCs in turn; TPCs of no GPC come first
/// and get two at once. The blocks are numbered in the order of the SMs all the
/// same. Seen on an H200 for 25 grids of 2 to 131 blocks.
std::vector<unsigned> Placement::smallGrid() const {
  const std::vector<unsigned> Round = roundOfSms();
  std::map<unsigned, unsigned> SizeOf;
  for (unsigned Group : Options.SmToGroup)
    ++SizeOf[Group];
  struct Turn {
    unsigned Stray, Level, Tpc, Group, Sm;
    auto operator<=>(const Turn &) const = default;
  };
  std::vector<Turn> Turns;
  std::map<unsigned, unsigned> TpcsOf;  // by group
  std::map<unsigned, Turn> TpcOf;       // the first SM of each
  std::map<unsigned, unsigned> PlaceOf; // by SM
  for (unsigned Sm : Round) {
    const unsigned Group = Options.SmToGroup[Sm];
    const bool Stray = SizeOf[Group] <= TpcSms;
    const auto [At, IsFirst] = TpcOf.try_emplace(Sm / TpcSms);
    if (IsFirst)
      At->second = {!Stray, 0, TpcsOf[Group]++, Group, Sm};
    else
      ++At->second.Level;
    At->second.Sm = Sm;
    Turns.push_back(At->second);
    PlaceOf.emplace(Sm, unsigned(PlaceOf.size()));
  }
  std::sort(Turns.begin(), Turns.end());
  Turns.resize(std::min<size_t>(Turns.size(), Count));
  std::vector<unsigned> Sms;
  for (const Turn &T : Turns)
    Sms.push_back(T.Sm);
  std::sort(Sms.begin(), Sms.end(),
            [&](unsigned A, unsigned B) { return PlaceOf[A] < PlaceOf[B]; });
  return Sms;
}

Placement::Placement(const CacheOptions &Options, unsigned BlocksPerSm,
                     uint64_t First, uint64_t Count)
    : Options(Options), First(First), Count(Count), TakenOf(Options.Sm.Count) {
  const unsigned Sms = Options.Sm.Count;
  std::vector<unsigned> Order;
  if (Options.Blocks == BlockMapping::Measured) {
    const auto At = Options.FirstWave.lower_bound(BlocksPerSm);
    if (Count < Sms && First == 0 && Options.SmToGroup.size() == Sms)
      Order = smallGrid();
    else
      Order = At != Options.FirstWave.end() ? At->second : roundOfSms();
  } else {
    Order.resize(Sms);
    std::iota(Order.begin(), Order.end(), 0);
  }
  // Once through the order, and again until every SM is full.
  std::vector<unsigned> Room(Sms, BlocksPerSm);
  uint64_t Left = uint64_t(Sms) * BlocksPerSm;
  if (Options.Blocks == BlockMapping::Measured)
    Left = std::min(Left, Count);
  while (Left != 0) {
    const uint64_t Before = Left;
    for (unsigned Sm : Order)
      if (Left != 0 && Room[Sm] != 0) {
        --Room[Sm];
        --Left;
        Wave.push_back(Sm);
      }
    if (Before == Left) { // the order lacks SMs
      Order.resize(Sms);
      std::iota(Order.begin(), Order.end(), 0);
    }
  }
}

uint64_t Placement::fixed(unsigned Sm, uint64_t Nth) const {
  const uint64_t Sms = Options.Sm.Count;
  unsigned Group = 1;
  switch (Options.Blocks) {
  case BlockMapping::Random: {
    // A permutation of the SMs for each round of blocks.
    const uint32_t Key = scramble(uint32_t(Nth) * 2 + 1);
    uint64_t Factor = 1 + Key % Sms;
    while (std::gcd(Factor, Sms) != 1)
      ++Factor;
    return Nth * Sms + (Sm * Factor + scramble(Key)) % Sms;
  }
  case BlockMapping::Partition4:
    Group = 4;
    break;
  case BlockMapping::Partition8:
    Group = 8;
    break;
  case BlockMapping::RoundRobin:
  case BlockMapping::Measured:
    break;
  }
  return (Nth / Group * Sms + Sm) * Group + Nth % Group;
}

std::optional<uint64_t> Placement::next(unsigned Sm) {
  if (Options.Blocks == BlockMapping::Measured)
    return Next < Count ? std::optional(First + Next++) : std::nullopt;
  // The last round may have no block for this SM but one for others.
  while (true) {
    const uint64_t Nth = TakenOf[Sm]++;
    const uint64_t Block = fixed(Sm, Nth);
    if (Block < Count) {
      Next = std::max(Next, Block + 1);
      return First + Block;
    }
    if (Nth * Options.Sm.Count >= Count)
      return std::nullopt;
  }
}

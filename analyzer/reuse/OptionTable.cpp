//===- OptionTable.cpp - Parameters by name -------------------------------===//

#include "analyzer/reuse/CacheOptions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

template <typename Enum> struct Word {
  std::string_view Name;
  Enum Value;
};

constexpr Word<IndexFunction> Indices[] = {
    {"mod", IndexFunction::Modulo},
    {"smod", IndexFunction::ShiftedModulo},
    {"pri", IndexFunction::Prime},
    {"xor", IndexFunction::Xor}};
constexpr Word<Replacement> Policies[] = {{"lru", Replacement::Lru},
                                          {"lfu", Replacement::Lfu},
                                          {"fifo", Replacement::Fifo},
                                          {"random", Replacement::Random}};
constexpr Word<PoolVictim> Victims[] = {{"set", PoolVictim::Set},
                                        {"lru", PoolVictim::Lru},
                                        {"random", PoolVictim::Random}};
constexpr Word<StorePolicy> StorePolicies[] = {
    {"allocate", StorePolicy::Allocate},
    {"no-allocate", StorePolicy::NoAllocate},
    {"evict", StorePolicy::Evict}};
constexpr Word<Bypass> Bypasses[] = {{"off", Bypass::Off},
                                     {"won", Bypass::Writes},
                                     {"rwon", Bypass::ReadsAndWrites},
                                     {"global", Bypass::Global}};
constexpr Word<BlockMapping> Mappings[] = {
    {"rr", BlockMapping::RoundRobin},
    {"bpart4", BlockMapping::Partition4},
    {"bpart8", BlockMapping::Partition8},
    {"random", BlockMapping::Random},
    {"measured", BlockMapping::Measured}};
constexpr Word<WarpOrder> Orders[] = {{"rr", WarpOrder::RoundRobin},
                                      {"gto", WarpOrder::GreedyThenOldest},
                                      {"any", WarpOrder::Any}};
constexpr Word<bool> PendingWords[] = {{"hit", true}, {"miss", false}};

template <typename Enum, size_t N>
std::string setWord(const Word<Enum> (&Words)[N], Enum &To,
                    std::string_view Value) {
  for (const Word<Enum> &Each : Words)
    if (Each.Name == Value) {
      To = Each.Value;
      return "";
    }
  return "is no such choice";
}

template <typename Enum, size_t N>
std::string getWord(const Word<Enum> (&Words)[N], Enum Value) {
  for (const Word<Enum> &Each : Words)
    if (Each.Value == Value)
      return std::string(Each.Name);
  return "";
}

/// A number with an optional K, M, KiB or MiB.
template <typename Number>
std::string setNumber(Number &To, std::string_view Value, uint64_t Least,
                      uint64_t Most) {
  uint64_t Parsed = 0;
  const auto [End, Error] =
      std::from_chars(Value.data(), Value.data() + Value.size(), Parsed);
  std::string_view Unit(End, size_t(Value.data() + Value.size() - End));
  unsigned Shift = 0;
  if (Unit == "K" || Unit == "KiB")
    Shift = 10;
  else if (Unit == "M" || Unit == "MiB")
    Shift = 20;
  else if (!Unit.empty())
    return "is not a number";
  if (Error != std::errc())
    return "is not a number";
  if (Parsed > (Most >> Shift) || (Parsed << Shift) < Least)
    return fmt::format("is not between {} and {}", Least, Most);
  To = Number(Parsed << Shift);
  return "";
}

std::string setMasks(std::vector<uint64_t> &To, std::string_view Value) {
  std::vector<uint64_t> Masks;
  while (!Value.empty()) {
    const size_t Comma = std::min(Value.find(':'), Value.size());
    std::string_view One = Value.substr(0, Comma);
    Value.remove_prefix(std::min(Comma + 1, Value.size()));
    if (One.starts_with("0x"))
      One.remove_prefix(2);
    uint64_t Mask = 0;
    const auto [End, Error] =
        std::from_chars(One.data(), One.data() + One.size(), Mask, 16);
    if (Error != std::errc() || End != One.data() + One.size() || Mask == 0)
      return "is not a list of hexadecimal masks with ':' between";
    Masks.push_back(Mask);
  }
  To = std::move(Masks);
  return "";
}

constexpr uint64_t MostBytes = uint64_t(4) << 30;

/// The options of a number: as fields of a structure in CacheOptions.
template <auto Part, auto Field, uint64_t Least, uint64_t Most>
constexpr OptionInfo number(std::string_view Name, std::string_view Help) {
  return {
      Name, "a number", Help,
      [](CacheOptions &O, std::string_view Value) {
        return setNumber(O.*Part.*Field, Value, Least, Most);
      },
      [](const CacheOptions &O) { return fmt::format("{}", O.*Part.*Field); }};
}

template <auto Field, uint64_t Least, uint64_t Most>
constexpr OptionInfo number(std::string_view Name, std::string_view Help) {
  return {Name, "a number", Help,
          [](CacheOptions &O, std::string_view Value) {
            return setNumber(O.*Field, Value, Least, Most);
          },
          [](const CacheOptions &O) { return fmt::format("{}", O.*Field); }};
}

/// Those that change the shape of a level: the number of sets follows them.
template <auto Part, auto Field, uint64_t Least, uint64_t Most>
constexpr OptionInfo shape(std::string_view Name, std::string_view Help) {
  return {
      Name, "a number", Help,
      [](CacheOptions &O, std::string_view Value) {
        std::string Wrong = setNumber(O.*Part.*Field, Value, Least, Most);
        if (Wrong.empty()) {
          (O.*Part).Sets = 0;
          (O.*Part).XorMasks.clear();
        }
        return Wrong;
      },
      [](const CacheOptions &O) { return fmt::format("{}", O.*Part.*Field); }};
}

template <auto Part> constexpr OptionInfo index(std::string_view Name) {
  return {
      Name, "mod, smod, pri, xor", "from a line to its set",
      [](CacheOptions &O, std::string_view Value) {
        return setWord(Indices, (O.*Part).Index, Value);
      },
      [](const CacheOptions &O) { return getWord(Indices, (O.*Part).Index); }};
}

template <auto Part> constexpr OptionInfo masks(std::string_view Name) {
  return {Name, "hexadecimal masks with ':' between",
          "bits of the line's number whose parity is a bit of the set's",
          [](CacheOptions &O, std::string_view Value) {
            std::string Wrong = setMasks((O.*Part).XorMasks, Value);
            if (Wrong.empty() && !(O.*Part).XorMasks.empty())
              (O.*Part).Sets =
                  uint64_t(1)
                  << std::min<size_t>((O.*Part).XorMasks.size(), 24);
            return Wrong;
          },
          [](const CacheOptions &O) {
            return fmt::format("{:x}", fmt::join((O.*Part).XorMasks, ":"));
          }};
}

template <auto Part> constexpr OptionInfo replacement(std::string_view Name) {
  return {Name, "lru, lfu, fifo, random", "which line of a full set leaves",
          [](CacheOptions &O, std::string_view Value) {
            return setWord(Policies, (O.*Part).Policy, Value);
          },
          [](const CacheOptions &O) {
            return getWord(Policies, (O.*Part).Policy);
          }};
}

constexpr auto L1 = &CacheOptions::L1;
constexpr auto L2 = &CacheOptions::L2;
constexpr auto Sm = &CacheOptions::Sm;

const OptionInfo Infos[] = {
    {"l1.capacity", "a number", "bytes, whatever shared memory takes",
     [](CacheOptions &O, std::string_view Value) {
       std::string Wrong = setNumber(O.L1.CapacityBytes, Value, 128, MostBytes);
       if (Wrong.empty()) {
         O.L1ByCarveout.clear();
         O.L1.Sets = 0;
         O.L1.XorMasks.clear();
       }
       return Wrong;
     },
     [](const CacheOptions &O) {
       return fmt::format("{}", O.L1.CapacityBytes);
     }},
    {"l1.unified", "a number",
     "bytes that L1 and shared memory have together, in the architecture's "
     "steps",
     [](CacheOptions &O, std::string_view Value) {
       uint64_t Bytes = 0;
       std::string Wrong = setNumber(Bytes, Value, 16 << 10, MostBytes);
       if (!Wrong.empty())
         return Wrong;
       O.shareL1(Bytes);
       return Wrong;
     },
     [](const CacheOptions &O) {
       const auto &Steps = O.L1ByCarveout;
       return Steps.empty()
                  ? std::string("0")
                  : fmt::format("{}", Steps.front()[0] + Steps.front()[1]);
     }},
    shape<L1, &CacheLevel::Ways, 1, 1 << 20>("l1.ways", "lines of a set"),
    number<L1, &CacheLevel::Sets, 0, 1 << 24>(
        "l1.sets", "sets of tags; 0: as many as the capacity needs"),
    shape<L1, &CacheLevel::LineBytes, 32, 1024>("l1.line", "bytes of a line"),
    number<L1, &CacheLevel::FillBytes, 32, 1024>(
        "l1.fill", "bytes that a miss brings in, a sector"),
    index<L1>("l1.index"),
    number<L1, &CacheLevel::IndexShift, 0, 32>(
        "l1.index_shift", "bits of the line's number that smod leaves out"),
    masks<L1>("l1.xor_masks"),
    replacement<L1>("l1.replacement"),
    {"l1.pool", "set, lru, random",
     "which line leaves when the data array is full before the set's tags are",
     [](CacheOptions &O, std::string_view Value) {
       return setWord(Victims, O.L1.Pool, Value);
     },
     [](const CacheOptions &O) { return getWord(Victims, O.L1.Pool); }},
    {"l1.stores", "allocate, no-allocate, evict", "what a store does in L1",
     [](CacheOptions &O, std::string_view Value) {
       return setWord(StorePolicies, O.Stores, Value);
     },
     [](const CacheOptions &O) { return getWord(StorePolicies, O.Stores); }},
    {"l1.bypass", "off, won, rwon, global",
     "pass L1 with writes, with all, or with all but local memory",
     [](CacheOptions &O, std::string_view Value) {
       return setWord(Bypasses, O.L1Bypass, Value);
     },
     [](const CacheOptions &O) { return getWord(Bypasses, O.L1Bypass); }},
    {"l1.pending", "hit, miss", "what a load of a sector on its way counts as",
     [](CacheOptions &O, std::string_view Value) {
       return setWord(PendingWords, O.PendingHits, Value);
     },
     [](const CacheOptions &O) {
       return getWord(PendingWords, O.PendingHits);
     }},
    number<L1, &CacheLevel::Banks, 1, 1024>("l1.banks", "banks"),
    number<L1, &CacheLevel::Ports, 1, 64>("l1.ports", "ports of a bank"),
    number<L1, &CacheLevel::MshrSets, 1, 64>("l1.mshr_sets",
                                             "sets of miss registers"),
    number<L1, &CacheLevel::MshrSize, 0, 1 << 20>(
        "l1.mshr_size", "lines that a set waits for; 0: any number"),
    number<L1, &CacheLevel::LatencyCycles, 1, 10000>("l1.latency",
                                                     "cycles of a hit"),
    shape<L2, &CacheLevel::CapacityBytes, 128, MostBytes>(
        "l2.capacity", "bytes of all partitions"),
    shape<L2, &CacheLevel::Ways, 1, 1 << 20>("l2.ways", "lines of a set"),
    number<L2, &CacheLevel::Sets, 0, 1 << 24>(
        "l2.sets", "sets of a partition; 0: as many as the capacity needs"),
    shape<L2, &CacheLevel::LineBytes, 32, 1024>("l2.line", "bytes of a line"),
    number<L2, &CacheLevel::FillBytes, 32, 1024>("l2.fill",
                                                 "bytes that a miss brings in"),
    index<L2>("l2.index"),
    number<L2, &CacheLevel::IndexShift, 0, 32>(
        "l2.index_shift", "bits of the line's number that smod leaves out"),
    masks<L2>("l2.xor_masks"),
    replacement<L2>("l2.replacement"),
    number<&CacheOptions::Partitions, 1, 16>(
        "l2.partitions", "sides that keep copies of what their SMs read"),
    number<L2, &CacheLevel::Banks, 1, 4096>("l2.banks", "banks of a partition"),
    number<L2, &CacheLevel::Ports, 1, 64>("l2.ports",
                                          "sectors of a bank and cycle"),
    number<L2, &CacheLevel::LatencyCycles, 1, 100000>("l2.latency",
                                                      "cycles of a hit"),
    number<&CacheOptions::FarCycles, 0, 100000>(
        "l2.far", "more cycles for the first touch of the other side"),
    number<&CacheOptions::JitterCycles, 0, 10000>(
        "l2.jitter", "cycles by which answers of L2 differ"),
    number<&CacheOptions::StoreBytesPerCycle, 0, 1 << 20>(
        "l2.store_bandwidth",
        "bytes that L2 takes from all SMs in a cycle; 0: any number"),
    number<&CacheOptions::DramCycles, 1, 100000>("dram.latency",
                                                 "cycles of a miss of L2"),
    number<&CacheOptions::DramBytesPerCycle, 0, 1 << 20>(
        "dram.bandwidth", "bytes of a cycle; 0: any number"),
    number<&CacheOptions::MergeCycles, 0, 10000>(
        "merge.window",
        "cycles in which misses of a group's SMs that hit L2 become one; 0: "
        "never"),
    number<&CacheOptions::MergeRequests, 1, 132>(
        "merge.requests", "misses that become one at most"),
    number<&CacheOptions::StoreMergeCycles, 0, 10000>(
        "store_merge.window",
        "cycles in which warps' stores of the same sectors become one"),
    {"blocks", "rr, bpart4, bpart8, random, measured", "from blocks to SMs",
     [](CacheOptions &O, std::string_view Value) {
       return setWord(Mappings, O.Blocks, Value);
     },
     [](const CacheOptions &O) { return getWord(Mappings, O.Blocks); }},
    number<&CacheOptions::DispatchCycles, 0, 100000>(
        "blocks.dispatch", "cycles from a block's end to the next one's start"),
    number<&CacheOptions::RoundCycles, 0, 100000>(
        "blocks.round", "cycles in which every SM gets another block"),
    number<&CacheOptions::FirstRoundCycles, 0, 100000>(
        "blocks.first_round", "the same in the first wave"),
    {"sm.count", "a number", "streaming multiprocessors",
     [](CacheOptions &O, std::string_view Value) {
       std::string Wrong = setNumber(O.Sm.Count, Value, 1, 4096);
       if (Wrong.empty()) {
         O.SmToGroup.clear();
         O.SmToPartition.clear();
         O.FirstWave.clear();
       }
       return Wrong;
     },
     [](const CacheOptions &O) { return fmt::format("{}", O.Sm.Count); }},
    number<Sm, &SmOptions::Threads, 32, 2048>("sm.threads", "threads of an SM"),
    number<Sm, &SmOptions::Blocks, 1, 64>("sm.blocks", "blocks of an SM"),
    number<Sm, &SmOptions::Registers, 1024, 1 << 24>("sm.registers",
                                                     "registers of an SM"),
    number<Sm, &SmOptions::SharedBytes, 1024, 1 << 24>(
        "sm.shared", "bytes of shared memory that an SM can have"),
    number<Sm, &SmOptions::Schedulers, 1, 64>("sm.schedulers",
                                              "warp schedulers"),
    {"sm.order", "rr, gto, any", "round robin, greedy then oldest, or any",
     [](CacheOptions &O, std::string_view Value) {
       return setWord(Orders, O.Sm.Order, Value);
     },
     [](const CacheOptions &O) { return getWord(Orders, O.Sm.Order); }},
    number<Sm, &SmOptions::WarpLead, 1, 1 << 20>(
        "sm.lead", "memory instructions that a warp can be ahead in any order"),
    number<Sm, &SmOptions::LoadsInFlight, 1, 1000>(
        "sm.loads_in_flight", "loads of a warp before it waits"),
    number<Sm, &SmOptions::IssueGapCycles, 0, 10000>(
        "sm.gap", "cycles between two memory instructions of a warp"),
};

/// Of one cache, which numbers them in 32 bits; 4 GiB for the model.
constexpr uint64_t MostTags = uint64_t(1) << 28;

std::string wrongLevel(std::string_view Name, const CacheLevel &Level,
                       uint64_t Capacity) {
  const auto Says = [&](std::string_view What) {
    return fmt::format("{}.{}", Name, What);
  };
  if (!std::has_single_bit(Level.LineBytes))
    return Says("line is not a power of two");
  if (!std::has_single_bit(Level.FillBytes) ||
      Level.FillBytes > Level.LineBytes)
    return Says("fill is not a power of two up to the line");
  if (Capacity < uint64_t(Level.LineBytes) * (Level.Sets ? 1 : Level.Ways))
    return Says("capacity is less than one set");
  if (Level.Sets * uint64_t(Level.Ways) > MostTags)
    return fmt::format("{0}.sets and {0}.ways make more than 2^28 tags", Name);
  if (!Level.XorMasks.empty() && Level.Sets != uint64_t(1)
                                                   << Level.XorMasks.size())
    return Says("sets is not two to the number of masks");
  return "";
}

} // namespace

std::span<const OptionInfo> reuse::optionInfos() { return Infos; }

std::string reuse::set(CacheOptions &Options, std::string_view Name,
                       std::string_view Value) {
  for (const OptionInfo &Info : Infos) {
    if (Info.Name != Name)
      continue;
    CacheOptions Changed = Options;
    if (std::string Wrong = Info.Set(Changed, Value); !Wrong.empty())
      return fmt::format("'{}' for {} {}; expected {}", Value, Name, Wrong,
                         Info.Values);
    Changed.Origin[std::string(Name)] = "set";
    Options = std::move(Changed);
    return "";
  }
  const std::string_view Level = Name.substr(0, Name.find('.'));
  std::vector<std::string_view> Near;
  for (const OptionInfo &Info : Infos)
    if (Info.Name.substr(0, Info.Name.find('.')) == Level)
      Near.push_back(Info.Name);
  return Near.empty() ? fmt::format("there is no cache parameter '{}'", Name)
                      : fmt::format("there is no cache parameter '{}', but {}",
                                    Name, fmt::join(Near, ", "));
}

std::string reuse::validate(const CacheOptions &O) {
  if (std::string Wrong = wrongLevel("l1", O.L1, O.L1.CapacityBytes);
      !Wrong.empty())
    return Wrong;
  if (std::string Wrong =
          wrongLevel("l2", O.L2, O.L2.CapacityBytes / O.Partitions);
      !Wrong.empty())
    return Wrong;
  if (!O.SmToGroup.empty() && O.SmToGroup.size() != O.Sm.Count)
    return "the groups of SMs are not given for every SM";
  if (!O.SmToPartition.empty() && O.SmToPartition.size() != O.Sm.Count)
    return "the sides of L2 are not given for every SM";
  return "";
}

//===- DeviceRates.cpp - How fast a GPU does what -------------------------===//

#include "analyzer/price/DeviceRates.h"

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"
#include "profiler/profile/RequestLaw.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string_view>

namespace warpwise::price {

using access::Pipe;
using access::WarpLanes;
namespace paths = warpwise::paths;

namespace {

/// SlicesOfLines of an H200 (kernels/scattered-atomics), for GPUs of which
/// nobody has measured it.
constexpr std::array<std::array<double, 2>, 11> SlicesOfH200 = {{{1, 1},
                                                                 {2, 1.05},
                                                                 {4, 2.1},
                                                                 {8, 2.1},
                                                                 {16, 4.18},
                                                                 {32, 8.3},
                                                                 {64, 13},
                                                                 {128, 25.2},
                                                                 {256, 29.2},
                                                                 {512, 42},
                                                                 {2048, 53}}};

/// Reads quantities and remembers the first that is not there.
class Reader {
  const profile::Profile &Device;

public:
  std::string Missing;
  std::vector<std::string> Assumed;
  /// A value that was used comes from literature.
  bool IsFromLiterature = false;

  explicit Reader(const profile::Profile &Device) : Device(Device) {}

  /// The first of \p Paths that has a value.
  double need(std::initializer_list<profile::EntryPath> Paths) {
    if (const std::optional<double> Value = find(Paths))
      return *Value;
    if (Missing.empty())
      Missing =
          "the profile has no value for " + std::string(Paths.begin()->text());
    return 1;
  }
  double get(profile::EntryPath Path, double Otherwise) {
    return find({Path}).value_or(Otherwise);
  }
  /// 0 where there is none: \p What is then taken to cost nothing.
  double getCost(std::initializer_list<profile::EntryPath> Paths,
                 std::string_view What) {
    const std::optional<double> Value = find(Paths);
    if (!Value)
      assumeFree(What, *Paths.begin());
    return Value.value_or(0);
  }
  void assumeFree(std::string_view What, profile::EntryPath Path) {
    Assumed.push_back(
        fmt::format("{} cost nothing ({} has no value)", What, Path.text()));
  }

private:
  std::optional<double> find(std::initializer_list<profile::EntryPath> Paths) {
    for (const profile::EntryPath &Path : Paths)
      if (const profile::Quantity *Q = Device.find(Path); Q && Q->Value) {
        IsFromLiterature |= Q->State == profile::Status::Literature;
        return Q->Value;
      }
    return std::nullopt;
  }
};

/// Of a device about which others have written. The model was not tuned on it.
constexpr double LiteratureDoubt = 1.5;

Points pointsOf(const profile::Profile &Device, profile::EntryPath Path) {
  const profile::Curve *Known = Device.curve(Path);
  return Known ? Points{Known->Points} : Points{};
}

/// A rate of few SMs by their number, as a share of that of all.
Points shareOf(const profile::Profile &Device, profile::EntryPath Path,
               const Points &Otherwise) {
  Points Rates = pointsOf(Device, Path);
  if (Rates.Known.empty())
    return Otherwise;
  const double All = Rates.Known.back()[1];
  for (auto &[Count, Rate] : Rates.Known)
    Rate /= All;
  return Rates;
}

/// What is measured is how many bytes all SMs copy while they lie in L1.
Points asyncCopyCosts(const profile::Profile &Device, const DeviceRates &R) {
  Points Costs;
  for (const auto &[Bytes, Path] :
       {std::pair(4., paths::hopper_async_copy_bandwidth_l1_b4),
        std::pair(8., paths::hopper_async_copy_bandwidth_l1_b8),
        std::pair(16., paths::hopper_async_copy_bandwidth_l1)}) {
    const profile::Quantity *Rate = Device.find(Path);
    if (!Rate || !Rate->Value)
      continue;
    const double Mhz = Rate->Mhz.value_or(R.ClockMhz); // while it was measured
    const double PerClock = *Rate->Value * 1e3 / Mhz / R.Sms;
    const double Passes = 2 * Bytes / 4 * R.PerPass;
    Costs.Known.push_back(
        {Bytes, std::max(0.0, WarpLanes * Bytes / PerClock - Passes)});
  }
  return Costs;
}

} // namespace

/// A part of what takes \p Whole, as a power mean of that part and \p Other.
static double partBeside(double Whole, double Other) {
  return Whole > Other ? std::pow(std::pow(Whole, OnChipPower) -
                                      std::pow(Other, OnChipPower),
                                  1 / OnChipPower)
                       : 0;
}

/// Whole lines are what else is measured of L2; pieces of them take it no less.
static Points readTogether(const profile::Profile &Device,
                           const DeviceRates &R) {
  Points Its = pointsOf(Device, paths::levels_l2_bandwidth_gathered_by_bytes);
  if (Its.Known.empty())
    Its.Known = {{R.SectorBytes, R.L2ReadBytes}};
  for (auto &[Together, Rate] : Its.Known) {
    // Clocks of an SM for a piece.
    const double Clocks = Together * R.Sms * R.ClockMhz / (Rate * 1e3);
    const double OfL2 = partBeside(Clocks, R.PerMissLine);
    Rate = Together < R.LineBytes && OfL2 > 0
               ? std::min(Together * R.Sms / OfL2, R.L2ReadBytes)
               : R.L2ReadBytes;
  }
  return Its;
}

KnownRates ratesOf(const profile::Profile &Device) {
  Reader Read(Device);
  DeviceRates R;
  const profile::ArchitectureLimits Limits =
      profile::closestLimits(Device.Architecture).Limits;
  R.ClockMhz = Read.need({paths::device_clock});
  R.Sms = Read.need({paths::device_sm_count});
  R.LaunchNs = Read.getCost(
      {paths::device_launch_fit_overhead, paths::device_launch_latency},
      "launches");
  const double BytesPerGb = 1e3 / R.ClockMhz; // GB/s to bytes in a clock
  const double DramRead =
      Read.need({paths::levels_dram_bandwidth_read,
                 paths::levels_dram_bandwidth_copy, paths::bandwidth_memcpy});
  const double DramWrite =
      Read.get(paths::levels_dram_bandwidth_write, DramRead);
  const double DramCopy = Read.get(paths::levels_dram_bandwidth_copy, DramRead);
  R.DramReadBytes = BytesPerGb * DramRead;
  R.DramWriteBytes = BytesPerGb * DramWrite;
  R.DramTurn =
      std::max(0.0, 2 / DramCopy - 1 / DramRead - 1 / DramWrite) / BytesPerGb;
  R.L2ReadBytes = BytesPerGb * Read.need({paths::levels_l2_bandwidth});
  R.L2WriteBytes = BytesPerGb * Read.need({paths::levels_l2_bandwidth_write,
                                           paths::levels_l2_bandwidth});
  R.L2ScatterBytes = BytesPerGb * Read.get(paths::levels_l2_bandwidth_scattered,
                                           R.L2WriteBytes / BytesPerGb);
  R.L2PartialBytes =
      pointsOf(Device, paths::levels_l2_bandwidth_scattered_by_stride);
  for (auto &[Stride, Rate] : R.L2PartialBytes.Known)
    Rate *= BytesPerGb;
  if (R.L2PartialBytes.Known.empty())
    R.L2PartialBytes.Known = {{R.SectorBytes, R.L2ScatterBytes}};
  R.StoresAlone = pointsOf(Device, paths::levels_l2_stores_alone_by_lines);
  R.DramScattered =
      pointsOf(Device, paths::levels_dram_bandwidth_scattered_by_bytes);
  if (R.DramScattered.Known.empty())
    R.DramScattered.Known = {
        {R.SectorBytes,
         Read.get(paths::levels_dram_bandwidth_scattered, DramRead)}};
  for (auto &[Bytes, Rate] : R.DramScattered.Known)
    Rate *= BytesPerGb;
  // Where it is not known, each SM gets the same share of L2, and few of them
  // all that DRAM has.
  const Points Even = {{{0, 0}, {R.Sms, 1}}}, Whole = {{{R.Sms, 1}}};
  R.ReadShare = shareOf(Device, paths::levels_l2_bandwidth_by_sms, Even);
  R.WriteShare = shareOf(Device, paths::levels_l2_bandwidth_write_by_sms, Even);
  R.PartialShare =
      shareOf(Device, paths::levels_l2_bandwidth_scattered_by_sms, Even);
  R.DramShare = shareOf(Device, paths::levels_dram_bandwidth_by_sms, Whole);
  const double L2Capacity = Read.need({paths::levels_l2_capacity});
  if (const profile::Quantity *Copied =
          Device.find(paths::levels_l2_far_copied);
      Copied && !Copied->Word.empty()) {
    // A little less than all of it: test/gpu/l2-room.
    R.L2Room = 0.96 * L2Capacity;
    if (Copied->Word == "yes")
      R.L2CopiedShare = Read.get(paths::levels_l2_far_share, 0);
  } else {
    // A part stays free for what else is there; how large a part is a guess.
    R.L2Room = 0.8 * L2Capacity;
  }
  R.SectorBytes = profile::requestLaw(Device).Law.SectorBytes;
  R.LineBytes = profile::requestLaw(Device).Law.LineBytes;

  R.PerPass = Read.get(paths::warp_global_b4_throughput_per_wavefront,
                       Read.need({paths::warp_shared_cycles_per_wavefront}));
  R.PerHitLine = Read.get(paths::warp_global_b4_throughput_per_tag, 0) /
                 Read.get(paths::warp_global_b4_throughput_lines_per_tag, 1);
  R.PerMissLine = Read.get(paths::warp_l2_b4_throughput_per_tag,
                           Read.need({paths::warp_global_cycles_per_sector}));
  R.L2ReadTogether = readTogether(Device, R);
  R.PerAsyncCopy = asyncCopyCosts(Device, R);
  if (R.PerAsyncCopy.Known.empty() && Limits.hasAsyncCopies())
    Read.assumeFree("asynchronous copies beyond a load and a store",
                    paths::hopper_async_copy_bandwidth_l1);
  R.PassLatency =
      Read.get(paths::warp_shared_latency_per_wavefront, 2 * R.PerPass);
  R.PerConstantWord = Read.need({paths::warp_constant_cycles_per_word});
  R.PerConstantLineApart =
      Read.get(paths::levels_constant_l15_cycles_per_line, 0);
  R.PerConstantLineInStep =
      Read.get(paths::levels_constant_l15_cycles_per_line_in_step,
               R.PerConstantLineApart);
  R.PerConstantLine =
      std::sqrt(R.PerConstantLineApart * R.PerConstantLineInStep);

  R.ArithmeticLatency = Read.need(
      {paths::levels_register_dependent_issue, paths::levels_register_latency});
  R.SharedLatency = Read.need({paths::levels_shared_latency});
  R.ConstantLatency = Read.need({paths::levels_constant_latency});
  R.FarConstantLatency =
      Read.get(paths::levels_constant_l15_latency, R.ConstantLatency);
  // Where global loads pass it by, L1 serves local memory only.
  R.L1Latency =
      Read.need({paths::levels_l1_latency, paths::levels_local_latency});
  R.L2Latency = Read.need({paths::levels_l2_latency});
  R.SharedExchangeLatency = Read.get(
      paths::warp_atomics_shared_same_line_cas_latency, R.SharedLatency);
  R.DramLatency = Read.need({paths::levels_dram_latency});
  // The profiler sees no end of them, but so many at least. How many more there
  // is room for is a judgement by the tuning pairs.
  constexpr double SeenShare = 0.7;
  if (const auto Seen =
          Device.value(paths::concurrency_seen_in_flight_warp_loads))
    R.LoadsUnderWay = *Seen / SeenShare;

  R.Issue = Limits.Sm.Issued;
  R.Pipes.fill(R.Issue);
  R.Pipes[unsigned(Pipe::Single)] = double(Limits.Sm.Singles) / WarpLanes;
  R.Pipes[unsigned(Pipe::Integer)] = double(Limits.Sm.Integers) / WarpLanes;
  // IMAD.WIDE and IMAD.HI keep a scheduler's units busy for 4.2 to 4.4 clocks
  // on an H200, IMAD for two (test/gpu/wide-products).
  R.Pipes[unsigned(Pipe::Product)] = R.Pipes[unsigned(Pipe::Integer)] / 2;
  R.Pipes[unsigned(Pipe::Double)] = double(Limits.Sm.Doubles) / WarpLanes;
  R.Pipes[unsigned(Pipe::Special)] = double(Limits.Sm.Specials) / WarpLanes;
  R.Pipes[unsigned(Pipe::Texture)] = double(Limits.Sm.Textures) / WarpLanes;

  R.Integers = {
      Read.get(paths::warp_atomics_global_same_address_throughput, 0),
      Read.get(paths::warp_atomics_global_same_line_throughput, 0),
      Read.getCost({paths::warp_atomics_global_spread_throughput}, "atomics"),
      Read.get(paths::warp_atomics_global_again_throughput, 0),
      pointsOf(Device, paths::warp_atomics_global_integers_by_words)};
  R.Floats = R.Integers;
  R.Floats.ByWords =
      pointsOf(Device, paths::warp_atomics_global_floats_by_words);
  if (!R.Floats.ByWords.Known.empty())
    R.Floats.SameWord = R.Floats.ByWords.at(1);

  R.SlicesOfLines =
      pointsOf(Device, paths::warp_atomics_global_integers_by_lines);
  if (R.SlicesOfLines.Known.empty())
    R.SlicesOfLines.Known.assign(SlicesOfH200.begin(), SlicesOfH200.end());
  const double OneLine = R.SlicesOfLines.at(1);
  for (auto &[Lines, Rate] : R.SlicesOfLines.Known)
    Rate = OneLine > 0 ? std::max(1.0, Rate / OneLine) : Lines;

  R.BlockInterval =
      pointsOf(Device, paths::device_launch_block_interval_by_threads);
  if (R.BlockInterval.Known.empty())
    Read.assumeFree("blocks that begin",
                    paths::device_launch_block_interval_by_threads);
  for (auto &[Threads, Time] : R.BlockInterval.Known)
    Time *= R.ClockMhz / 1e3; // ns to clocks

  R.Refill = Read.get(paths::topology_placement_refill, 0);

  R.GlobalLoadsUseL1 = Limits.GlobalLoadsUseL1;
  R.SmThreads = Limits.SmThreads;
  R.SmBlocks = Limits.SmBlocks;
  R.SmRegisters = Limits.SmRegisters;
  R.SmSharedBytes = double(Limits.SmSharedBytes);
  R.L1Capacity = Read.get(paths::levels_l1_capacity, R.SmSharedBytes);
  R.ReservedSharedBytes = double(Limits.ReservedSharedBytes);
  if (!Read.Missing.empty())
    return {std::nullopt, Read.Missing};
  if (Read.IsFromLiterature)
    R.Doubt = LiteratureDoubt;
  return {R, "", Read.Assumed};
}

double Points::at(double X) const {
  if (Known.empty())
    return 0;
  const auto After =
      std::find_if(Known.begin(), Known.end(),
                   [&](const std::array<double, 2> &P) { return P[0] >= X; });
  if (After == Known.begin() || After == Known.end())
    return After == Known.end() ? Known.back()[1] : Known.front()[1];
  const auto &[X0, Y0] = After[-1];
  const auto &[X1, Y1] = *After;
  return Y0 + (Y1 - Y0) * (X - X0) / (X1 - X0);
}

} // namespace warpwise::price

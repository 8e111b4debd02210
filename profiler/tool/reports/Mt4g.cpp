//===- Mt4g.cpp - A profile in the format of MT4G -------------------------===//
//
// Keys and units as in sample_results/NVIDIA H100 80GB HBM3.json of MT4G;
// what sys-sage cannot do without is in its src/parsers/mt4g.cpp.
//
//===----------------------------------------------------------------------===//

#include "profiler/tool/reports/Mt4g.h"

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"
#include "profiler/profile/RequestLaw.h"
#include "profiler/tool/reports/ReportText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>

using namespace warpwise;
using namespace warpwise::reports;
using nlohmann::json;
using profile::Profile;
using profile::Quantity;
using profile::Status;

namespace {

/// What an interval of 95 % or two agreeing methods stand for.
constexpr double Confidence = 0.95;

/// Whole numbers as such: readers may ask for integers.
json plain(double Value) {
  if (std::trunc(Value) == Value && std::fabs(Value) < 9e15)
    return static_cast<long long>(Value);
  return Value;
}

class Exporter {
public:
  explicit Exporter(const Profile &P) : P(P) {}

  void run() {
    addMeta();
    addGeneral();
    addCompute();
    json &Memory = Out["memory"] = json::object();
    addMain(Memory["main"]);
    addL2(Memory["l2"]);
    Memory["l1"] = cache("l1");
    addSharing(Memory["l1"], "l1");
    for (const auto &[Level, Key] : Siblings)
      addSibling(Memory, Level, Key);
    addConstant(Memory["constant"]);
    addShared(Memory["shared"]);
  }

  json Out;
  std::vector<std::string> Missing;

private:
  /// Paths that may share one cache with L1, and MT4G's keys for them.
  static constexpr std::pair<std::string_view, std::string_view> Siblings[] = {
      {"readonly", "readOnly"}, {"texture", "texture"}};

  /// A value worth exporting, or null.
  const Quantity *known(const std::string &Path) const {
    const Quantity *Q = P.find(Path);
    const bool Stable = Q && Q->Value && Q->State != Status::NotConverged &&
                        Q->State != Status::NotMeasurable &&
                        std::isfinite(*Q->Value);
    return Stable ? Q : nullptr;
  }

  /// The value at \p Path; a missing one is reported with what it costs.
  const Quantity *need(const std::string &Path, std::string_view Without) {
    const Quantity *Q = known(Path);
    if (!Q)
      Missing.push_back(fmt::format("{}: without it {}", Path, Without));
    return Q;
  }

  /// MT4G calls plain numbers "value" and what it found itself "size".
  static json value(double V, std::string_view Unit) {
    return {{"value", plain(V)}, {"unit", Unit}};
  }

  static json size(const Quantity &Q) {
    json Size = {{"size", plain(std::round(*Q.Value))},
                 {"unit", "bytes"},
                 {"method", Q.Method}};
    const bool Disputed = Q.Second && !Q.Second->Agrees;
    if (!Disputed && (Q.Ci95 || Q.Second))
      Size["confidence"] = Confidence;
    return Size;
  }

  static json latency(const Quantity &Q) {
    json Latency = {
        {"mean", *Q.Value}, {"unit", "cycles"}, {"method", Q.Method}};
    if (Q.N)
      Latency["measurements"] = *Q.N;
    return Latency;
  }

  static json bandwidth(const Quantity &Q) {
    constexpr double GiB = 1024.0 * 1024 * 1024;
    return value(*Q.Value * 1e9 / GiB, "GiB/s");
  }

  void addMeta() {
    json &Meta = Out["meta"] = json::object();
    // The version of the format, not of a program.
    Meta["mt4gVersion"] = "1.2";
    Meta["generator"] = "warpwise";
    const auto Copy = [&](const char *Key, const char *From) {
      if (auto At = P.Environment.find(From); At != P.Environment.end())
        Meta[Key] = At->second;
    };
    Copy("timestamp", "date");
    // "13.0" is 13000 to the CUDA runtime, as in MT4G.
    for (const auto &[Key, From] :
         {std::pair("driver", "cuda_driver"), {"runtime", "cuda_runtime"}}) {
      const auto At = P.Environment.find(From);
      const size_t Dot =
          At == P.Environment.end() ? std::string::npos : At->second.find('.');
      if (Dot == std::string::npos)
        continue;
      const auto Major = digits(At->second.substr(0, Dot));
      const auto Minor = digits(At->second.substr(Dot + 1));
      if (Major && Minor)
        Meta[Key] = plain(*Major * 1000 + *Minor * 10);
    }
  }

  void addGeneral() {
    json &General = Out["general"] = json::object();
    General["name"] = P.Gpu;
    General["vendor"] = "NVIDIA";
    if (const auto Capability = profile::capabilityOf(P.Architecture))
      General["computeCapability"] = {{"major", *Capability / 10},
                                      {"minor", *Capability % 10}};
    else
      Missing.push_back("device.architecture: without it sys-sage loads "
                        "nothing");
    if (const Quantity *Clock =
            need(paths::device_clock, "sys-sage loads nothing"))
      General["clockRate"] = value(std::round(*Clock->Value * 1000), "kHz");
  }

  void addCompute() {
    json &Compute = Out["compute"] = json::object();
    if (const Quantity *Sms =
            need(paths::device_sm_count, "sys-sage loads nothing"))
      Compute["multiProcessorCount"] = plain(*Sms->Value);
    const profile::ArchitectureLimits *Known =
        profile::limitsOf(P.Architecture);
    if (!Known) {
      if (profile::capabilityOf(P.Architecture))
        Missing.push_back(fmt::format("{}: is not in the table of "
                                      "architectures, so sys-sage loads "
                                      "nothing",
                                      P.Architecture));
      return;
    }
    Compute["numberOfCoresPerMultiProcessor"] = Known->Sm.Singles;
    Compute["maxThreadsPerMultiProcessor"] = Known->SmThreads;
    Compute["maxBlocksPerMultiProcessor"] = Known->SmBlocks;
    Compute["maxThreadsPerBlock"] = profile::MostBlockThreads;
    Compute["warpSize"] = profile::RequestLaw::Lanes;
  }

  /// Latency and both bandwidths of \p Level, which go together.
  void addLatencyWithBandwidths(json &Into, const std::string &Level,
                                const std::string &ReadLeaf) {
    const Quantity *Latency = known(Level + ".latency");
    if (!Latency)
      return;
    const std::string Without = fmt::format(
        "the latency and the bandwidths of {} are left out", titleOf(Level));
    const Quantity *Read = need(Level + ReadLeaf, Without);
    const Quantity *Write = need(Level + ".bandwidth_write", Without);
    if (!Read || !Write)
      return;
    Into["latency"] = latency(*Latency);
    Into["readBandwidth"] = bandwidth(*Read);
    Into["writeBandwidth"] = bandwidth(*Write);
  }

  void addMain(json &Main) {
    Main = json::object();
    if (const Quantity *Size =
            need(paths::levels_dram_capacity, "sys-sage loads nothing"))
      Main["totalGlobalMem"] = value(*Size->Value, "bytes");
    if (const Quantity *Clock =
            need(paths::device_memory_clock, "sys-sage loads nothing"))
      Main["memoryClockRate"] = value(std::round(*Clock->Value * 1000), "kHz");
    if (const Quantity *Bus =
            need(paths::device_memory_bus, "sys-sage loads nothing"))
      Main["memoryBusWidth"] = value(*Bus->Value, "bit");
    addLatencyWithBandwidths(Main, paths::levels_dram, ".bandwidth_read");
  }

  void addL2(json &L2) {
    L2 = json::object();
    if (const Quantity *Size =
            need(paths::levels_l2_capacity, "sys-sage loads nothing"))
      L2["size"] = value(*Size->Value, "bytes");
    addSize(L2, "lineSize", paths::levels_l2_line);
    addSize(L2, "fetchGranularity", paths::levels_l2_fill);
    addSize(L2, "segmentSize", paths::levels_l2_partition);
    addPenalty(L2, paths::levels_l2);
    addLatencyWithBandwidths(L2, paths::levels_l2, ".bandwidth");
  }

  void addSize(json &Into, const char *Key, const std::string &Path) const {
    if (const Quantity *Q = known(Path))
      Into[Key] = size(*Q);
  }

  void addPenalty(json &Into, const std::string &Level) const {
    if (const Quantity *Q = known(Level + ".miss_penalty"))
      Into["missPenalty"] = value(*Q->Value, "cycles");
  }

  /// What one miss brings into a cache of the SM.
  std::string granularityPath(const std::string &Name) const {
    // The line of a constant cache is the distance of the misses of a cold
    // walk, so just that.
    if (Name.starts_with("constant"))
      return paths::ofLevel(Name, "line");
    // The unit between L1 and L2, so that of what lies in L1 as well.
    return Name == "l1" || sharesL1(Name) ? std::string(paths::levels_sector)
                                          : paths::ofLevel(Name, "sector");
  }

  /// Everything that the profile has about a cache of the SM.
  json cache(const std::string &Name) const {
    const std::string Level = "levels." + Name;
    json Cache = json::object();
    addSize(Cache, "size", Level + ".capacity");
    addSize(Cache, "lineSize", Level + ".line");
    addSize(Cache, "fetchGranularity", granularityPath(Name));
    addPenalty(Cache, Level);
    if (const Quantity *Q = known(Level + ".latency"))
      Cache["latency"] = latency(*Q);
    return Cache;
  }

  /// Whether a path has its data in L1: its capacity is L1's.
  bool sharesL1(std::string_view Name) const {
    const Quantity *Q = P.find(paths::ofLevel(Name, "capacity"));
    return Q && Q->State == Status::Alias &&
           Q->Method.find(paths::levels_l1) != std::string::npos;
  }

  void addSharing(json &Cache, std::string_view Name) const {
    constexpr std::pair<std::string_view, std::string_view> Names[] = {
        {"l1", "L1"}, {"readonly", "Read Only"}, {"texture", "Texture"}};
    if (Name != "l1" && !sharesL1(Name))
      return;
    json With = json::array();
    for (const auto &[Other, Shown] : Names)
      if (Other != Name && (Other == "l1" || sharesL1(Other)))
        With.push_back(Shown);
    if (!With.empty())
      Cache["sharedWith"] = std::move(With);
  }

  /// sys-sage reads these three of every cache but L1, unless it lies in L1.
  bool isComplete(
      const json &Cache, const std::string &Name,
      std::initializer_list<std::pair<const char *, const char *>> Parts) {
    bool Complete = true;
    for (const auto &[Key, Leaf] : Parts)
      if (!Cache.contains(Key)) {
        Complete = false;
        Missing.push_back(fmt::format(
            "levels.{}.{}: without it the cache is left out", Name, Leaf));
      }
    return Complete;
  }

  void addSibling(json &Memory, std::string_view Level, std::string_view Key) {
    const std::string Name(Level);
    json Cache = cache(Name);
    addSharing(Cache, Name);
    if (Cache.empty())
      return;
    if (sharesL1(Name) || isComplete(Cache, Name,
                                     {{"size", "capacity"},
                                      {"fetchGranularity", "sector"},
                                      {"latency", "latency"}}))
      Memory[std::string(Key)] = std::move(Cache);
  }

  /// With both levels, or with nothing but the size of the memory.
  void addConstant(json &Constant) {
    Constant = json::object();
    Constant["totalConstMem"] = value(double(profile::ConstantBytes), "bytes");
    json L1 = cache("constant"), L15 = cache("constant_l15");
    if (L1.empty() && L15.empty())
      return;
    const bool First = isComplete(L1, "constant",
                                  {{"size", "capacity"},
                                   {"fetchGranularity", "line"},
                                   {"latency", "latency"}});
    const bool Second =
        isComplete(L15, "constant_l15",
                   {{"size", "capacity"}, {"fetchGranularity", "line"}});
    if (!First || !Second)
      return;
    Constant["l1"] = std::move(L1);
    Constant["l1.5"] = std::move(L15);
  }

  void addShared(json &Shared) {
    Shared = json::object();
    Shared["sharedMemPerBlock"] =
        value(double(profile::StaticSharedBytes), "bytes");
    if (const Quantity *Q =
            need(paths::levels_shared_capacity, "sys-sage loads nothing"))
      Shared["sharedMemPerMultiProcessor"] = value(*Q->Value, "bytes");
    if (const Quantity *Q = known(paths::levels_shared_reserved_per_block))
      Shared["reservedSharedMemPerBlock"] = value(*Q->Value, "bytes");
    if (const Quantity *Q = known(paths::levels_shared_latency))
      Shared["latency"] = latency(*Q);
  }

  const Profile &P;
};

} // namespace

std::string reports::toMt4g(const Profile &P) {
  Exporter E(P);
  E.run();
  // Texts that are no UTF-8 must not make it throw.
  return E.Out.dump(4, ' ', false, json::error_handler_t::replace) + "\n";
}

std::vector<std::string> reports::missingForMt4g(const Profile &P) {
  Exporter E(P);
  E.run();
  return std::move(E.Missing);
}

//===- AccessRules.cpp - Fang's decision rules and Table 2 ----------------===//

#include "profiler/inference/AccessRules.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace warpwise;
using namespace warpwise::inference;
using profile::Profile;
using profile::Quantity;

namespace {

constexpr std::string_view Memories[] = {"shared", "constant", "global",
                                         "texture"};

double ratio(double A, double B) { return std::max(A, B) / std::min(A, B); }

std::string degreePath(std::string_view Memory, unsigned Degree) {
  return paths::broadcast(Memory, Degree);
}

using ByDegree = std::array<double, BroadcastDegrees.size()>;

/// The six latencies, or the path of the first that is missing.
std::optional<ByDegree> latencies(const Profile &P, std::string_view Memory,
                                  std::string &Missing) {
  ByDegree Latencies{};
  for (size_t I = 0; I != Latencies.size(); ++I) {
    const std::string Path = degreePath(Memory, BroadcastDegrees[I]);
    const auto Value = P.value(Path);
    if (!Value || *Value <= 0) {
      Missing = Path;
      return std::nullopt;
    }
    Latencies[I] = *Value;
  }
  return Latencies;
}

void record(Profile &P, const std::string &Path, std::string Word,
            std::string Method) {
  Quantity Q;
  Q.Unit = "name";
  Q.State =
      Word.empty() ? profile::Status::NotMeasurable : profile::Status::Inferred;
  Q.Word = std::move(Word);
  Q.Method = std::move(Method);
  P.Quantities[Path] = std::move(Q);
}

void recordSupport(Profile &P, const std::string &Path,
                   const std::optional<bool> &Supported,
                   const std::string &Method) {
  record(P, Path,
         !Supported   ? ""
         : *Supported ? "supported"
                      : "not supported",
         Method);
}

void recordImpact(Profile &P, std::string_view Memory, std::string_view Column,
                  std::string_view Pattern, const Capability &C) {
  const std::string Path = paths::ofWarp(Memory, Column);
  if (C.Parallel && !*C.Parallel) {
    record(P, Path, "",
           fmt::format("does not apply: {} memory serves different elements "
                       "one after the other (Fang et al. 2017, Table 2)",
                       Memory));
    return;
  }
  const std::string Constrained = paths::constraint(Memory, Pattern);
  const std::string Aligned = paths::constraint(Memory, "aligned");
  const auto With = P.value(Constrained), Without = P.value(Aligned);
  if (!With || !Without) {
    record(P, Path, "",
           fmt::format("{} is missing", With ? Aligned : Constrained));
    return;
  }
  record(P, Path, std::string(impactName(impactOf(*With, *Without))),
         fmt::format("rules of Fang et al. 2017, section 4.3: {} {:.4g} clk, "
                     "aligned {:.4g} clk",
                     Pattern, *With, *Without));
}

} // namespace

Capability inference::capabilityOf(const ByDegree &ByDegree,
                                   std::optional<double> Thread) {
  Capability C;
  C.Spread = ByDegree.front() / ByDegree.back();
  const auto [Least, Most] =
      std::minmax_element(ByDegree.begin(), ByDegree.end());
  if (*Most <= SameLatency * *Least) {
    if (Thread)
      C.Broadcast = C.Parallel =
          ratio(*Thread, ByDegree.back()) <= ThreadTolerance;
    return C;
  }
  bool Falls = C.Spread > SameLatency, Rises = 1 / C.Spread > SameLatency;
  for (size_t I = 1; I != ByDegree.size(); ++I) {
    Falls &= ByDegree[I] <= NoEffect * ByDegree[I - 1];
    Rises &= ByDegree[I] >= ByDegree[I - 1] / NoEffect;
  }
  if (Falls || Rises) {
    C.Broadcast = Falls;
    C.Parallel = Rises;
  }
  return C;
}

std::string_view inference::impactName(Impact I) {
  switch (I) {
  case Impact::None:
    return "none";
  case Impact::Small:
    return "small";
  case Impact::Large:
    return "large";
  }
  return "";
}

Impact inference::impactOf(double Constrained, double Aligned) {
  const double Ratio = Constrained / Aligned;
  return Ratio <= NoEffect     ? Impact::None
         : Ratio < LargeEffect ? Impact::Small
                               : Impact::Large;
}

std::optional<double> inference::threadLatency(const Profile &P,
                                               std::string_view Memory,
                                               double Like) {
  if (Memory != "global")
    return P.value(paths::ofLevel(Memory, "latency"));
  std::optional<double> Nearest;
  for (std::string_view Path :
       {paths::levels_l1_latency, paths::levels_l2_latency,
        paths::levels_l2_latency_far, paths::levels_dram_latency})
    if (const auto Value = P.value(Path);
        Value && (!Nearest || ratio(*Value, Like) < ratio(*Nearest, Like)))
      Nearest = Value;
  return Nearest;
}

std::optional<Capability> inference::capability(const Profile &P,
                                                std::string_view Memory) {
  std::string Missing;
  const auto ByDegree = latencies(P, Memory, Missing);
  if (!ByDegree)
    return std::nullopt;
  return capabilityOf(*ByDegree, threadLatency(P, Memory, ByDegree->back()));
}

void inference::deriveAccessTable(Profile &P) {
  for (std::string_view Memory : Memories) {
    std::string Missing;
    std::string Method;
    Capability C;
    if (const auto ByDegree = latencies(P, Memory, Missing)) {
      const auto Thread = threadLatency(P, Memory, ByDegree->back());
      C = capabilityOf(*ByDegree, Thread);
      Method = fmt::format(
          "rules of Fang et al. 2017, section 4.2: {:.4g} clk for 32 elements, "
          "{:.4g} clk for one, {} for a thread{}",
          ByDegree->front(), ByDegree->back(),
          Thread ? fmt::format("{:.4g} clk", *Thread) : "unknown",
          C.Parallel ? "" : "; these decide nothing");
    } else {
      Method = fmt::format("{} is missing", Missing);
    }
    const std::string Of = fmt::format("warp.{}.", Memory);
    recordSupport(P, Of + "broadcast_support", C.Broadcast, Method);
    recordSupport(P, Of + "parallel_support", C.Parallel, Method);
    recordImpact(P, Memory, "alignment_impact", "misaligned", C);
    recordImpact(P, Memory, "consecutive_impact", "nonconsecutive", C);
  }
}

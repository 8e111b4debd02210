//===- ReuseJson.cpp - The cache model's results as JSON ------------------===//

#include "analyzer/output/reuse/ReuseJson.h"

#include "analyzer/reuse/BytesPerAccess.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace warpwise::output {
namespace {

using reuse::LaunchReport;
using reuse::Traffic;

constexpr uint64_t LeastCapacity = uint64_t(1) << 10;
constexpr uint64_t MostCapacity = uint64_t(256) << 20;

/// Three extents, or none when they are not known.
Value extents(const std::optional<launch::Dim3> &Dim) {
  Array Result;
  if (Dim)
    for (const uint32_t Extent : *Dim)
      Result.push_back(Extent);
  return Result;
}

const char *nameOf(LaunchReport::Status S) {
  switch (S) {
  case LaunchReport::Status::Modelled:
    return "modelled";
  case LaunchReport::Status::Partial:
    return "partial";
  case LaunchReport::Status::NotModelled:
    break;
  }
  return "not-modelled";
}

/// Rates of nothing are 0.
void addTraffic(const Traffic &T, Object &Into) {
  Into["l1_read_hit_rate"] = T.l1ReadHitRate().value_or(0);
  Into["l1_store_hit_rate"] = T.l1StoreHitRate().value_or(0);
  Into["l2_read_hit_rate"] = T.l2ReadHitRate().value_or(0);
  Into["l1_load_sectors"] = T.LoadSectors;
  Into["l1_store_sectors"] = T.StoreSectors;
  Into["local_load_sectors"] = T.LocalLoadSectors;
  Into["local_store_sectors"] = T.LocalStoreSectors;
  Into["atomic_sectors"] = T.AtomicSectors;
  Into["l2_read_sectors"] = T.L2ReadSectors;
  Into["l2_write_sectors"] = T.L2WriteSectors;
  Into["dram_read_sectors"] = T.DramReadSectors;
  Into["dram_write_sectors"] = T.DramWriteSectors;
}

Object siteEntry(const Place &S, const Traffic &T) {
  const reuse::BytesPerAccess Bytes = reuse::bytesPerAccess(T);
  Object Entry{
      {"file", S.File},
      {"line", S.Line},
      {"column", S.Column},
      {"load_requests", T.LoadRequests},
      {"store_requests", T.StoreRequests},
      {"atomic_requests", T.AtomicRequests},
      {"bytes_per_access",
       Object{{"l1", Bytes.L1}, {"l2", Bytes.L2}, {"dram", Bytes.Dram}}}};
  addTraffic(T, Entry);
  return Entry;
}

Object sampling(const reuse::SimulationResult &R) {
  return Object{{"blocks", R.Simulated.Blocks},
                {"of_blocks", R.Simulated.AllBlocks},
                {"one_sm_of", R.Simulated.SmStride},
                {"windows", R.Simulated.Windows.Simulated},
                {"of_windows", R.Simulated.Windows.All},
                {"bounded_by_footprint", R.Bounded},
                {"error_class", R.SampleText}};
}

/// Hit ratios by ways and by capacity, and the histogram behind the latter.
Object curves(const reuse::LevelReuse &Level, unsigned LineBytes) {
  Array ByWays, ByCapacity, Histogram;
  for (unsigned Ways = 1; Ways <= 32; ++Ways)
    ByWays.push_back(Level.BySet.hitRatio(Ways));
  for (uint64_t Bytes = LeastCapacity; Bytes <= MostCapacity; Bytes *= 2)
    ByCapacity.push_back(Array{Bytes, Level.Full.hitRatio(Bytes / LineBytes)});
  for (const auto &[Distance, Sectors] : Level.Full.points())
    Histogram.push_back(Array{Distance == reuse::ReuseHistogram::Cold
                                  ? Value(nullptr)
                                  : Value(Distance),
                              Sectors});
  return Object{{"sets", Level.Sets},
                {"hit_ratio_by_ways", std::move(ByWays)},
                {"hit_ratio_by_bytes", std::move(ByCapacity)},
                {"histogram", std::move(Histogram)}};
}

Object variant(const reuse::VariantResult &V,
               const std::vector<reuse::Axis> &Axes) {
  Object Options, Entry;
  for (size_t I = 0; I != Axes.size(); ++I)
    Options[Axes[I].Name] = V.Values[I];
  Entry["options"] = std::move(Options);
  if (V.Error.empty())
    addTraffic(V.Total, Entry);
  else
    Entry["reason"] = V.Error;
  return Entry;
}

} // namespace

Object reuseLaunch(const LaunchReport &R,
                   const std::vector<reuse::Axis> &Axes) {
  Object Entry{{"kernel", R.Kernel},
               {"mangled", R.Mangled},
               {"at", R.At.text()},
               {"grid", extents(R.Grid)},
               {"block", extents(R.Block)},
               {"invocation", nullptr},
               {"status", nameOf(R.State)},
               {"reason", R.Reason},
               {"assumptions", Array(R.Assumptions)}};
  if (R.Invocation)
    Entry["invocation"] = *R.Invocation;
  if (R.State == LaunchReport::Status::NotModelled)
    return Entry;
  Entry["seconds"] = R.Seconds;
  addTraffic(R.Result.Total, Entry);
  Entry["blocks_per_sm"] = R.Result.Room.BlocksPerSm;
  Entry["l1_bytes"] = R.Result.Room.L1Bytes;
  Entry["waves"] = R.Result.Waves;
  Entry["accesses"] = R.Result.Accesses;
  Entry["trace_bytes"] = R.Result.TraceBytes;
  Entry["sampling"] = sampling(R.Result);
  Array Sites;
  for (size_t I = 0; I != R.Sites.size(); ++I)
    if (R.Result.Sites[I].requests() > 0) // barriers have none
      Sites.push_back(siteEntry(R.Sites[I], R.Result.Sites[I]));
  Entry["sites"] = std::move(Sites);
  if (R.Result.L1Reuse)
    Entry["l1_curves"] = curves(*R.Result.L1Reuse, reuse::LineBytes);
  if (R.Result.L2Reuse)
    Entry["l2_curves"] = curves(*R.Result.L2Reuse, reuse::LineBytes);
  if (!Axes.empty()) {
    Array Variants;
    for (const reuse::VariantResult &V : R.Variants)
      Variants.push_back(variant(V, Axes));
    Entry["variants"] = std::move(Variants);
  }
  return Entry;
}

Object reuseDocument(const reuse::ReuseRun &Run, Array Launches) {
  Array Options, Explored;
  for (const reuse::OptionInfo &Info : reuse::optionInfos())
    Options.push_back(
        Object{{"name", llvm::StringRef(Info.Name)},
               {"value", Info.Get(Run.Caches)},
               {"origin", reuse::originOf(Run.Caches, Info.Name)}});
  for (const reuse::Axis &Each : Run.Axes)
    Explored.push_back(
        Object{{"name", Each.Name}, {"values", Array(Each.Values)}});
  return Object{{"schema", "warpwise-reuse/1"},
                {"program", nullptr},
                {"file", Run.File},
                {"profile", Run.Profile},
                {"options", std::move(Options)},
                {"explored", std::move(Explored)},
                {"launches", std::move(Launches)}};
}

void writeReuse(Object Document, llvm::raw_ostream &Out) {
  Out << llvm::formatv("{0:2}", Value(std::move(Document))) << '\n';
}

} // namespace warpwise::output

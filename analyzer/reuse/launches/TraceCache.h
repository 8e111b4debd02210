//===- TraceCache.h - Traces that are asked for again -----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_LAUNCHES_TRACECACHE_H
#define WARPWISE_ANALYZER_REUSE_LAUNCHES_TRACECACHE_H

#include "analyzer/reuse/Trace.h"

#include <unordered_map>

namespace warpwise::reuse {

/// Keeps the traces of the first blocks, so that simulating one launch with
/// many caches makes them once. What does not fit is made again, and so is what
/// comes piece by piece: such traces are longer than what is kept.
class TraceCache : public TraceSource {
public:
  TraceCache(TraceSource &Source, uint64_t MostBytes)
      : Source(Source), MostBytes(MostBytes) {}

  const LaunchShape &shape() const override { return Source.shape(); }
  const std::vector<Place> &sites() const override { return Source.sites(); }

  std::string block(uint64_t Block, BlockTrace &Out) override {
    if (const auto Kept = Traces.find(Block); Kept != Traces.end()) {
      Out.Warps = Kept->second;
      Out.Rest.clear();
      return "";
    }
    std::string Problem = Source.block(Block, Out);
    uint64_t Needed = Out.Warps.size() * sizeof(WarpTrace);
    for (const WarpTrace &Warp : Out.Warps)
      Needed += Warp.size() * sizeof(LineAccess);
    if (Problem.empty() && Out.Rest.empty() && Bytes + Needed <= MostBytes) {
      Bytes += Needed;
      Traces[Block] = Out.Warps;
    }
    return Problem;
  }

private:
  TraceSource &Source;
  const uint64_t MostBytes;
  uint64_t Bytes = 0;
  std::unordered_map<uint64_t, std::vector<WarpTrace>> Traces;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LAUNCHES_TRACECACHE_H

//===- TraceEngine.h - Two ways to run a block ------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_TRACEENGINE_H
#define WARPWISE_ANALYZER_REUSE_TRACE_TRACEENGINE_H

#include "analyzer/reuse/Trace.h"
#include "analyzer/reuse/lanecode/KernelProgram.h"
#include "analyzer/reuse/trace/Buffers.h"
#include "analyzer/reuse/trace/LaneRunner.h"

#include <map>
#include <tuple>

namespace warpwise::reuse {

/// What a launch gives to the engine that runs it; outlives the engine.
struct EngineInput {
  KernelProgram &Program;
  const LaunchShape &Shape;
  void **Arguments; ///< one address for each
  BufferMemory &Memory;
  /// Contents of variables of the device code, by name: in Memory.
  std::map<std::string, std::pair<const char *, uint64_t>> Variables;
  TraceLimits Limits;
};

/// Gives each place in the source one number.
class SiteTable {
public:
  explicit SiteTable(std::vector<Place> &Sites) : Sites(Sites) {}
  uint32_t add(const access::Place &Where);

private:
  std::vector<Place> &Sites;
  std::map<std::tuple<std::string, unsigned, unsigned>, uint32_t> Known;
};

class TraceEngine {
public:
  virtual ~TraceEngine() = default;
  /// As TraceSource::block(), or blockLike(); \p Out has an empty trace for
  /// each warp, \p Likes no model.
  virtual std::string block(uint64_t Block, BlockTrace &Out,
                            LikeTraces *Likes) = 0;
  virtual uint64_t affineWarps() const { return 0; }
  /// As LaunchShape::LocalBytesPerWarp.
  virtual uint64_t localBytesPerWarp() const = 0;
};

/// Each thread by itself, as far as it decides addresses.
std::unique_ptr<TraceEngine> makeLaneEngine(const EngineInput &Input,
                                            SiteTable Sites);

/// All threads of a block side by side, with everything that they do.
llvm::Expected<std::unique_ptr<TraceEngine>>
makeFiberEngine(const EngineInput &Input, SiteTable Sites);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_TRACEENGINE_H

//===- KernelTrace.h - Traces of a launch from the kernel's IR --*- C++ -*-===//
//
// The logical half of the cache model: the warps of a launch, block by block,
// run on the CPU as far as their addresses need it. Every block finds memory as
// it was before the launch, so blocks may be asked for in any order and more
// than once.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_KERNELTRACE_H
#define WARPWISE_ANALYZER_REUSE_TRACE_KERNELTRACE_H

#include "analyzer/launch/facts/LaunchFacts.h"
#include "analyzer/reuse/Trace.h"
#include "analyzer/reuse/lanecode/KernelProgram.h"
#include "analyzer/reuse/trace/Buffers.h"
#include "analyzer/reuse/trace/TraceEngine.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <optional>

namespace warpwise::reuse {

/// An argument of the launch. Pointers lead into a buffer.
struct KernelArgument {
  launch::Argument Value;
  bool isNull(const Parameter &P) const {
    return P.What == Parameter::Kind::Pointer && Value.Integer == 0;
  }
  /// Index into LaunchInput::Buffers. A pointer without one gets a buffer of
  /// its own, of unknown size and contents.
  std::optional<size_t> Buffer;
};

struct LaunchInput {
  std::array<uint32_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicSharedBytes = 0;
  std::vector<KernelArgument> Arguments; ///< may be fewer than the kernel's
  /// In the order of their allocation. One with the name of a variable of the
  /// device code gives the variable's contents.
  std::vector<Buffer> Buffers;
  /// Run the threads side by side even if they need nothing from each other.
  bool SideBySide = false;
  /// How traces are cut into pieces; other ones are for tests.
  TraceLimits Limits;
};

class KernelTrace : public TraceSource {
public:
  /// \p Program may serve several launches, one at a time. The error says in
  /// one sentence what has to be known.
  static llvm::Expected<std::unique_ptr<KernelTrace>>
  create(std::shared_ptr<KernelProgram> Program, const LaunchInput &Input);
  ~KernelTrace() override;

  const LaunchShape &shape() const override { return Shape; }
  const std::vector<Place> &sites() const override { return Sites; }
  std::string block(uint64_t Block, BlockTrace &Out) override;
  std::string blockLike(uint64_t Block, BlockTrace &Out,
                        LikeTraces &Likes) override;

  /// Whether the threads of a block run side by side, because they exchange
  /// values that decide addresses. That is slower by far.
  bool runsSideBySide() const { return SideBySide; }
  /// One clause on what may make the traces differ from the program's; empty
  /// when nothing does.
  const std::string &doubt() const { return Doubt; }
  /// The warps so far of which three lanes of a row told all.
  uint64_t affineWarps() const;

private:
  std::shared_ptr<KernelProgram> Program;
  LaunchShape Shape;
  std::vector<Place> Sites;
  std::unique_ptr<BufferMemory> Memory;
  std::vector<std::unique_ptr<char[]>> Images; ///< of the arguments
  std::vector<void *> Arguments;
  std::unique_ptr<TraceEngine> Engine;
  bool SideBySide = false;
  std::string Doubt;

  KernelTrace() = default;
  std::string run(uint64_t Block, BlockTrace &Out, LikeTraces *Likes);
  llvm::Error checkShape(const LaunchInput &Input) const;
  llvm::Error placeArguments(const LaunchInput &Input);
  llvm::Error placeValue(const Parameter &P, const KernelArgument &Given,
                         unsigned Number, char *Image) const;
  llvm::Error checkContents(const std::vector<KernelArgument> &Given,
                            const std::vector<Buffer> &Buffers);
  void noteChanged(const std::string &Name);
  llvm::Error failure(const llvm::Twine &What) const;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_KERNELTRACE_H

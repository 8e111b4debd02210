//===- TraceTesting.h - Traces of kernels written in tests ------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_REUSE_TRACE_TRACETESTING_H
#define WARPWISE_TEST_UNIT_REUSE_TRACE_TRACETESTING_H

#include "analyzer/reuse/trace/KernelTrace.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>

namespace warpwise::reuse::test {

/// A kernel called "kernel", compiled from CUDA source.
class TraceTest : public testing::Test {
protected:
  /// \p Source, for which headers are built in. Empty with a message in
  /// Problem when it cannot be compiled.
  std::shared_ptr<KernelProgram> compile(const std::string &Source);

  /// A trace; null with a message in Problem.
  std::unique_ptr<KernelTrace> launch(const std::string &Source,
                                      const LaunchInput &Input);

  /// All blocks, one after the other; each warp of each.
  static std::vector<WarpTrace> run(KernelTrace &Trace);

  /// Checks that the threads one by one make the requests that they make side
  /// by side, and returns those.
  static std::vector<WarpTrace>
  runBothWays(const std::shared_ptr<KernelProgram> &Program, LaunchInput Input);
  std::vector<WarpTrace> runBothWays(const std::string &Source,
                                     LaunchInput Input) {
    return runBothWays(compile(Source), std::move(Input));
  }

  std::string Problem;

private:
  llvm::LLVMContext Context;
};

inline KernelArgument integer(int64_t Value) {
  KernelArgument Made;
  Made.Value.Integer = Value;
  return Made;
}

inline KernelArgument pointer(std::optional<size_t> Buffer = {}) {
  KernelArgument Made;
  Made.Buffer = Buffer;
  return Made;
}

inline LaunchInput shape(std::array<uint32_t, 3> Grid,
                         std::array<uint32_t, 3> Block,
                         std::vector<KernelArgument> Arguments) {
  LaunchInput Made;
  Made.Grid = Grid;
  Made.Block = Block;
  Made.Arguments = std::move(Arguments);
  return Made;
}

inline Buffer buffer(std::string Name, uint64_t Bytes,
                     Buffer::Contents Initial) {
  Buffer Made;
  Made.Name = std::move(Name);
  Made.Bytes = Bytes;
  Made.Initial = Initial;
  return Made;
}

struct Totals {
  uint64_t Loads = 0, LoadSectors = 0, Stores = 0, StoreSectors = 0;
  uint64_t Atomics = 0, Barriers = 0, Local = 0;

  bool operator==(const Totals &) const = default;
};

Totals total(const std::vector<WarpTrace> &Warps);

} // namespace warpwise::reuse::test

#endif // WARPWISE_TEST_UNIT_REUSE_TRACE_TRACETESTING_H

//===- Nvcc.h - The CUDA compiler as a measuring device ---------*- C++ -*-===//
//
// Finds nvcc and asks it what became of a kernel's private arrays. Plain C++,
// no GPU and no shell; safe to use from any thread.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_LOCALARRAYS_NVCC_H
#define WARPWISE_KERNELS_LOCALARRAYS_NVCC_H

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::harness {

/// Bytes of each kernel's stack frame in what `ptxas -v` printed, by the
/// kernel's name. A frame of 0 means that nothing private is in memory.
std::map<std::string, unsigned> stackFrames(std::string_view PtxasOutput);

/// The numbers of "compute_90" and the like in \p List, ascending.
std::vector<unsigned> architecturesIn(std::string_view List);

class Nvcc {
public:
  /// The nvcc of CUDA_PATH, CUDA_HOME, PATH or /usr/local/cuda, in this order.
  /// Throws Skip when there is none or it does not answer.
  Nvcc();

  /// Compute capabilities that it compiles for, as 90 for 9.0; ascending.
  const std::vector<unsigned> &architectures() const { return Known; }
  /// Compiles \p Source for one of them, in a temporary folder that is gone
  /// afterwards. Throws Skip with the compiler's first line when it fails.
  std::map<std::string, unsigned> stackFramesOf(std::string_view Source,
                                                unsigned Architecture) const;

private:
  std::filesystem::path Program;
  std::vector<unsigned> Known;
};

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_LOCALARRAYS_NVCC_H

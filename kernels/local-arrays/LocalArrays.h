//===- LocalArrays.h - How large a private array registers hold -*- C++ -*-===//
//
// Fang et al. 2017, Table 3: the largest array of one thread that the compiler
// keeps in registers, for three ways of using it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_LOCALARRAYS_LOCALARRAYS_H
#define WARPWISE_KERNELS_LOCALARRAYS_LOCALARRAYS_H

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::harness {

enum class ArrayUse {
  VectorAddition,       ///< one loop, and a size of N is N elements
  MatrixMultiplication, ///< three nested loops, and N is N x N elements
  Sorting               ///< order and number of accesses depend on the data
};
constexpr std::array ArrayUses = {ArrayUse::VectorAddition,
                                  ArrayUse::MatrixMultiplication,
                                  ArrayUse::Sorting};
/// As in the profile: "vector_addition".
std::string_view arrayUseName(ArrayUse Use);

struct ArrayCandidate {
  ArrayUse Use;
  unsigned Size;
};
/// Its kernel's name, which C++ leaves as it is.
std::string kernelName(const ArrayCandidate &C);
/// A kernel with one private array.
std::string kernelSource(const ArrayCandidate &C);

/// The largest size of each use that is kept in registers; 0 when none is.
using ArrayLimits = std::array<unsigned, ArrayUses.size()>;

/// Says of each candidate whether it is kept in registers.
using AskCompiler =
    std::function<std::vector<bool>(const std::vector<ArrayCandidate> &)>;

/// Asks \p AreKept about a few candidates at a time, until for each use the
/// size found is kept and the next is not, or the largest that is tried is.
/// Spills come and go by a few elements around the limit; the answer is one
/// such boundary, always the same.
ArrayLimits findLimits(const AskCompiler &AreKept);

/// Elements of the array that \p Size means.
unsigned elements(const ArrayCandidate &C);

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_LOCALARRAYS_LOCALARRAYS_H

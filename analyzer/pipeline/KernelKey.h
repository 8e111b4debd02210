//===- KernelKey.h - What the evaluation of a kernel rests on ---*- C++ -*-===//
//
// Two kernels with the same key have the same result, but for where their code
// stands in the source. The key is made of all that the evaluation can read:
// the kernel's canonical IR with everything that it reaches, its launches and
// their values, the law, the budget.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PIPELINE_KERNELKEY_H
#define WARPWISE_ANALYZER_PIPELINE_KERNELKEY_H

#include "analyzer/pipeline/KernelQuestion.h"
#include "analyzer/pipeline/Packing.h"

#include <array>
#include <cstdint>
#include <optional>

namespace warpwise::pipeline {

/// Of 256 bits: that two differ in what they stand for and not in this does not
/// happen.
using KernelDigest = std::array<uint8_t, 32>;

struct KernelKey {
  KernelDigest Digest;
  /// All places that the result can name. Those of an equal key are the same
  /// ones in the same order, on other lines.
  PlaceTable Places;
};

/// Nothing where the kernel has something in it that no key can tell.
std::optional<KernelKey> keyOf(const KernelQuestion &Asked);

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_KERNELKEY_H

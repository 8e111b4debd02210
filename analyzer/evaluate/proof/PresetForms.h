//===- PresetForms.h - What is there before the first step ------*- C++ -*-===//
//
// The arguments, the numbers of threads and blocks, and the addresses of
// variables as forms: what the launch does not tell is a symbol.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_PRESETFORMS_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_PRESETFORMS_H

#include "analyzer/evaluate/Environment.h"
#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/proof/Algebra.h"

#include <array>
#include <optional>
#include <vector>

namespace warpwise::access::proof {

/// Which warps of which blocks a run stands for.
struct Range {
  std::array<Interval, 3> Block;
  /// Unset: every warp of a block, whose number is a symbol like any other.
  std::optional<unsigned> Warp;
};

/// True when the warps of blocks of this shape differ only in numbers that a
/// form can express.
bool hasSymbolicWarps(const launch::Dim3 &Block);

class PresetForms {
public:
  /// Makes symbols in \p Forms. All outlive this.
  PresetForms(const launch::Shape &Shape,
              const std::vector<launch::Argument> &Arguments,
              const Environment &Where, Algebra &Forms)
      : Shape(Shape), Arguments(Arguments), Where(Where), Forms(Forms) {}

  Form of(const Preset &P, const Range &Which);

private:
  const launch::Shape &Shape;
  const std::vector<launch::Argument> &Arguments;
  const Environment &Where;
  Algebra &Forms;

  Form argument(const Preset &P);
  Form thread(Preset::Kind Axis);
};

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_PRESETFORMS_H

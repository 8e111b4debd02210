//===- KernelSummary.h - What a run says of a whole kernel ------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_ADVICE_KERNELSUMMARY_H
#define WARPWISE_ANALYZER_ADVICE_KERNELSUMMARY_H

#include "analyzer/launch/facts/LaunchFacts.h"
#include "analyzer/source/Place.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace warpwise::advice {

/// One of the shapes that a kernel was looked at under.
struct LaunchSummary {
  launch::Shape Shape;
  /// As in KernelSummary.
  std::string BoundBy;
  double Nanoseconds = 0;
  bool IsWhole = false;
  double Wasted = 0;

  bool operator==(const LaunchSummary &Other) const {
    return std::tie(Shape.Block, Shape.Grid, Shape.DynamicSharedBytes, Shape.At,
                    Shape.When, BoundBy, Nanoseconds, IsWhole, Wasted) ==
           std::tie(Other.Shape.Block, Other.Shape.Grid,
                    Other.Shape.DynamicSharedBytes, Other.Shape.At,
                    Other.Shape.When, Other.BoundBy, Other.Nanoseconds,
                    Other.IsWhole, Other.Wasted);
  }
};

/// The kernel under the launch in which most time is wasted.
struct KernelSummary {
  std::string Name;    ///< demangled
  std::string Mangled; ///< the linker's name
  Place Where;
  /// Launches that the code, the user or __launch_bounds__ names; 0: shapes
  /// were assumed.
  unsigned Launches = 0;
  /// What it is bound by: "L2". Empty when it has no price.
  std::string BoundBy;
  /// Of the launch; one of which not all is known is taken for one that fills
  /// the GPU, and IsWhole is false.
  double Nanoseconds = 0;
  bool IsWhole = false;
  /// The share of this time that following all advice would save.
  double Wasted = 0;
  std::vector<LaunchSummary> Shapes; ///< all that it was looked at under

  bool operator==(const KernelSummary &) const = default;
};

} // namespace warpwise::advice

#endif // WARPWISE_ANALYZER_ADVICE_KERNELSUMMARY_H

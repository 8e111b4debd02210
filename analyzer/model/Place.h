//===- Place.h - A spot in the source ---------------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_MODEL_PLACE_H
#define WARPWISE_ANALYZER_MODEL_PLACE_H

#include <compare>
#include <string>

namespace warpwise::access {

/// A spot in the source. Line and Column count from 1; 0 means not known.
struct Place {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;

  auto operator<=>(const Place &) const = default;
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_MODEL_PLACE_H

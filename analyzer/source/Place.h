//===- Place.h - A spot in the source ---------------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_SOURCE_PLACE_H
#define WARPWISE_ANALYZER_SOURCE_PLACE_H

#include <compare>
#include <string>

namespace warpwise {

/// A spot in the source. Line and Column count from 1; 0 means not known.
struct Place {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;

  auto operator<=>(const Place &) const = default;

  bool isKnown() const { return Line != 0; }
  /// "host.cu:88", or empty where the place is not known.
  std::string text() const {
    return isKnown() ? File + ":" + std::to_string(Line) : "";
  }
  /// The file without its folder.
  std::string fileName() const { return File.substr(File.rfind('/') + 1); }
};

namespace access {
using warpwise::Place;
} // namespace access

} // namespace warpwise

#endif // WARPWISE_ANALYZER_SOURCE_PLACE_H

//===- DeclaredArray.h - An array as the source declares it -----*- C++ -*-===//
//
// What a rewrite has to know of a __shared__ or __constant__ array, or of a
// table that a function declares: where its words stand in the file, and what
// speaks against changing them. Plain data.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_SOURCE_DECLAREDARRAY_H
#define WARPWISE_ANALYZER_SOURCE_DECLAREDARRAY_H

#include "analyzer/source/Place.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpwise {

/// Bytes of a file as it lies on the disk.
struct Span {
  std::string File;
  uint64_t Offset = 0, Length = 0;

  auto operator<=>(const Span &) const = default;
};

struct DeclaredArray {
  std::string Name;
  Place Where; ///< of the name; no column, as debug information has none
  std::vector<uint64_t> Extents; ///< outermost first
  uint64_t ElementBytes = 0;

  /// The innermost extent as it is written, and where.
  Span RowExtent;
  std::string RowExtentText;
  /// Why rows must not become longer, as half a sentence: "its address is
  /// taken in line 12". Empty when nothing but complete subscripts, whose last
  /// index stays within the row, uses the array.
  std::string WhyRowsStay;

  /// The word __constant__ before it.
  Span Constant;
  /// Why the array must stay in constant memory, or empty.
  std::string WhyConstantStays;

  /// The first word of the declaration of a table of constants.
  Span FirstWord;
  std::string FirstWordText;
  /// Why each thread must have a table of its own, or empty.
  std::string WhyOfThread;
};

} // namespace warpwise

#endif // WARPWISE_ANALYZER_SOURCE_DECLAREDARRAY_H

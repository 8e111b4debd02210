//===- Document.h - JSON text to a tree -------------------------*- C++ -*-===//
//
// nlohmann-json's own parser keeps the last of two equal keys and throws on
// errors. A profile must not be half-used, so this one refuses duplicates and
// says where the text is broken, without exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_DOCUMENT_H
#define WARPWISE_PROFILER_PROFILE_DOCUMENT_H

#include "profiler/io/Expected.h"

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::profile {

using Pairs = std::vector<std::array<double, 2>>;

struct Document {
  /// Where a document has an array of pairs of numbers, this has a binary
  /// value, which JSON itself does not know. A profile has ten thousand pairs,
  /// and a node for each is most of the time that reading one takes.
  nlohmann::json Root;
  std::vector<Pairs> Lists; ///< by the binary value's subtype

  /// The list that \p Value stands for, or null.
  const Pairs *pairsOf(const nlohmann::json &Value) const {
    return Value.is_binary() ? &Lists[Value.get_binary().subtype()] : nullptr;
  }
};

/// What is wrong begins with "FILE:LINE:COLUMN: ".
io::Expected<Document> parseDocument(std::string_view Text,
                                     std::string_view Origin);

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_DOCUMENT_H

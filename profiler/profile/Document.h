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

#include <string>
#include <string_view>

namespace warpwise::profile {

/// What is wrong begins with "FILE:LINE:COLUMN: ".
io::Expected<nlohmann::json> parseDocument(std::string_view Text,
                                           std::string_view Origin);

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_DOCUMENT_H

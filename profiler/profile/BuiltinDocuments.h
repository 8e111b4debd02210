//===- BuiltinDocuments.h - The profiles in the binary ----------*- C++ -*-===//
//
// The other side of EmbedProfiles.cmake: what profiler/profiles/*.json looks
// like from C++.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_BUILTINDOCUMENTS_H
#define WARPWISE_PROFILER_PROFILE_BUILTINDOCUMENTS_H

#include <string_view>
#include <vector>

namespace warpwise::profile {

struct BuiltinDocument {
  std::string_view Name; ///< the file's stem
  std::string_view Architecture;
  bool IsMeasured;       ///< rather than copied from papers
  std::string_view Text; ///< the file
};

/// All of them, sorted by name.
std::vector<BuiltinDocument> builtinDocuments();

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_BUILTINDOCUMENTS_H

//===- File.h - Whole files in and out --------------------------*- C++ -*-===//
//
// A profile is minutes of measuring, so a full disk or an interrupt while it
// is saved must never cost the one that was there.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_FILE_H
#define WARPWISE_PROFILER_PROFILE_FILE_H

#include <string>
#include <string_view>

namespace warpwise::profile {

/// Reads the file at \p Path into \p Text. Returns an empty string or one
/// sentence that says why it cannot.
std::string readFile(const std::string &Path, std::string &Text);

/// Makes \p Text the content of the file at \p Path, or leaves what is there:
/// a temporary file beside it is written, synced and renamed. Returns an empty
/// string or one sentence that says what failed.
std::string replaceFile(const std::string &Path, std::string_view Text);

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_FILE_H

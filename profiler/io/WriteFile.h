//===- WriteFile.h - Where results go ---------------------------*- C++ -*-===//
//
// The one way out for what a user asks to have in a file. A result is minutes
// of work, so a full disk or an interrupt must never cost the one that was
// there; and what is not a regular file is not ours to replace.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_IO_WRITEFILE_H
#define WARPWISE_PROFILER_IO_WRITEFILE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwise::io {

/// Makes \p Text the content of the file at \p Path, or leaves what is there.
/// Links are followed. A regular file is written beside its place, synced and
/// renamed, and keeps its permissions; a pipe, a device or what standard output
/// already goes to is written to. Returns an empty string or the reason of the
/// failure.
std::string writeFile(const std::string &Path, std::string_view Text);

/// What writeFile() would say for a text of \p Bytes, as far as that can be
/// known before. Leaves nothing behind.
std::string whyNotWritable(const std::string &Path, size_t Bytes);

/// Makes \p Text the content of \p Name, a path with slashes, below \p Folder.
/// Folders on the way are made; a link among them is an error, and one at the
/// end is replaced and not followed: who can write to \p Folder beforehand must
/// not choose where the text goes.
std::string createBelow(const std::string &Folder, const std::string &Name,
                        std::string_view Text);

} // namespace warpwise::io

#endif // WARPWISE_PROFILER_IO_WRITEFILE_H

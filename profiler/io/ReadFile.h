//===- ReadFile.h - Files that others wrote ---------------------*- C++ -*-===//
//
// The one way in for a file whose name comes from outside: a compile database,
// a response file, a profile, a source. Any of these names can be a pipe, a
// device or endless, so only regular files are read, and only up to a size.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_IO_READFILE_H
#define WARPWISE_PROFILER_IO_READFILE_H

#include "profiler/io/Expected.h"

#include <cstddef>
#include <string>

namespace warpwise::io {

/// Far above any file that a person or a build system wrote.
constexpr size_t MostTextBytes = size_t(64) << 20;

/// What is in the regular file at \p Path, or the reason why not, in the words
/// of the C library or as "it is not a regular file" or "it is larger than 64
/// MiB". Never blocks.
Expected<std::string> readFile(const std::string &Path,
                               size_t MaxBytes = MostTextBytes);

} // namespace warpwise::io

#endif // WARPWISE_PROFILER_IO_READFILE_H

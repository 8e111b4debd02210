//===- OutputFile.h - Where a profile goes ----------------------*- C++ -*-===//
//
// Known to work before a minute of measuring, not after.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_OUTPUTFILE_H
#define WARPWISE_PROFILER_TOOL_OUTPUTFILE_H

#include "profiler/io/Expected.h"

#include <string>

namespace warpwise::tool {

/// The file of the profile \p Name in the user's folder, which is created.
/// Empty with one sentence in \p Error when there cannot be one.
io::Expected<std::string> defaultOutput(const std::string &Name);

/// One sentence when a profile could not be written to \p Path, or an empty
/// string: the folder is missing or closed, the disk is full. Leaves nothing
/// behind.
std::string whyNotWritable(const std::string &Path);

/// The same for a folder of traces, which is created.
std::string whyNotAFolder(const std::string &Path);

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_OUTPUTFILE_H

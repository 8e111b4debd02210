//===- JsonDepth.h - How deep a JSON text is nested -------------*- C++ -*-===//
//
// JSON parsers recurse, and so do those who walk what they made: a file of
// 100 000 brackets ends the process. Asked before the text is parsed.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_IO_JSONDEPTH_H
#define WARPWISE_PROFILER_IO_JSONDEPTH_H

#include <cstddef>
#include <string_view>

namespace warpwise::io {

/// Deeper than anything that Warpwise reads or other tools write.
constexpr size_t MostJsonLevels = 64;

/// True when \p Json has more than \p Most arrays and objects inside each
/// other. The text need not be valid.
bool isNestedDeeperThan(std::string_view Json, size_t Most = MostJsonLevels);

} // namespace warpwise::io

#endif // WARPWISE_PROFILER_IO_JSONDEPTH_H

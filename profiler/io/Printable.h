//===- Printable.h - Foreign text for a terminal ----------------*- C++ -*-===//
//
// Source lines, file names and messages that quote them come from whoever wrote
// the code. A terminal would obey the control characters in them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_IO_PRINTABLE_H
#define WARPWISE_PROFILER_IO_PRINTABLE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwise::io {

/// \p Text on one line with everything escaped that is not a character to look
/// at: control characters (\x1b, \n, \u009b), those that turn the direction of
/// writing (\u202e), and bytes that are not UTF-8 (\xff).
std::string printable(std::string_view Text);

/// The same line by line: newlines stay, and so do tabs.
std::string printableLines(std::string_view Text);

/// \p Text without its middle when it is longer than a person reads: the name
/// of a template's instance can have a megabyte.
std::string shortened(std::string_view Text, size_t MaxBytes = 1000);

} // namespace warpwise::io

#endif // WARPWISE_PROFILER_IO_PRINTABLE_H

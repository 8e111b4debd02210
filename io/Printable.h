//===- Printable.h - Foreign text for a terminal ----------------*- C++ -*-===//
//
// Source lines, file names and messages that quote them come from whoever wrote
// the code. A terminal would obey the control characters in them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_IO_PRINTABLE_H
#define WARPWISE_IO_PRINTABLE_H

#include <string>
#include <string_view>

namespace warpwise::io {

/// \p Text on one line with everything escaped that is not a character to look
/// at: control characters (\x1b, \n, \u009b), those that turn the direction of
/// writing (\u202e), and bytes that are not UTF-8 (\xff).
std::string printable(std::string_view Text);

} // namespace warpwise::io

#endif // WARPWISE_IO_PRINTABLE_H

//===- ReportText.h - Readable names ----------------------------*- C++ -*-===//
//
// Dotted paths of a profile as a reader wants them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_REPORTTEXT_H
#define WARPWISE_PROFILER_TOOL_REPORTS_REPORTTEXT_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::reports {

/// The words of a name or a label, in lower case: letters and digits between
/// anything else.
std::vector<std::string> wordsOf(std::string_view Text);
bool hasWord(std::string_view Text, std::string_view Word);
/// The words joined, with the field's abbreviations as they are written.
std::string sentence(const std::vector<std::string> &Words);
/// "levels.l1" is "L1", "warp.shared.broadcast" is "Shared broadcast".
std::string titleOf(std::string_view Path);

std::string_view parentOf(std::string_view Path); ///< "" without a dot
std::string_view leafOf(std::string_view Path);
std::string_view sectionOf(std::string_view Path);

/// The order of a reader: "degree_2" before "degree_16".
bool naturallyLess(std::string_view A, std::string_view B);

/// The whole of \p Text as a number without sign, or nothing.
std::optional<double> digits(std::string_view Text);

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_REPORTTEXT_H

//===- ReportText.h - Words and numbers of reports ------------------*- C++
//-*-===//
//
// Escaping, human units, and readable names for dotted paths.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_REPORTTEXT_H
#define WARPWISE_PROFILER_TOOL_REPORTS_REPORTTEXT_H

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::reports {

/// Formats to the end of \p Out.
template <typename... Args>
void append(std::string &Out, fmt::format_string<Args...> Format,
            Args &&...Values) {
  fmt::format_to(std::back_inserter(Out), Format,
                 std::forward<Args>(Values)...);
}

/// \p Text for HTML content and quoted attributes; control characters become
/// the replacement character.
std::string escape(std::string_view Text);

/// Five significant digits at most, thousands in groups: "4,023", "33.12".
std::string number(double Value);
/// "248 KiB", "512 B", "139.81 GiB".
std::string bytes(double Value);
/// The value with its unit as a reader wants it: bytes in KiB and MiB, nothing
/// for the unit "1".
std::string withUnit(double Value, std::string_view Unit);

/// What an axis shows: "footprint [B]" is footprint in B.
struct AxisLabel {
  std::string Name, Unit;
};
AxisLabel axisLabel(std::string_view Text);
/// The label as a reader wants it: "footprint", "latency in cycles".
std::string axisTitle(const AxisLabel &L);

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

/// Characters of UTF-8, not bytes.
size_t letters(std::string_view Text);

/// The order of a reader: "degree_2" before "degree_16".
bool naturallyLess(std::string_view A, std::string_view B);

/// The whole of \p Text as a number without sign, or nothing.
std::optional<double> digits(std::string_view Text);

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_REPORTTEXT_H

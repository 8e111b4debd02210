//===- Text.h - Words and numbers of pages ----------------------*- C++ -*-===//
//
// Escaping and human units.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_CHARTS_TEXT_H
#define WARPWISE_PROFILER_CHARTS_TEXT_H

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

namespace warpwise::charts {

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

/// Characters of UTF-8, not bytes.
size_t letters(std::string_view Text);

} // namespace warpwise::charts

#endif // WARPWISE_PROFILER_CHARTS_TEXT_H

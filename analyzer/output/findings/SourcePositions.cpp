//===- SourcePositions.cpp - Bytes of a file as others count them ---------===//

#include "analyzer/output/findings/SourcePositions.h"

#include "analyzer/text/Utf16.h"

#include <algorithm>

namespace warpwise::output {

SourcePositions::SourcePositions(std::string Its) : Text(std::move(Its)) {
  Starts.push_back(0);
  for (size_t At = Text.find('\n'); At != std::string::npos;
       At = Text.find('\n', At + 1))
    Starts.push_back(At + 1);
}

llvm::StringRef SourcePositions::line(unsigned Number) const {
  if (Number == 0 || Number > Starts.size())
    return {};
  const size_t Begin = Starts[Number - 1];
  const size_t End = Number == Starts.size() ? Text.size() : Starts[Number] - 1;
  return llvm::StringRef(Text).slice(Begin, End).rtrim('\r');
}

unsigned SourcePositions::column(unsigned Line, unsigned Byte) const {
  const llvm::StringRef Before = line(Line).take_front(std::max(Byte, 1u) - 1);
  return Before.empty() ? Byte : unsigned(text::utf16Units(Before)) + 1;
}

SourcePosition SourcePositions::position(uint64_t Offset) const {
  const size_t At = std::min<uint64_t>(Offset, Text.size());
  const auto Next = std::upper_bound(Starts.begin(), Starts.end(), At);
  const size_t Begin = *std::prev(Next);
  return {unsigned(Next - Starts.begin()),
          unsigned(text::utf16Units(llvm::StringRef(Text).slice(Begin, At))) +
              1};
}

/// A line that is longer shows only what is around the place.
static constexpr size_t LongestLine = 300;

LineExcerpt excerptOf(llvm::StringRef Line, unsigned Column) {
  LineExcerpt Part = {Line,
                      std::min<size_t>(std::max(Column, 1u) - 1, Line.size())};
  if (Line.size() <= LongestLine)
    return Part;
  const size_t Begin =
      Part.At > LongestLine / 2 ? Part.At - LongestLine / 2 : 0;
  Part.IsCutBefore = Begin != 0;
  Part.IsCutAfter = Begin + LongestLine < Line.size();
  Part.Text = Line.substr(Begin, LongestLine);
  Part.At -= Begin;
  return Part;
}

const SourcePositions &ReportSources::of(const std::string &File) {
  auto Known = Files.find(File);
  if (Known == Files.end()) {
    const auto Text = Read ? Read(File) : std::nullopt;
    Known = Files.try_emplace(File, Text.value_or("")).first;
  }
  return Known->second;
}

} // namespace warpwise::output

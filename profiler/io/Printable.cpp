//===- Printable.cpp ------------------------------------------------------===//

#include "profiler/io/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace warpwise::io {
namespace {

/// The character at the start of a text, and its bytes; none: not UTF-8.
struct Character {
  uint32_t Code = 0;
  size_t Bytes = 0;
};

Character decode(std::string_view Text) {
  const auto At = [&](size_t I) { return static_cast<uint8_t>(Text[I]); };
  if (At(0) < 0x80)
    return {At(0), 1};
  constexpr struct {
    uint8_t Mask, Mark;
    uint32_t Least;
  } Forms[] = {{0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
  size_t Bytes = 2;
  for (const auto &Form : Forms) {
    if ((At(0) & Form.Mask) != Form.Mark) {
      ++Bytes;
      continue;
    }
    if (Text.size() < Bytes)
      return {};
    uint32_t Code = At(0) & static_cast<uint8_t>(~Form.Mask);
    for (size_t I = 1; I != Bytes; ++I) {
      if ((At(I) & 0xC0) != 0x80)
        return {};
      Code = Code << 6 | (At(I) & 0x3F);
    }
    const bool IsSurrogate = Code >= 0xD800 && Code <= 0xDFFF;
    if (Code < Form.Least || Code > 0x10FFFF || IsSurrogate)
      return {};
    return {Code, Bytes};
  }
  return {};
}

bool isHarmless(uint32_t Code) {
  const bool IsControl = Code < 0x20 || (Code >= 0x7F && Code < 0xA0);
  // Marks, embeddings, overrides and isolates; separators of lines.
  const bool Turns = Code == 0x061C || (Code >= 0x200E && Code <= 0x200F) ||
                     (Code >= 0x2028 && Code <= 0x202E) ||
                     (Code >= 0x2066 && Code <= 0x2069);
  return !IsControl && !Turns;
}

std::string escape(uint32_t Code) {
  switch (Code) {
  case '\n':
    return "\\n";
  case '\r':
    return "\\r";
  case '\t':
    return "\\t";
  default:
    return Code < 0x80 ? fmt::format("\\x{:02x}", Code)
                       : fmt::format("\\u{:04x}", Code);
  }
}

} // namespace

std::string printable(std::string_view Text) {
  // Most text is plain.
  if (std::all_of(Text.begin(), Text.end(),
                  [](char C) { return C >= 0x20 && C < 0x7F; }))
    return std::string(Text);
  std::string Result;
  while (!Text.empty()) {
    Character C = decode(Text);
    if (C.Bytes == 0) {
      Result += fmt::format("\\x{:02x}", static_cast<uint8_t>(Text[0]));
      C.Bytes = 1;
    } else if (isHarmless(C.Code)) {
      Result += Text.substr(0, C.Bytes);
    } else {
      Result += escape(C.Code);
    }
    Text.remove_prefix(C.Bytes);
  }
  return Result;
}

std::string printableLines(std::string_view Text) {
  std::string Result;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find_first_of("\n\t"), Text.size());
    Result += printable(Text.substr(0, End));
    if (End != Text.size())
      Result += Text[End];
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Result;
}

std::string shortened(std::string_view Text, size_t MaxBytes) {
  if (Text.size() <= MaxBytes)
    return std::string(Text);
  // Not within a character.
  const auto IsInside = [&](size_t At) {
    return (static_cast<uint8_t>(Text[At]) & 0xC0) == 0x80;
  };
  size_t Begin = MaxBytes / 3 * 2, End = Text.size() - MaxBytes / 3;
  while (Begin > 0 && IsInside(Begin))
    --Begin;
  while (End < Text.size() && IsInside(End))
    ++End;
  return fmt::format("{} ... {}", Text.substr(0, Begin), Text.substr(End));
}

} // namespace warpwise::io

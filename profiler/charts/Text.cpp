//===- Text.cpp - Words and numbers of pages ------------------------------===//

#include "profiler/charts/Text.h"

#include <algorithm>
#include <cmath>

using namespace warpwise;

namespace {

/// Digits before the point in groups of three.
std::string grouped(std::string Text) {
  size_t End = std::min(Text.find('.'), Text.size());
  const size_t Begin = Text.starts_with('-') ? 1 : 0;
  while (End > Begin + 3) {
    End -= 3;
    Text.insert(End, ",");
  }
  return Text;
}

/// With at most \p Decimals decimals and no zeros at the end.
std::string trimmed(double Value, int Decimals) {
  std::string Text = fmt::format("{:.{}f}", Value, Decimals);
  if (Text.find('.') != Text.npos) {
    Text.erase(Text.find_last_not_of('0') + 1);
    if (Text.ends_with('.'))
      Text.pop_back();
  }
  return Text == "-0" ? "0" : Text;
}

} // namespace

std::string charts::escape(std::string_view Text) {
  std::string Out;
  Out.reserve(Text.size());
  for (char C : Text)
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    case '\'':
      Out += "&#39;";
      break;
    default: {
      const auto Code = static_cast<unsigned char>(C);
      const bool Control =
          (Code < 0x20 && C != '\n' && C != '\t') || Code == 127;
      if (Control)
        Out += "\uFFFD";
      else
        Out += C;
    }
    }
  return Out;
}

std::string charts::number(double Value) {
  const double Size = std::fabs(Value);
  if (!std::isfinite(Value) || Size >= 1e15 || (Size > 0 && Size < 1e-3))
    return fmt::format("{:.3g}", Value);
  if (std::trunc(Value) == Value)
    return grouped(fmt::format("{:.0f}", Value));
  const int Whole = Size < 1 ? 1 : int(std::log10(Size)) + 1;
  return grouped(trimmed(Value, std::max(0, 5 - std::max(Whole, 2))));
}

std::string charts::bytes(double Value) {
  constexpr std::string_view Units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t Unit = 0;
  while (std::fabs(Value) >= 1024 && Unit + 1 != std::size(Units)) {
    Value /= 1024;
    ++Unit;
  }
  return fmt::format("{} {}", trimmed(Value, 2), Units[Unit]);
}

std::string charts::withUnit(double Value, std::string_view Unit) {
  if (Unit == "B")
    return bytes(Value);
  // "%smid" says which number it is; that is for the axis.
  if (Unit.empty() || Unit == "1" || (Unit.starts_with('%') && Unit != "%"))
    return number(Value);
  return fmt::format("{} {}", number(Value), Unit);
}

charts::AxisLabel charts::axisLabel(std::string_view Text) {
  const size_t Open = Text.rfind('[');
  if (Open == Text.npos || !Text.ends_with(']'))
    return {std::string(Text), ""};
  std::string_view Name = Text.substr(0, Open);
  while (Name.ends_with(' '))
    Name.remove_suffix(1);
  const std::string Unit(Text.substr(Open + 1, Text.size() - Open - 2));
  return {std::string(Name), Unit == "1" ? "" : Unit};
}

std::string charts::axisTitle(const AxisLabel &L) {
  // Ticks of bytes carry their own units.
  if (L.Unit.empty() || L.Unit == "B")
    return L.Name;
  return fmt::format("{} [{}]", L.Name, L.Unit);
}

size_t charts::letters(std::string_view Text) {
  return size_t(std::count_if(Text.begin(), Text.end(), [](char C) {
    return (static_cast<unsigned char>(C) & 0xC0) != 0x80;
  }));
}

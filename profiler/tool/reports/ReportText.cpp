//===- ReportText.cpp - Words and numbers of reports
//--------------------------===//

#include "profiler/tool/reports/ReportText.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

using namespace warpwise;

namespace {

/// How the field writes its abbreviations.
constexpr std::pair<std::string_view, std::string_view> Abbreviations[] = {
    {"api", "API"},   {"cpu", "CPU"},     {"d2d", "D2D"},
    {"dram", "DRAM"}, {"dsmem", "DSMEM"}, {"gpc", "GPC"},
    {"gpu", "GPU"},   {"l1", "L1"},       {"l15", "L1.5"},
    {"l2", "L2"},     {"lru", "LRU"},     {"mshr", "MSHR"},
    {"prt", "PRT"},   {"sm", "SM"},       {"sms", "SMs"},
    {"tlb", "TLB"},   {"tma", "TMA"},     {"readonly", "read-only"},
};

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

std::string reports::escape(std::string_view Text) {
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

std::string reports::number(double Value) {
  const double Size = std::fabs(Value);
  if (!std::isfinite(Value) || Size >= 1e15 || (Size > 0 && Size < 1e-3))
    return fmt::format("{:.3g}", Value);
  if (std::trunc(Value) == Value)
    return grouped(fmt::format("{:.0f}", Value));
  const int Whole = Size < 1 ? 1 : int(std::log10(Size)) + 1;
  return grouped(trimmed(Value, std::max(0, 5 - std::max(Whole, 2))));
}

std::string reports::bytes(double Value) {
  constexpr std::string_view Units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t Unit = 0;
  while (std::fabs(Value) >= 1024 && Unit + 1 != std::size(Units)) {
    Value /= 1024;
    ++Unit;
  }
  return fmt::format("{} {}", trimmed(Value, 2), Units[Unit]);
}

std::string reports::withUnit(double Value, std::string_view Unit) {
  if (Unit == "B")
    return bytes(Value);
  // "%smid" says which number it is; that is for the axis.
  if (Unit.empty() || Unit == "1" || Unit.starts_with('%'))
    return number(Value);
  return fmt::format("{} {}", number(Value), Unit);
}

reports::AxisLabel reports::axisLabel(std::string_view Text) {
  const size_t Open = Text.rfind('[');
  if (Open == Text.npos || !Text.ends_with(']'))
    return {std::string(Text), ""};
  std::string_view Name = Text.substr(0, Open);
  while (Name.ends_with(' '))
    Name.remove_suffix(1);
  const std::string Unit(Text.substr(Open + 1, Text.size() - Open - 2));
  return {std::string(Name), Unit == "1" ? "" : Unit};
}

std::string reports::axisTitle(const AxisLabel &L) {
  // Ticks of bytes carry their own units.
  if (L.Unit.empty() || L.Unit == "B")
    return L.Name;
  return fmt::format("{} [{}]", L.Name, L.Unit);
}

std::vector<std::string> reports::wordsOf(std::string_view Text) {
  std::vector<std::string> Words(1);
  for (char C : Text)
    if (std::isalnum(static_cast<unsigned char>(C)))
      Words.back() += char(std::tolower(static_cast<unsigned char>(C)));
    else if (!Words.back().empty())
      Words.emplace_back();
  if (Words.back().empty())
    Words.pop_back();
  return Words;
}

bool reports::hasWord(std::string_view Text, std::string_view Word) {
  const std::vector<std::string> Words = wordsOf(Text);
  return std::find(Words.begin(), Words.end(), Word) != Words.end();
}

std::string reports::sentence(const std::vector<std::string> &Words) {
  std::string Out;
  for (const std::string &Word : Words) {
    const auto *Known =
        std::find_if(std::begin(Abbreviations), std::end(Abbreviations),
                     [&](const auto &Each) { return Each.first == Word; });
    if (!Out.empty())
      Out += ' ';
    Out += Known == std::end(Abbreviations) ? std::string_view(Word)
                                            : Known->second;
  }
  return Out;
}

std::string reports::titleOf(std::string_view Path) {
  for (std::string_view Top : {"levels.", "warp."})
    if (Path.starts_with(Top)) {
      Path.remove_prefix(Top.size());
      break;
    }
  std::string Out = sentence(wordsOf(Path));
  if (!Out.empty())
    Out[0] = char(std::toupper(static_cast<unsigned char>(Out[0])));
  return Out;
}

std::string_view reports::parentOf(std::string_view Path) {
  const size_t Dot = Path.rfind('.');
  return Dot == Path.npos ? std::string_view() : Path.substr(0, Dot);
}

std::string_view reports::leafOf(std::string_view Path) {
  const size_t Dot = Path.rfind('.');
  return Dot == Path.npos ? Path : Path.substr(Dot + 1);
}

std::string_view reports::sectionOf(std::string_view Path) {
  return Path.substr(0, Path.find('.'));
}

std::optional<double> reports::digits(std::string_view Text) {
  if (Text.empty() || Text.size() > 15)
    return std::nullopt;
  double Value = 0;
  for (char C : Text) {
    if (!std::isdigit(static_cast<unsigned char>(C)))
      return std::nullopt;
    Value = Value * 10 + (C - '0');
  }
  return Value;
}

size_t reports::letters(std::string_view Text) {
  return size_t(std::count_if(Text.begin(), Text.end(), [](char C) {
    return (static_cast<unsigned char>(C) & 0xC0) != 0x80;
  }));
}

bool reports::naturallyLess(std::string_view A, std::string_view B) {
  const auto IsDigit = [](char C) {
    return std::isdigit(static_cast<unsigned char>(C)) != 0;
  };
  const auto TakeNumber = [&](std::string_view &Text) {
    size_t End = 0;
    while (End != Text.size() && IsDigit(Text[End]))
      ++End;
    std::string_view Number = Text.substr(0, End);
    Text.remove_prefix(End);
    Number.remove_prefix(std::min(Number.find_first_not_of('0'), End));
    return Number;
  };
  const std::string_view WholeA = A, WholeB = B;
  while (!A.empty() && !B.empty()) {
    if (IsDigit(A[0]) && IsDigit(B[0])) {
      const std::string_view X = TakeNumber(A), Y = TakeNumber(B);
      if (X != Y)
        return std::pair(X.size(), X) < std::pair(Y.size(), Y);
      continue;
    }
    if (A[0] != B[0])
      return A[0] < B[0];
    A.remove_prefix(1);
    B.remove_prefix(1);
  }
  // Leading zeros alone still make two names.
  return A.empty() == B.empty() ? WholeA < WholeB : A.empty();
}

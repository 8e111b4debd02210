//===- ReportText.cpp - Readable names ------------------------------------===//

#include "profiler/tool/reports/ReportText.h"

#include <algorithm>
#include <cctype>
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

} // namespace

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

//===- CheckGlobs.cpp - Which rules run -----------------------------------===//

#include "analyzer/advice/CheckGlobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warpwise::advice {

static std::string_view trim(std::string_view Text) {
  constexpr std::string_view Blank = " \t\r\n";
  const size_t First = Text.find_first_not_of(Blank);
  if (First == std::string_view::npos)
    return {};
  return Text.substr(First, Text.find_last_not_of(Blank) - First + 1);
}

/// Whether \p Text as a whole matches \p Pattern, in which '*' stands for any
/// characters, as in clang-tidy's lists: brackets and '?', which GlobPattern
/// knows, mean themselves, and what rules stand on knows no LLVM. On a mismatch
/// only the last '*' has to take one more of them.
static bool matches(std::string_view Pattern, std::string_view Text) {
  size_t P = 0, T = 0, Star = std::string_view::npos, StarText = 0;
  while (T < Text.size()) {
    if (P < Pattern.size() && Pattern[P] == '*') {
      Star = P++;
      StarText = T;
    } else if (P < Pattern.size() && Pattern[P] == Text[T]) {
      ++P;
      ++T;
    } else if (Star != std::string_view::npos) {
      P = Star + 1;
      T = ++StarText;
    } else {
      return false;
    }
  }
  return Pattern.find_first_not_of('*', P) == std::string_view::npos;
}

CheckGlobs::CheckGlobs(std::string_view Text) {
  while (!Text.empty()) {
    const size_t End = Text.find_first_of(",\n");
    std::string_view Item = trim(Text.substr(0, End));
    Text = End == std::string_view::npos ? std::string_view()
                                         : Text.substr(End + 1);
    const bool Positive = !Item.starts_with('-');
    if (!Positive)
      Item = trim(Item.substr(1));
    if (!Item.empty())
      Globs.push_back({Positive, std::string(Item)});
  }
}

bool CheckGlobs::contains(std::string_view Rule) const {
  const auto Last =
      std::find_if(Globs.rbegin(), Globs.rend(),
                   [Rule](const Glob &G) { return matches(G.Pattern, Rule); });
  return Last != Globs.rend() && Last->Positive;
}

void CheckGlobs::dropNegative() {
  std::erase_if(Globs, [](const Glob &G) { return !G.Positive; });
}

ParsedChecks parseChecks(std::string_view Text,
                         const std::vector<std::string_view> &Known) {
  CheckGlobs Checks(fmt::format("*,{}", Text));
  for (const CheckGlobs::Glob &G : Checks.Globs)
    if (G.Pattern.find('*') == std::string::npos &&
        std::find(Known.begin(), Known.end(), G.Pattern) == Known.end())
      return {std::nullopt,
              fmt::format("unknown rule '{}' in --checks; the rules are {}",
                          G.Pattern, fmt::join(Known, ", "))};
  if (std::none_of(Known.begin(), Known.end(), [&](std::string_view Name) {
        return Checks.contains(Name);
      }))
    return {std::nullopt,
            fmt::format("--checks='{}' leaves no rule enabled; the rules are "
                        "{}",
                        Text, fmt::join(Known, ", "))};
  return {std::move(Checks), ""};
}

std::vector<std::string>
unmatchedGlobs(std::string_view Text,
               const std::vector<std::string_view> &Known) {
  std::vector<std::string> Unmatched;
  for (const CheckGlobs::Glob &G : CheckGlobs(Text).Globs)
    if (std::none_of(Known.begin(), Known.end(), [&](std::string_view Name) {
          return matches(G.Pattern, Name);
        }))
      Unmatched.push_back(G.Pattern);
  return Unmatched;
}

} // namespace warpwise::advice

//===- Suppression.cpp - NOLINT comments ----------------------------------===//
//
// Like clang-tidy this looks for the word anywhere in the text, not only in
// comments: a file without a lexer is enough, and the word has no other use.
//
//===----------------------------------------------------------------------===//

#include "analyzer/advice/Suppression.h"

#include <algorithm>
#include <cctype>

namespace warpwise::advice {

namespace {

enum class Kind { ThisLine, NextLine, Begin, End };

struct Comment {
  Kind Type;
  unsigned Line, Column;
  /// What stands in the parentheses; unset without them.
  std::optional<std::string> Rules;

  CheckGlobs globs() const {
    CheckGlobs G(Rules ? *Rules : "*");
    G.dropNegative();
    return G;
  }
};

std::optional<Kind> kindOf(std::string_view Word) {
  if (Word == "NOLINT")
    return Kind::ThisLine;
  if (Word == "NOLINTNEXTLINE")
    return Kind::NextLine;
  if (Word == "NOLINTBEGIN")
    return Kind::Begin;
  if (Word == "NOLINTEND")
    return Kind::End;
  return std::nullopt;
}

/// "(globs)" at the start of \p Text. An opening parenthesis that is not
/// closed on its line is no list.
std::optional<std::string> parenthesised(std::string_view Text) {
  if (!Text.starts_with('('))
    return std::nullopt;
  const size_t End = Text.find_first_of("\n)");
  if (End == std::string_view::npos || Text[End] != ')')
    return std::nullopt;
  return std::string(Text.substr(1, End - 1));
}

std::vector<Comment> findComments(std::string_view Text) {
  constexpr std::string_view Word = "NOLINT";
  std::vector<Comment> Found;
  unsigned Line = 1;
  size_t LineStart = 0, Counted = 0;
  for (size_t At = Text.find(Word); At != std::string_view::npos;
       At = Text.find(Word, At)) {
    for (; Counted < At; ++Counted)
      if (Text[Counted] == '\n') {
        ++Line;
        LineStart = Counted + 1;
      }
    size_t End = At + Word.size();
    while (End < Text.size() &&
           std::isalpha(static_cast<unsigned char>(Text[End])))
      ++End;
    if (const auto Type = kindOf(Text.substr(At, End - At)))
      Found.push_back({*Type, Line, unsigned(At - LineStart + 1),
                       parenthesised(Text.substr(End))});
    At = End;
  }
  return Found;
}

} // namespace

NoLintComments::NoLintComments(const std::string &File, std::string_view Text) {
  std::vector<Comment> Open;
  auto Complain = [&](const Comment &C, const char *Message) {
    Unmatched.push_back({{File, C.Line, C.Column}, Message});
  };
  for (const Comment &C : findComments(Text)) {
    switch (C.Type) {
    case Kind::ThisLine:
      Lines.emplace(C.Line, C.globs());
      break;
    case Kind::NextLine:
      Lines.emplace(C.Line + 1, C.globs());
      break;
    case Kind::Begin:
      Open.push_back(C);
      break;
    case Kind::End:
      if (Open.empty() || Open.back().Rules != C.Rules) {
        Complain(C, "unmatched 'NOLINTEND' comment without a previous "
                    "'NOLINTBEGIN' comment");
        break;
      }
      Blocks.push_back({{Open.back().Line, Open.back().Column},
                        {C.Line, C.Column},
                        C.globs()});
      Open.pop_back();
      break;
    }
  }
  for (const Comment &C : Open)
    Complain(C, "unmatched 'NOLINTBEGIN' comment without a subsequent "
                "'NOLINTEND' comment");
}

bool NoLintComments::cover(const access::Place &Where,
                           std::string_view Rule) const {
  const auto [First, Last] = Lines.equal_range(Where.Line);
  if (std::any_of(First, Last,
                  [&](const auto &L) { return L.second.contains(Rule); }))
    return true;
  const Position At(Where.Line, Where.Column);
  return std::any_of(Blocks.begin(), Blocks.end(), [&](const Block &B) {
    return B.Begin < At && At < B.End && B.Rules.contains(Rule);
  });
}

bool Suppressions::cover(const access::Place &Where, const std::string &Rule) {
  auto Known = Files.find(Where.File);
  if (Known == Files.end()) {
    const std::string Text = Read(Where.File).value_or("");
    Known = Files.emplace(Where.File, NoLintComments(Where.File, Text)).first;
  }
  return Known->second.cover(Where, Rule);
}

bool Suppressions::cover(const Finding &F) {
  if (cover(F.Where, F.Rule))
    return true;
  const auto IsCovered = [&](const std::vector<access::Place> &Way) {
    return std::any_of(Way.begin(), Way.end(), [&](const access::Place &Call) {
      return cover(Call, F.Rule);
    });
  };
  return !F.CalledFrom.empty() &&
         std::all_of(F.CalledFrom.begin(), F.CalledFrom.end(), IsCovered);
}

size_t Suppressions::removeFrom(std::vector<Finding> &Findings) {
  return std::erase_if(Findings, [this](const Finding &F) { return cover(F); });
}

std::vector<Note> Suppressions::unmatched() const {
  std::vector<Note> All;
  for (const auto &[File, Comments] : Files)
    All.insert(All.end(), Comments.unmatched().begin(),
               Comments.unmatched().end());
  return All;
}

} // namespace warpwise::advice

//===- Positions.cpp - Where something is, as editors count ---------------===//

#include "analyzer/lsp/Positions.h"

#include "analyzer/text/Utf16.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace warpwise::lsp {

using mlir::lsp::Position;
using mlir::lsp::Range;

Lines::Lines(llvm::StringRef Text) : Text(Text), Begins{0} {
  for (size_t At = 0; (At = Text.find('\n', At)) != llvm::StringRef::npos;)
    Begins.push_back(++At);
}

/// Without what ends it.
llvm::StringRef Lines::line(size_t Number) const {
  const size_t End =
      Number + 1 < Begins.size() ? Begins[Number + 1] - 1 : Text.size();
  llvm::StringRef Line = Text.slice(Begins[Number], End);
  Line.consume_back("\r");
  return Line;
}

Position Lines::positionOf(size_t Offset) const {
  Offset = std::min(Offset, Text.size());
  const auto Next = std::upper_bound(Begins.begin(), Begins.end(), Offset);
  const size_t Number = size_t(Next - Begins.begin()) - 1;
  const llvm::StringRef Before = Text.slice(Begins[Number], Offset);
  return {int(Number), int(text::utf16Units(Before))};
}

size_t Lines::offsetOf(Position Where) const {
  if (Where.line < 0)
    return 0;
  if (size_t(Where.line) >= Begins.size())
    return Text.size();
  const size_t Units = size_t(std::max(Where.character, 0));
  return Begins[size_t(Where.line)] +
         text::bytesBefore(line(size_t(Where.line)), Units);
}

size_t Lines::offsetOf(const Place &Where) const {
  if (Where.Line == 0)
    return 0;
  if (Where.Line > Begins.size())
    return Text.size();
  const size_t Number = Where.Line - 1;
  return Begins[Number] +
         std::min(size_t(std::max(Where.Column, 1u) - 1), line(Number).size());
}

Range Lines::rangeOf(size_t Begin, size_t End) const {
  return {positionOf(Begin), positionOf(End)};
}

/// What an expression that begins \p Line covers of it.
static size_t lengthOfExpression(llvm::StringRef Line) {
  const auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  if (Line.empty())
    return 0;
  if (!IsWord(Line.front()))
    return std::max<size_t>(
        1, Line.take_while([](char C) {
                 return llvm::StringRef("=+-*/%&|^<>!").contains(C);
               })
               .size());
  size_t At = 0;
  while (At < Line.size()) {
    const char C = Line[At];
    if (IsWord(C) || C == '.' || Line.substr(At).starts_with("->")) {
      At += C == '-' ? 2 : 1;
    } else if (C == '[' || C == '(') {
      unsigned Depth = 0;
      size_t End = At;
      for (; End != Line.size(); ++End) {
        Depth += Line[End] == '[' || Line[End] == '(';
        if ((Line[End] == ']' || Line[End] == ')') && --Depth == 0)
          break;
      }
      if (End == Line.size()) // goes on in the next line
        break;
      At = End + 1;
    } else {
      break;
    }
  }
  return At;
}

Range Lines::expressionAt(const Place &Where) const {
  const size_t Begin = offsetOf(Where);
  const Position From = positionOf(Begin);
  const llvm::StringRef Line = line(size_t(From.line));
  const llvm::StringRef Rest =
      Line.drop_front(std::min(Line.size(), Begin - Begins[From.line]));
  return rangeOf(Begin, Begin + lengthOfExpression(Rest));
}

void applyChanges(
    std::string &Text,
    const std::vector<mlir::lsp::TextDocumentContentChangeEvent> &Changes) {
  for (const auto &Change : Changes) {
    if (!Change.range) {
      Text = Change.text;
      continue;
    }
    const Lines Its(Text);
    const size_t Begin = Its.offsetOf(Change.range->start);
    const size_t End = std::max(Begin, Its.offsetOf(Change.range->end));
    Text.replace(Begin, End - Begin, Change.text);
  }
}

} // namespace warpwise::lsp

//===- Suppression.h - NOLINT comments --------------------------*- C++ -*-===//
//
// The user's way to say "I know". The same comments as clang-tidy's with the
// same meaning, so that one comment silences both front ends: NOLINT,
// NOLINTNEXTLINE and NOLINTBEGIN ... NOLINTEND, each alone or with globs in
// parentheses.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_ADVICE_SUPPRESSION_H
#define WARPWISE_ANALYZER_ADVICE_SUPPRESSION_H

#include "analyzer/advice/CheckGlobs.h"
#include "analyzer/advice/Finding.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwise::advice {

/// The text of the file at a path, or nothing when it cannot be read.
using SourceText =
    std::function<std::optional<std::string>(const std::string &Path)>;

/// The NOLINT comments of one file.
class NoLintComments {
public:
  NoLintComments(const std::string &File, std::string_view Text);

  bool cover(const access::Place &Where, std::string_view Rule) const;

  /// Each NOLINTBEGIN without an end and the other way round.
  const std::vector<Note> &unmatched() const { return Unmatched; }

private:
  using Position = std::pair<unsigned, unsigned>; ///< line, column
  struct Block {
    Position Begin, End;
    CheckGlobs Rules;
  };
  std::multimap<unsigned, CheckGlobs> Lines;
  std::vector<Block> Blocks;
  std::vector<Note> Unmatched;
};

/// Reads each file once, when the first finding in it is asked about.
class Suppressions {
public:
  explicit Suppressions(SourceText Read) : Read(std::move(Read)) {}

  /// True when a comment stands at the place itself, or at one of the calls of
  /// every way that leads to it.
  bool cover(const Finding &F);

  /// Removes the findings that are covered and returns how many they were.
  size_t removeFrom(std::vector<Finding> &Findings);

  /// Unmatched NOLINTBEGIN and NOLINTEND of the files read so far.
  std::vector<Note> unmatched() const;

private:
  bool cover(const access::Place &Where, const std::string &Rule);

  SourceText Read;
  std::map<std::string, NoLintComments> Files;
};

} // namespace warpwise::advice

#endif // WARPWISE_ANALYZER_ADVICE_SUPPRESSION_H

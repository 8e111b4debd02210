//===- CheckGlobs.h - Which rules run ---------------------------*- C++ -*-===//
//
// The comma-separated globs of --checks and of NOLINT(...), read the way
// clang-tidy reads them: '*' is the only wildcard, '-' in front switches off,
// the last glob that matches decides.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_ADVICE_CHECKGLOBS_H
#define WARPWISE_ANALYZER_ADVICE_CHECKGLOBS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::advice {

class CheckGlobs {
public:
  /// Every rule.
  CheckGlobs() : CheckGlobs("*") {}
  /// White space around a glob does not count; newlines separate like commas.
  explicit CheckGlobs(std::string_view Text);

  bool contains(std::string_view Rule) const;

  /// Leaves out the globs with '-' in front, which mean nothing in a NOLINT.
  void dropNegative();

private:
  struct Glob {
    bool Positive = true;
    std::string Pattern;
  };
  std::vector<Glob> Globs;

  friend std::vector<std::string>
  unmatchedGlobs(std::string_view, const std::vector<std::string_view> &);
  friend struct ParsedChecks parseChecks(std::string_view,
                                         const std::vector<std::string_view> &);
};

/// The globs, or one sentence that says what is wrong with them.
struct ParsedChecks {
  std::optional<CheckGlobs> Value;
  std::string Error;

  explicit operator bool() const { return Value.has_value(); }
};

/// Reads the value of --checks. It is appended to the default, which is every
/// rule, so that "-cuda-memory-local-array" switches one off and
/// "-*,cuda-memory-bank-conflict" leaves one. A name without a wildcard has to
/// be one of \p Known, and at least one of them has to stay enabled.
ParsedChecks parseChecks(std::string_view Text,
                         const std::vector<std::string_view> &Known);

/// The globs of --checks that no rule of \p Known answers to. They are no
/// error: the value may be one that clang-tidy gets, too.
std::vector<std::string>
unmatchedGlobs(std::string_view Text,
               const std::vector<std::string_view> &Known);

} // namespace warpwise::advice

#endif // WARPWISE_ANALYZER_ADVICE_CHECKGLOBS_H

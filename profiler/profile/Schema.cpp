//===- Schema.cpp - Known quantities and the validation -------------------===//
//
// The one place that says what a valid profile is. The reader applies it to
// documents and the writer to what the profiler measured, so that nothing is
// written that could not be read.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

using namespace warpwise;
using namespace warpwise::profile;

namespace {

constexpr bool Required = true;
constexpr bool Optional = false;
constexpr double MaxBytes = 1e15;

constexpr KnownPath Known[] = {
#define QUANTITY2(A, B, ...) {#A "." #B, __VA_ARGS__},
#define QUANTITY3(A, B, C, ...) {#A "." #B "." #C, __VA_ARGS__},
#define QUANTITY4(A, B, C, D, ...) {#A "." #B "." #C "." #D, __VA_ARGS__},
#include "profiler/profile/Paths.def"
};

constexpr auto ByPath = [](const KnownPath &A, std::string_view B) {
  return A.Path < B;
};
static_assert(std::is_sorted(std::begin(Known), std::end(Known),
                             [](const KnownPath &A, const KnownPath &B) {
                               return A.Path < B.Path;
                             }));

constexpr std::string_view Guidelines[] = {
    "C_1", "C_2", "C_3", "C_4", "C_5", "G_1", "G_2", "G_3",
    "G_4", "L_1", "L_2", "L_3", "L_4", "S_1", "S_2", "S_3",
    "S_4", "S_5", "S_6", "T_1", "T_2", "T_3", "T_4",
};

/// Top-level names that are no branches of quantities.
constexpr std::string_view Reserved[] = {"schema", "name", "origin", "curves",
                                         "guidelines"};

bool isWord(std::string_view Text, std::string_view Extra) {
  return !Text.empty() && std::all_of(Text.begin(), Text.end(), [&](char C) {
    return std::isalnum(static_cast<unsigned char>(C)) ||
           Extra.find(C) != Extra.npos;
  });
}

/// What is wrong with a dotted path, or "".
std::string pathViolation(std::string_view Path) {
  size_t Segments = 1;
  for (std::string_view Rest = Path;; ++Segments) {
    size_t Dot = Rest.find('.');
    if (!isWord(Rest.substr(0, Dot), "_-"))
      return "is not a path of letters, digits, '_' and '-' between dots";
    if (Dot == Rest.npos)
      break;
    Rest.remove_prefix(Dot + 1);
  }
  if (Segments < 2)
    return "has to lie in a section";
  if (Segments > 10)
    return "is nested deeper than 10 levels";
  std::string_view Section = Path.substr(0, Path.find('.'));
  if (std::find(std::begin(Reserved), std::end(Reserved), Section) !=
          std::end(Reserved) ||
      Path == "device.gpu" || Path == "device.architecture")
    return "is not a place for a quantity or a curve";
  return "";
}

std::string valueViolation(const Quantity &Q) {
  bool Word = Q.Unit == WordUnit;
  if (Q.Value && !Q.Word.empty())
    return "has a number and a word as its value";
  if (Q.State == Status::NotMeasurable)
    return Q.Value || !Q.Word.empty() ? "has a value but is 'not-measurable'"
                                      : "";
  if (Word && Q.Word.empty())
    return fmt::format("value is missing or not a word, as the unit '{}' needs",
                       WordUnit);
  if (!Word && !Q.Value)
    return Q.Word.empty() ? fmt::format("value is missing, but the status is "
                                        "'{}'",
                                        statusName(Q.State))
                          : fmt::format("value is the word '{}', expected a "
                                        "number in '{}'",
                                        Q.Word, Q.Unit);
  if (Q.Value && !std::isfinite(*Q.Value))
    return "value is not a finite number";
  return "";
}

std::string evidenceViolation(const Quantity &Q) {
  if (Q.Method.empty())
    return "method is missing or empty; it says where the value comes from";
  if (Q.Ci95 && !(std::isfinite((*Q.Ci95)[0]) && std::isfinite((*Q.Ci95)[1]) &&
                  (*Q.Ci95)[0] <= (*Q.Ci95)[1]))
    return "ci95 is not an interval of two finite numbers, the lower one first";
  if (Q.N && *Q.N == 0)
    return "n is 0, expected a number of samples";
  if (Q.Mhz && !(std::isfinite(*Q.Mhz) && *Q.Mhz > 0))
    return "mhz is not a positive finite number";
  if (Q.Second && Q.Second->Method.empty())
    return "check.method is missing or empty";
  if (Q.Second && !std::isfinite(Q.Second->Value))
    return "check.value is not a finite number";
  return "";
}

std::string quantityViolation(std::string_view Path, const Quantity &Q) {
  if (std::string Wrong = pathViolation(Path); !Wrong.empty())
    return Wrong;
  if (Q.Unit.empty())
    return "unit is missing or empty; write '1' for a plain number";
  const KnownPath *Rule = knownPath(Path);
  if (Rule && Rule->Unit != Q.Unit)
    return fmt::format("unit is '{}', expected '{}'", Q.Unit, Rule->Unit);
  if (std::string Wrong = valueViolation(Q); !Wrong.empty())
    return Wrong;
  if (Rule && Q.Value && (*Q.Value < Rule->Least || *Q.Value > Rule->Most))
    return fmt::format("value is {}, expected {} to {}{}{}", *Q.Value,
                       Rule->Least, Rule->Most, Q.Unit == "1" ? "" : " ",
                       Q.Unit == "1" ? "" : Q.Unit);
  return evidenceViolation(Q);
}

std::string curveViolation(std::string_view Path, const Curve &C) {
  if (std::string Wrong = pathViolation(Path); !Wrong.empty())
    return Wrong;
  if (C.X.empty() || C.Y.empty())
    return "x and y have to say what the axes show";
  if (C.Points.empty())
    return "has no points";
  for (const auto &[X, Y] : C.Points)
    if (!std::isfinite(X) || !std::isfinite(Y))
      return "has a point that is not finite";
  if (C.State == Status::NotMeasurable)
    return "has points but is 'not-measurable'";
  return C.Method.empty() ? "method is missing or empty" : "";
}

std::string guidelineViolation(std::string_view Id, const Guideline &G) {
  if (!std::binary_search(std::begin(Guidelines), std::end(Guidelines), Id))
    return "is not one of the 23 guidelines (L_1..L_4, S_1..S_6, C_1..C_5, "
           "G_1..G_4, T_1..T_4)";
  if (G.Effect && !(std::isfinite(*G.Effect) && *G.Effect > 0))
    return "effect is not a positive finite ratio";
  return G.Evidence.empty() ? "evidence is missing or empty" : "";
}

std::optional<Violation> headViolation(const Profile &P) {
  if (!isWord(P.Name, "._-") || P.Name.front() == '.')
    return {{"name", fmt::format("'{}' cannot be a file's name; use letters, "
                                 "digits, '.', '_' and '-'",
                                 P.Name)}};
  if (P.Origin.empty())
    return {{"origin", "is empty; it says where the numbers come from"}};
  if (P.Gpu.empty())
    return {{"device.gpu", "is empty"}};
  std::string_view Arch = P.Architecture;
  if (!Arch.starts_with("sm_") || Arch.size() < 5 ||
      !std::isdigit(static_cast<unsigned char>(Arch[3])) ||
      !isWord(Arch.substr(3), ""))
    return {{"device.architecture",
             fmt::format("is '{}', expected one such as 'sm_90'", Arch)}};
  return std::nullopt;
}

/// The first quantity below \p Path, or "".
std::string_view firstBelow(const Profile &P, const std::string &Path) {
  auto Child = P.Quantities.lower_bound(Path + ".");
  return Child != P.Quantities.end() && Child->first.starts_with(Path + ".")
             ? std::string_view(Child->first)
             : std::string_view();
}

/// One JSON object cannot be a quantity or a text and a branch as well.
std::optional<Violation> nestingViolation(const Profile &P) {
  for (const auto &[Path, Q] : P.Quantities)
    if (auto Child = firstBelow(P, Path); !Child.empty())
      return {
          {Path, fmt::format("is a quantity and has '{}' below it", Child)}};
  for (const auto &[Key, Text] : P.Environment) {
    std::string Path = "environment." + Key;
    if (!isWord(Key, "_-"))
      return {{Path, "is not a name of letters, digits, '_' and '-'"}};
    if (P.find(Path) || !firstBelow(P, Path).empty())
      return {{Path, "is a text and a quantity"}};
  }
  return std::nullopt;
}

} // namespace

std::span<const KnownPath> profile::knownPaths() { return Known; }

const KnownPath *profile::knownPath(std::string_view Path) {
  auto It = std::lower_bound(std::begin(Known), std::end(Known), Path, ByPath);
  return It != std::end(Known) && It->Path == Path ? It : nullptr;
}

std::span<const std::string_view> profile::guidelineIds() { return Guidelines; }

std::optional<Violation> profile::validate(const Profile &P) {
  if (std::optional<Violation> Wrong = headViolation(P))
    return Wrong;
  for (const auto &[Path, Q] : P.Quantities)
    if (std::string Wrong = quantityViolation(Path, Q); !Wrong.empty())
      return {{Path, Wrong}};
  if (std::optional<Violation> Wrong = nestingViolation(P))
    return Wrong;
  for (const auto &[Path, C] : P.Curves)
    if (std::string Wrong = curveViolation(Path, C); !Wrong.empty())
      return {{"curves." + Path, Wrong}};
  for (const auto &[Id, G] : P.Guidelines)
    if (std::string Wrong = guidelineViolation(Id, G); !Wrong.empty())
      return {{"guidelines." + Id, Wrong}};
  for (const KnownPath &Each : Known)
    if (Each.Required && !P.find(Each.Path))
      return {{std::string(Each.Path),
               "is missing; a profile has to have it, if "
               "only as 'not-measurable' with the reason"}};
  return std::nullopt;
}

//===- Diff.cpp - What differs between two profiles -----------------------===//

#include "profiler/tool/reports/Diff.h"

#include "profiler/charts/Text.h"
#include "profiler/io/Printable.h"
#include "profiler/tool/reports/ReportText.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace warpwise;
using namespace warpwise::charts;
using namespace warpwise::reports;
using io::printable;
using profile::Guideline;
using profile::Profile;
using profile::Quantity;
using profile::Status;

namespace {

/// Two values without an interval.
constexpr double WithoutInterval = 0.01;
/// Two values with one. An interval says how well a process knows its own
/// value; what the next process gives differs by up to a percent
/// (docs/h200.md).
constexpr double WithInterval = 0.01;
/// Columns of a list of paths.
constexpr size_t LineWidth = 100;

struct Row {
  std::string Section, Name, A, B, Change, Why;
  /// For the order: relative change; what is no number comes first.
  double Size = std::numeric_limits<double>::infinity();
};

std::string padded(const std::string &Text, size_t Width, bool ToTheRight) {
  const size_t Has = letters(Text);
  const std::string Space(Width > Has ? Width - Has : 0, ' ');
  return ToTheRight ? Space + Text : Text + Space;
}

/// Sizes with all digits: a difference of one line must be seen.
std::string valueText(const Quantity &Q) {
  if (!Q.Word.empty())
    return printable(Q.Word);
  if (!Q.Value)
    return "-";
  const std::string Unit = Q.Unit == "1" ? "" : " " + printable(Q.Unit);
  return number(*Q.Value) + Unit;
}

bool inside(double Value,
            const std::optional<std::array<double, 2>> &Interval) {
  return Interval && Value >= (*Interval)[0] && Value <= (*Interval)[1];
}

bool isStable(const Quantity &Q) {
  return Q.State != Status::NotMeasurable && Q.State != Status::NotConverged;
}

double relativeChange(double A, double B) {
  if (A == B)
    return 0;
  return A == 0 ? std::numeric_limits<double>::infinity()
                : (B - A) / std::fabs(A);
}

/// Random probes and wall times: different in every run, whatever the GPU.
bool isOfTheRun(std::string_view Path) {
  return Path.starts_with("validation.") || Path.starts_with("run.");
}

/// Why the numbers differ significantly, or "".
std::string_view numbersDiffer(const Quantity &A, const Quantity &B) {
  if (*A.Value == *B.Value)
    return "";
  if (A.Unit == "B")
    return "size";
  const double Change = std::fabs(relativeChange(*A.Value, *B.Value));
  if (inside(*B.Value, A.Ci95) || inside(*A.Value, B.Ci95))
    return "";
  if (A.Ci95 && B.Ci95)
    return Change > WithInterval ? "outside both intervals" : "";
  if (Change <= WithoutInterval)
    return "";
  return A.Ci95 || B.Ci95 ? "outside the interval" : "more than 1 %";
}

/// Why the quantities differ significantly, or "".
std::string whyDifferent(const Quantity &A, const Quantity &B) {
  if (isStable(A) != isStable(B) || A.Value.has_value() != B.Value.has_value())
    return fmt::format("{}, now {}", profile::statusName(A.State),
                       profile::statusName(B.State));
  // Not significant without a stable value on both sides.
  if (!isStable(A))
    return "";
  if (A.Unit != B.Unit)
    return "unit";
  if (A.Word != B.Word)
    return "word";
  return A.Value ? std::string(numbersDiffer(A, B)) : "";
}

class Comparison {
public:
  Comparison(const Profile &A, const Profile &B) : A(A), B(B) {
    compareQuantities();
    compareGuidelines();
  }

  Difference result() {
    std::string Text = heading();
    Text += rowTable();
    Text += list(fmt::format("only in {}", NameA), OnlyA);
    Text += list(fmt::format("only in {}", NameB), OnlyB);
    Text += environment();
    Text += verdict();
    return {std::move(Text), !Rows.empty()};
  }

private:
  void compareQuantities() {
    for (const auto &[Path, Q] : A.Quantities) {
      if (isOfTheRun(Path))
        continue;
      const Quantity *Other = B.find(Path);
      if (!Other) {
        OnlyA.push_back(printable(Path));
        continue;
      }
      ++Shared;
      const std::string Why = whyDifferent(Q, *Other);
      if (!Why.empty())
        Rows.push_back(quantityRow(Path, Q, *Other, Why));
      else if (Q.Value != Other->Value)
        ++WithinIntervals;
    }
    for (const auto &[Path, Q] : B.Quantities)
      if (!A.find(Path))
        OnlyB.push_back(printable(Path));
  }

  static Row quantityRow(const std::string &Path, const Quantity &Q,
                         const Quantity &Other, const std::string &Why) {
    Row R{std::string(sectionOf(Path)),
          printable(Path),
          valueText(Q),
          valueText(Other),
          "",
          Why};
    if (Q.Value && Other.Value && Q.Unit == Other.Unit) {
      const double Change = relativeChange(*Q.Value, *Other.Value);
      R.Size = std::fabs(Change);
      if (std::isfinite(Change))
        // "+0.0 %" of a size would look like none.
        R.Change = std::fabs(Change) < 0.0005
                       ? fmt::format("{:+.1g} %", Change * 100)
                       : fmt::format("{:+.1f} %", Change * 100);
    }
    return R;
  }

  void compareGuidelines() {
    for (const auto &[Id, G] : A.Guidelines) {
      const auto Other = B.Guidelines.find(Id);
      const bool Both = Other != B.Guidelines.end() &&
                        G.Says != Guideline::Verdict::NotTested &&
                        Other->second.Says != Guideline::Verdict::NotTested;
      if (Both && G.Says != Other->second.Says)
        Rows.push_back({"guidelines", printable(Id),
                        std::string(profile::verdictName(G.Says)),
                        std::string(profile::verdictName(Other->second.Says)),
                        "", "verdict"});
      else if (!Both && tested(A, Id) != tested(B, Id))
        (tested(A, Id) ? OnlyA : OnlyB).push_back("guideline " + printable(Id));
    }
    for (const auto &[Id, G] : B.Guidelines)
      if (!A.Guidelines.contains(Id) && tested(B, Id))
        OnlyB.push_back("guideline " + printable(Id));
  }

  static bool tested(const Profile &P, const std::string &Id) {
    const auto At = P.Guidelines.find(Id);
    return At != P.Guidelines.end() &&
           At->second.Says != Guideline::Verdict::NotTested;
  }

  static std::string nameOf(const Profile &P, std::string_view Else) {
    return P.Name.empty() ? std::string(Else) : printable(P.Name);
  }

  std::string heading() {
    NameA = nameOf(A, "A");
    NameB = nameOf(B, "B");
    // A profile and what the same card measures today have one name.
    if (NameA == NameB) {
      NameA += " (A)";
      NameB += " (B)";
    }
    return fmt::format("A: {}, {}; {}\nB: {}, {}; {}\n", NameA,
                       printable(A.Gpu), printable(A.Origin), NameB,
                       printable(B.Gpu), printable(B.Origin));
  }

  std::string rowTable() {
    std::sort(Rows.begin(), Rows.end(), [](const Row &X, const Row &Y) {
      if (X.Section != Y.Section)
        return X.Section < Y.Section;
      if (X.Size != Y.Size)
        return X.Size > Y.Size;
      return naturallyLess(X.Name, Y.Name);
    });
    size_t Name = 0, WidthA = letters(NameA), WidthB = letters(NameB),
           Change = letters("change");
    for (const Row &R : Rows) {
      Name = std::max(Name, letters(R.Name));
      WidthA = std::max(WidthA, letters(R.A));
      WidthB = std::max(WidthB, letters(R.B));
      Change = std::max(Change, letters(R.Change));
    }
    std::string Out;
    const std::string *Section = nullptr;
    for (const Row &R : Rows) {
      if (!Section)
        Out += fmt::format("\n  {}  {}  {}  {}\n", padded("", Name, false),
                           padded(NameA, WidthA, true),
                           padded(NameB, WidthB, true),
                           padded("change", Change, true));
      if (!Section || *Section != R.Section)
        Out += printable(R.Section) + "\n";
      Section = &R.Section;
      Out += fmt::format("  {}  {}  {}  {}  {}\n", padded(R.Name, Name, false),
                         padded(R.A, WidthA, true), padded(R.B, WidthB, true),
                         padded(R.Change, Change, true), R.Why);
    }
    return Out;
  }

  static std::string list(const std::string &Title,
                          std::vector<std::string> Names) {
    if (Names.empty())
      return "";
    std::sort(Names.begin(), Names.end(), naturallyLess);
    std::string Out = fmt::format("\n{} ({}):", Title, Names.size());
    size_t Width = LineWidth;
    for (const std::string &Name : Names) {
      const bool Last = &Name == &Names.back();
      if (Width + letters(Name) + 2 > LineWidth) {
        Out += "\n ";
        Width = 1;
      }
      Out += ' ' + Name + (Last ? "" : ",");
      Width += letters(Name) + 2;
    }
    return Out + "\n";
  }

  std::string environment() const {
    std::string Out;
    const auto Note = [&](const std::string &Key, std::string_view InA,
                          std::string_view InB) {
      if (InA != InB)
        append(Out, "  {}: {}, {}\n", printable(Key),
               InA.empty() ? "-" : printable(InA),
               InB.empty() ? "-" : printable(InB));
    };
    for (const auto &[Key, Text] : A.Environment) {
      const auto Other = B.Environment.find(Key);
      Note(Key, Text, Other == B.Environment.end() ? "" : Other->second);
    }
    for (const auto &[Key, Text] : B.Environment)
      if (!A.Environment.contains(Key))
        Note(Key, "", Text);
    return Out.empty() ? Out : "\nmeasured under\n" + Out;
  }

  std::string verdict() const {
    const size_t Verdicts =
        size_t(std::count_if(Rows.begin(), Rows.end(), [](const Row &R) {
          return R.Section == "guidelines";
        }));
    std::string Out =
        fmt::format("\n{}: {} of {} {} that both have",
                    Rows.empty() ? "no significant difference" : "they differ",
                    Rows.size() - Verdicts, Shared,
                    Shared == 1 ? "quantity" : "quantities");
    if (Verdicts)
      Out += fmt::format(", {} {}", Verdicts,
                         Verdicts == 1 ? "guideline" : "guidelines");
    if (WithinIntervals)
      Out += fmt::format("; {} more within the uncertainty", WithinIntervals);
    if (!OnlyA.empty() || !OnlyB.empty())
      Out += fmt::format("; {} only in A, {} only in B", OnlyA.size(),
                         OnlyB.size());
    return Out + "\n";
  }

  const Profile &A, &B;
  std::string NameA, NameB;
  std::vector<Row> Rows;
  std::vector<std::string> OnlyA, OnlyB;
  size_t Shared = 0, WithinIntervals = 0;
};

} // namespace

Difference reports::diff(const Profile &A, const Profile &B) {
  return Comparison(A, B).result();
}

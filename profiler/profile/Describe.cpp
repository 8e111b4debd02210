//===- Describe.cpp - A profile in words ----------------------------------===//
//
// The page of `warpwise profiles show`: every value beside where it comes
// from, because a number without its origin invites too much trust.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace warpwise;
using namespace warpwise::profile;

namespace {

/// Columns of a method or an evidence before it is cut; the JSON has it all.
constexpr size_t MethodWidth = 72;

struct Row {
  std::string Name, Value, Unit, Status, Method;
};

std::string number(double V) {
  if (std::trunc(V) == V && std::fabs(V) < 1e15)
    return fmt::format("{:.0f}", V);
  return fmt::format("{:.6g}", V);
}

/// The first words of \p Text.
std::string shortened(std::string_view Text) {
  if (Text.size() <= MethodWidth)
    return std::string(Text);
  size_t Cut = Text.rfind(' ', MethodWidth - 4);
  if (Cut == Text.npos)
    Cut = MethodWidth - 4;
  // Never in the middle of a UTF-8 character.
  while (Cut > 0 && (static_cast<unsigned char>(Text[Cut]) & 0xC0) == 0x80)
    --Cut;
  return fmt::format("{} ...", Text.substr(0, Cut));
}

std::string valueText(const Quantity &Q) {
  if (!Q.Word.empty())
    return Q.Word;
  if (!Q.Value)
    return "-";
  if (!Q.Ci95)
    return number(*Q.Value);
  return fmt::format("{} [{}, {}]", number(*Q.Value), number((*Q.Ci95)[0]),
                     number((*Q.Ci95)[1]));
}

Row row(std::string_view Name, const Quantity &Q) {
  bool Plain =
      Q.Unit == "1" || Q.Unit == "name" || Q.State == Status::NotMeasurable;
  std::string State(statusName(Q.State));
  // A second opinion that differs is worth a mark beside the status.
  if (Q.Second && !Q.Second->Agrees)
    State += fmt::format(" (but {})", number(Q.Second->Value));
  return {std::string(Name), valueText(Q), Plain ? "" : Q.Unit, State,
          shortened(Q.Method)};
}

/// Rows as aligned columns; values to the right, units beside them.
void print(std::string &Out, const std::vector<Row> &Rows) {
  size_t Name = 0, Value = 0, Unit = 0, State = 0;
  for (const Row &Each : Rows) {
    Name = std::max(Name, Each.Name.size());
    Value = std::max(Value, Each.Value.size());
    Unit = std::max(Unit, Each.Unit.size());
    State = std::max(State, Each.Status.size());
  }
  for (const Row &Each : Rows)
    Out += fmt::format("  {:<{}}  {:>{}} {:<{}}  {:<{}}  {}\n", Each.Name, Name,
                       Each.Value, Value, Each.Unit, Unit, Each.Status, State,
                       Each.Method);
}

std::string sectionOf(std::string_view Path) {
  return std::string(Path.substr(0, Path.find('.')));
}

void describeQuantities(std::string &Out, const Profile &P) {
  std::vector<std::string> Sections = {
      "device", "levels", "warp", "bandwidth", "local_arrays", "concurrency"};
  for (const auto &[Path, Q] : P.Quantities)
    if (std::find(Sections.begin(), Sections.end(), sectionOf(Path)) ==
        Sections.end())
      Sections.push_back(sectionOf(Path));
  for (const std::string &Section : Sections) {
    std::vector<Row> Rows;
    for (const auto &[Path, Q] : P.Quantities)
      if (sectionOf(Path) == Section)
        Rows.push_back(
            row(std::string_view(Path).substr(Section.size() + 1), Q));
    if (Rows.empty())
      continue;
    Out += fmt::format("\n{}\n", Section);
    print(Out, Rows);
  }
}

void describeCurves(std::string &Out, const Profile &P) {
  if (P.Curves.empty())
    return;
  Out += "\ncurves\n";
  for (const auto &[Path, C] : P.Curves)
    Out +=
        fmt::format("  {}: {} over {}, {} {}, {}; {}\n", Path, C.Y, C.X,
                    C.Points.size(), C.Points.size() == 1 ? "point" : "points",
                    statusName(C.State), shortened(C.Method));
}

void describeGuidelines(std::string &Out, const Profile &P) {
  if (P.Guidelines.empty())
    return;
  Out += "\nguidelines\n";
  std::vector<Row> Rows;
  for (const auto &[Id, G] : P.Guidelines)
    Rows.push_back({Id, G.Effect ? number(*G.Effect) + "x" : "", "",
                    std::string(verdictName(G.Says)), shortened(G.Evidence)});
  print(Out, Rows);
}

} // namespace

std::string profile::describe(const Profile &P) {
  std::string Out =
      fmt::format("{}: {}, {}\n{}\n", P.Name, P.Gpu, P.Architecture, P.Origin);
  if (!P.Environment.empty())
    Out += "\n";
  for (const auto &[Key, Text] : P.Environment)
    Out += fmt::format("{}: {}\n", Key, Text);
  describeQuantities(Out, P);
  describeCurves(Out, P);
  describeGuidelines(Out, P);
  return Out;
}

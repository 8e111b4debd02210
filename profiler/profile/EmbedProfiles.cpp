//===- EmbedProfiles.cpp - Writes the built-in profiles as C++ ------------===//
//
// EmbedProfiles OUTPUT FILE...: the tables of BuiltinProfiles.h for the
// profiles FILE..., which are sorted by name. Run by the build, which fails
// where a profile is not valid.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/BuiltinProfiles.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

using namespace warpwise;
using namespace warpwise::profile;

namespace {

/// A raw string; problemOf() sees to its end.
std::string literal(std::string_view Text) {
  return Text.empty() ? "{}" : fmt::format("R\"WARPWISE({})WARPWISE\"", Text);
}

std::string literal(const std::array<double, 2> &Pair) {
  return fmt::format("std::array<double, 2>{{{}, {}}}", Pair[0], Pair[1]);
}

std::string literal(double Value) { return fmt::format("{}", Value); }

template <typename T> std::string orNothing(const std::optional<T> &Value) {
  return Value ? literal(*Value) : "{}";
}

/// An enumerator by its number: the order is that of the same header.
template <typename Enum> std::string literal(const char *Type, Enum Value) {
  return fmt::format("{}({})", Type, static_cast<unsigned>(Value));
}

std::string rowOf(const std::string &Path, const Quantity &Q) {
  std::string Second = "{}";
  if (Q.Second)
    Second = fmt::format("BuiltinProfile::QuantityRow::CheckRow{{{}, {}, {}}}",
                         literal(Q.Second->Method), Q.Second->Value,
                         Q.Second->Agrees);
  return fmt::format(
      "{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}},\n", literal(Path),
      orNothing(Q.Value), literal(Q.Word), literal(Q.Unit), orNothing(Q.Ci95),
      Q.N ? fmt::format("{}u", *Q.N) : "{}", literal("Status", Q.State),
      literal(Q.Method), orNothing(Q.Mhz), Second);
}

/// \p P as the entry of the table of all. Its rows, which have to be declared
/// before it, are added to \p Before.
std::string embed(const Profile &P, size_t Number, std::string &Before) {
  std::string Entry =
      fmt::format("{{{}, {}, {}, {}", literal(P.Name), literal(P.Gpu),
                  literal(P.Architecture), literal(P.Origin));
  const auto addTable = [&](const char *Row, const char *Name,
                            const std::string &Rows) {
    if (Rows.empty()) { // an array has at least one
      Entry += ", {}";
      return;
    }
    Before += fmt::format("constexpr BuiltinProfile::{} {}{}[] = {{\n{}}};\n",
                          Row, Name, Number, Rows);
    Entry += fmt::format(", {}{}", Name, Number);
  };
  std::string Rows;
  for (const auto &[Path, Q] : P.Quantities)
    Rows += rowOf(Path, Q);
  addTable("QuantityRow", "Quantities", Rows);

  Rows.clear();
  std::string Points;
  size_t Begin = 0;
  for (const auto &[Path, C] : P.Curves) {
    for (const auto &[X, Y] : C.Points)
      Points += fmt::format("{{{}, {}}},", X, Y);
    Rows += fmt::format("{{{}, {}, {}, {{Points{} + {}, {}}}, {}, {}}},\n",
                        literal(Path), literal(C.X), literal(C.Y), Number,
                        Begin, C.Points.size(), literal("Status", C.State),
                        literal(C.Method));
    Begin += C.Points.size();
  }
  if (!Points.empty())
    Before += fmt::format("constexpr std::array<double, 2> Points{}[] = "
                          "{{{}}};\n",
                          Number, Points);
  addTable("CurveRow", "Curves", Rows);

  Rows.clear();
  for (const auto &[Id, G] : P.Guidelines)
    Rows += fmt::format("{{{}, {}, {}, {}}},\n", literal(Id),
                        literal("Guideline::Verdict", G.Says),
                        orNothing(G.Effect), literal(G.Evidence));
  addTable("GuidelineRow", "Guidelines", Rows);

  Rows.clear();
  for (const auto &[Name, Value] : P.Environment)
    Rows += fmt::format("{{{}, {}}},\n", literal(Name), literal(Value));
  addTable("EnvironmentRow", "Environment", Rows);
  return Entry + "},\n";
}

/// What is wrong with \p P, read from \p Path, for a table; empty: nothing.
std::string problemOf(const Profile &P, const std::string &Path) {
  if (std::filesystem::path(Path).stem() != P.Name)
    return fmt::format("'{}' has the profile '{}'", Path, P.Name);
  const std::string Text = toJson(P);
  if (Text.find(")WARPWISE\\\"") != std::string::npos ||
      Text.find("\\u0000") != std::string::npos)
    return fmt::format("'{}' has a text that ends a raw string", Path);
  return "";
}

} // namespace

int main(int Count, char **Words) {
  if (Count < 3) {
    fmt::print(stderr, "usage: {} OUTPUT FILE...\n", Words[0]);
    return 1;
  }
  const std::string Output = Words[1];
  const std::vector<std::string> Paths(Words + 2, Words + Count);
  std::string Tables, Entries;
  for (size_t N = 0; N != Paths.size(); ++N) {
    const io::Expected<Profile> Read = profile::read(Paths[N]);
    const std::string Problem =
        Read ? problemOf(*Read, Paths[N]) : Read.reason();
    if (!Problem.empty()) {
      fmt::print(stderr, "{}\n", Problem);
      return 1;
    }
    Entries += embed(*Read, N, Tables);
  }
  std::ofstream File(Output);
  File << "// Generated by EmbedProfiles.cpp from profiler/profiles.\n"
          "#include \"profiler/profile/BuiltinProfiles.h\"\n\n"
          "namespace warpwise::profile {\nnamespace {\n"
       << Tables << "constexpr BuiltinProfile All[] = {\n"
       << Entries
       << "};\n} // namespace\n\n"
          "std::span<const BuiltinProfile> builtinProfiles() { return All; }\n"
          "} // namespace warpwise::profile\n";
  File.close();
  if (!File) {
    std::filesystem::remove(Output); // half a file would pass for a new one
    fmt::print(stderr, "cannot write '{}'\n", Output);
    return 1;
  }
  return 0;
}

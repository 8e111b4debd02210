//===- Writer.cpp - From a Profile to the document ------------------------===//
//
// Profiles are read by people and compared with diff, so the order of the
// fields is fixed, whole numbers look whole and pairs stay on one line.
//
//===----------------------------------------------------------------------===//

#include "profiler/io/WriteFile.h"
#include "profiler/profile/Profile.h"
#include "profiler/profile/Schema.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cassert>
#include <cmath>

using namespace warpwise;
using namespace warpwise::profile;
using json = nlohmann::ordered_json;

namespace {

/// Sections in the order of the page; others follow by name.
constexpr std::string_view Sections[] = {
    "device",    "environment",  "levels",     "warp",
    "bandwidth", "local_arrays", "concurrency"};

json number(double V) {
  // 2^53: beyond it not every whole number is a double.
  if (std::trunc(V) == V && std::fabs(V) < 9007199254740992.0)
    return static_cast<int64_t>(V);
  return V;
}

json pair(const std::array<double, 2> &P) {
  return json::array({number(P[0]), number(P[1])});
}

json quantity(const Quantity &Q) {
  json Out = json::object();
  if (!Q.Word.empty())
    Out["value"] = Q.Word;
  else if (Q.Value)
    Out["value"] = number(*Q.Value);
  Out["unit"] = Q.Unit;
  if (Q.Ci95)
    Out["ci95"] = pair(*Q.Ci95);
  if (Q.N)
    Out["n"] = *Q.N;
  Out["status"] = statusName(Q.State);
  Out["method"] = Q.Method;
  if (Q.Mhz)
    Out["mhz"] = number(*Q.Mhz);
  if (Q.Second)
    Out["check"] = {{"method", Q.Second->Method},
                    {"value", number(Q.Second->Value)},
                    {"agrees", Q.Second->Agrees}};
  return Out;
}

json curve(const Curve &C) {
  json Points = json::array();
  for (const auto &Each : C.Points)
    Points.push_back(pair(Each));
  return {{"x", C.X},
          {"y", C.Y},
          {"points", Points},
          {"status", statusName(C.State)},
          {"method", C.Method}};
}

json guideline(const Guideline &G) {
  json Out = json::object();
  Out["verdict"] = verdictName(G.Says);
  if (G.Effect)
    Out["effect"] = number(*G.Effect);
  Out["evidence"] = G.Evidence;
  return Out;
}

/// Puts \p Value at the dotted \p Path below \p Root.
void place(json &Root, std::string_view Path, json Value) {
  json *Node = &Root;
  for (size_t Dot; (Dot = Path.find('.')) != Path.npos;
       Path.remove_prefix(Dot + 1))
    Node = &(*Node)[std::string(Path.substr(0, Dot))];
  (*Node)[std::string(Path)] = std::move(Value);
}

std::string dumpPlain(const json &Node) {
  // Bytes that are no UTF-8 become U+FFFD, instead of an exception.
  return Node.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// dump(2), but arrays of plain values take one line.
void print(std::string &Out, const json &Node, const std::string &Indent) {
  bool Plain = true;
  if (Node.is_structured())
    for (const json &Each : Node)
      Plain &= !Each.is_structured();
  if (!Node.is_structured() || Node.empty()) {
    Out += dumpPlain(Node);
    return;
  }
  bool OneLine = Node.is_array() && Plain;
  std::string Deeper = Indent + "  ";
  std::string_view Separator = "";
  Out += Node.is_array() ? '[' : '{';
  for (const auto &[Key, Value] : Node.items()) {
    Out += Separator;
    Out += OneLine ? "" : "\n" + Deeper;
    if (Node.is_object())
      Out += dumpPlain(json(Key)) + ": ";
    print(Out, Value, Deeper);
    Separator = OneLine ? ", " : ",";
  }
  Out += OneLine ? "" : "\n" + Indent;
  Out += Node.is_array() ? ']' : '}';
}

} // namespace

std::string profile::toJson(const Profile &P) {
  assert(!validate(P) && "nobody could read it back");
  json Root = {{"schema", fmt::format("{}/{}", SchemaName, SchemaVersion)},
               {"name", P.Name},
               {"origin", P.Origin},
               {"device", {{"gpu", P.Gpu}, {"architecture", P.Architecture}}}};
  for (const auto &[Key, Text] : P.Environment)
    Root["environment"][Key] = Text;
  for (std::string_view Section : Sections) {
    std::string Prefix = fmt::format("{}.", Section);
    for (auto It = P.Quantities.lower_bound(Prefix);
         It != P.Quantities.end() && It->first.starts_with(Prefix); ++It)
      place(Root, It->first, quantity(It->second));
  }
  // Setting a known section's quantities again changes nothing, not even the
  // order.
  for (const auto &[Path, Q] : P.Quantities)
    place(Root, Path, quantity(Q));
  for (const auto &[Path, C] : P.Curves)
    Root["curves"][Path] = curve(C);
  for (const auto &[Id, G] : P.Guidelines)
    Root["guidelines"][Id] = guideline(G);

  std::string Text;
  print(Text, Root, "");
  return Text + "\n";
}

std::string profile::write(const Profile &P, const std::string &Path) {
  if (const std::optional<Violation> Wrong = validate(P))
    return fmt::format("cannot write '{}': {}", Path, Wrong->text());
  const std::string Why = io::writeFile(Path, toJson(P));
  return Why.empty() ? "" : fmt::format("cannot write '{}': {}", Path, Why);
}

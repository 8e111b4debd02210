//===- Reader.cpp - From the document to a Profile ------------------------===//
//
// Checks the shape of the document: which fields there are and of what type.
// What the values mean is for validate() to judge, for documents and for
// profiles that were made in memory alike.
//
//===----------------------------------------------------------------------===//

#include "profiler/io/ReadFile.h"
#include "profiler/profile/Document.h"
#include "profiler/profile/Profile.h"
#include "profiler/profile/Schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>

using namespace warpwise;
using namespace warpwise::profile;
using io::Expected;
using io::Failure;
using nlohmann::json;

namespace {

/// Lists of pairs are binary in a Document.
const char *typeOf(const json &Value) {
  return Value.is_binary() ? "array" : Value.type_name();
}

/// Reads the fields of one object and keeps the first thing that is wrong.
class Fields {
public:
  Fields(const json &Object, std::string Path, std::string &Error)
      : Object(Object), Path(std::move(Path)), Error(Error) {}

  /// Refuses fields other than \p Names, so that a typo is no silent loss.
  void allow(std::initializer_list<std::string_view> Names) {
    for (const auto &[Key, Value] : Object.items())
      if (std::find(Names.begin(), Names.end(), Key) == Names.end())
        fail(fmt::format("has an unknown field '{}'", Key));
  }

  /// The field \p Name, or null when it is absent or null.
  const json *get(const char *Name) const {
    auto It = Object.find(Name);
    return It == Object.end() || It->is_null() ? nullptr : &*It;
  }

  std::string text(const char *Name) {
    const json *Value = get(Name);
    if (!Value)
      return "";
    if (!Value->is_string())
      return mistyped(Name, *Value, "a string"), "";
    return *Value->get_ptr<const json::string_t *>();
  }

  std::optional<double> number(const char *Name) {
    const json *Value = get(Name);
    if (!Value)
      return std::nullopt;
    if (!Value->is_number())
      return mistyped(Name, *Value, "a number"), std::nullopt;
    return Value->get<double>();
  }

  std::optional<unsigned> count(const char *Name) {
    const json *Value = get(Name);
    if (!Value)
      return std::nullopt;
    if (!Value->is_number_unsigned() ||
        Value->get<uint64_t>() > std::numeric_limits<unsigned>::max())
      return mistyped(Name, *Value, "a whole number from 1"), std::nullopt;
    return Value->get<unsigned>();
  }

  std::optional<std::array<double, 2>> pair(const char *Name) {
    const json *Value = get(Name);
    if (!Value)
      return std::nullopt;
    auto Result = asPair(*Value);
    if (!Result)
      mistyped(Name, *Value, "an array of two numbers");
    return Result;
  }

  template <typename Enum, size_t N>
  Enum oneOf(const char *Name, const Spelling<Enum, N> &Names) {
    std::string Text = text(Name);
    if (auto Value = valueOf(Names, Text))
      return *Value;
    std::vector<std::string_view> All;
    for (const auto &Each : Names)
      All.push_back(Each.second);
    fail(fmt::format("{} is {}, expected one of {}", Name,
                     Text.empty() ? "missing" : "'" + Text + "'",
                     fmt::join(All, ", ")));
    return Names.front().first;
  }

  void mistyped(const char *Name, const json &Value, const char *Expected) {
    fail(fmt::format("{} is of type {}, expected {}", Name, typeOf(Value),
                     Expected));
  }

  void fail(const std::string &What) {
    if (Error.empty())
      Error = fmt::format("{}: {}", Path, What);
  }

  static std::optional<std::array<double, 2>> asPair(const json &Value) {
    if (!Value.is_array() || Value.size() != 2 || !Value[0].is_number() ||
        !Value[1].is_number())
      return std::nullopt;
    return std::array{Value[0].get<double>(), Value[1].get<double>()};
  }

private:
  const json &Object;
  std::string Path;
  std::string &Error;
};

class Reader {
public:
  Profile Result;
  std::string Error;

  explicit Reader(const Document &From) : From(From) {}

  void readDocument() {
    const json &Root = From.Root;
    if (!Root.is_object())
      return fail("the document", Root, "an object");
    readSchema(Root);
    if (!Error.empty())
      return;
    readHead(Root);
    for (const auto &[Key, Value] : Root.items()) {
      if (Key == "schema" || Key == "name" || Key == "origin")
        continue;
      if (Key == "guidelines")
        readGuidelines(Value);
      else if (Key == "curves")
        readCurves(Value);
      else
        readBranch(Value, Key);
    }
  }

private:
  const Document &From;

  void fail(std::string_view Path, const json &Value, const char *Expected) {
    if (Error.empty())
      Error = fmt::format("{}: is of type {}, expected {}", Path, typeOf(Value),
                          Expected);
  }

  void readSchema(const json &Root) {
    Fields Head(Root, "schema", Error);
    std::string Text = Head.text("schema");
    std::string Prefix = fmt::format("{}/", SchemaName);
    unsigned Version = 0;
    const char *End = Text.data() + Text.size();
    if (Text.starts_with(Prefix)) {
      auto [Stop, Code] =
          std::from_chars(Text.data() + Prefix.size(), End, Version);
      if (Code != std::errc() || Stop != End)
        Version = 0;
    }
    if (Version == 0)
      return Head.fail(fmt::format("is {}, expected '{}/{}'",
                                   Text.empty() ? "missing" : "'" + Text + "'",
                                   SchemaName, SchemaVersion));
    if (Version > SchemaVersion)
      Head.fail(fmt::format("is version {}, this Warpwise reads up to {}",
                            Version, SchemaVersion));
  }

  void readHead(const json &Root) {
    Result.Name = Fields(Root, "name", Error).text("name");
    Result.Origin = Fields(Root, "origin", Error).text("origin");
    auto Device = Root.find("device");
    if (Device == Root.end() || !Device->is_object())
      return;
    Result.Gpu = Fields(*Device, "device.gpu", Error).text("gpu");
    Result.Architecture =
        Fields(*Device, "device.architecture", Error).text("architecture");
  }

  void readBranch(const json &Node, const std::string &Path) {
    if (!Node.is_object())
      return fail(Path, Node,
                  "a quantity {value, unit, status, method} or a section");
    if (Node.contains("value") || Node.contains("status") ||
        Node.contains("unit")) {
      Result.Quantities[Path] = readQuantity(Node, Path);
      return;
    }
    for (const auto &[Key, Value] : Node.items()) {
      std::string Child = fmt::format("{}.{}", Path, Key);
      if (Key.empty() || Key.find('.') != Key.npos)
        return fail(Child, Value, "a name without dots");
      if (Path == "environment" && Value.is_string())
        Result.Environment[Key] = *Value.get_ptr<const json::string_t *>();
      else if (Child != "device.gpu" && Child != "device.architecture")
        readBranch(Value, Child);
    }
  }

  Quantity readQuantity(const json &Node, const std::string &Path) {
    Fields In(Node, Path, Error);
    In.allow(
        {"value", "unit", "ci95", "n", "status", "method", "mhz", "check"});
    Quantity Q;
    if (const json *Value = In.get("value"); Value && Value->is_string())
      Q.Word = In.text("value");
    else
      Q.Value = In.number("value");
    Q.Unit = In.text("unit");
    Q.Ci95 = In.pair("ci95");
    Q.N = In.count("n");
    Q.State = In.oneOf("status", StatusNames);
    Q.Method = In.text("method");
    Q.Mhz = In.number("mhz");
    if (const json *Check = In.get("check"))
      Q.Second = readCheck(*Check, Path + ".check");
    return Q;
  }

  std::optional<Quantity::Check> readCheck(const json &Node,
                                           const std::string &Path) {
    if (!Node.is_object())
      return fail(Path, Node, "{method, value, agrees}"), std::nullopt;
    Fields In(Node, Path, Error);
    In.allow({"method", "value", "agrees"});
    const json *Agrees = In.get("agrees");
    std::optional<double> Value = In.number("value");
    if (!Value)
      In.fail("value is missing");
    if (!Agrees || !Agrees->is_boolean())
      In.fail("agrees is missing or neither true nor false");
    if (!Error.empty())
      return std::nullopt;
    return Quantity::Check{In.text("method"), *Value, Agrees->get<bool>()};
  }

  void readCurves(const json &Node) {
    if (!Node.is_object())
      return fail("curves", Node, "an object");
    for (const auto &[Name, Value] : Node.items()) {
      std::string Path = "curves." + Name;
      if (!Value.is_object())
        return fail(Path, Value, "{x, y, points, status, method}");
      Result.Curves[Name] = readCurve(Value, Path);
    }
  }

  Curve readCurve(const json &Node, const std::string &Path) {
    Fields In(Node, Path, Error);
    In.allow({"x", "y", "points", "status", "method"});
    Curve C;
    C.X = In.text("x");
    C.Y = In.text("y");
    C.State = In.oneOf("status", StatusNames);
    C.Method = In.text("method");
    const json *Points = In.get("points");
    if (const Pairs *Known = Points ? From.pairsOf(*Points) : nullptr) {
      C.Points = *Known;
      return C;
    }
    if (!Points || !Points->is_array()) {
      In.fail("points is missing or no array");
      return C;
    }
    for (const json &Each : *Points) {
      if (auto Point = Fields::asPair(Each))
        C.Points.push_back(*Point);
      else
        In.fail("points has an element that is not an array of two numbers");
    }
    return C;
  }

  void readGuidelines(const json &Node) {
    if (!Node.is_object())
      return fail("guidelines", Node, "an object");
    for (const auto &[Id, Value] : Node.items()) {
      std::string Path = "guidelines." + Id;
      if (!Value.is_object())
        return fail(Path, Value, "{verdict, effect, evidence}");
      Fields In(Value, Path, Error);
      In.allow({"verdict", "effect", "evidence"});
      Result.Guidelines[Id] = {In.oneOf("verdict", VerdictNames),
                               In.number("effect"), In.text("evidence")};
    }
  }
};

} // namespace

Expected<Profile> profile::parse(std::string_view Json,
                                 std::string_view Origin) {
  const Expected<Document> Read = parseDocument(Json, Origin);
  if (!Read)
    return Failure{Read.reason()};
  Reader In(*Read);
  In.readDocument();
  if (In.Error.empty())
    if (const std::optional<Violation> Wrong = validate(In.Result))
      In.Error = Wrong->text();
  if (!In.Error.empty())
    return Failure{fmt::format("{}: {}", Origin, In.Error)};
  return std::move(In.Result);
}

Expected<Profile> profile::read(const std::string &Path) {
  const Expected<std::string> Text = io::readFile(Path);
  if (!Text)
    return Failure{fmt::format("cannot read '{}': {}", Path, Text.reason())};
  if (Text->empty())
    return Failure{fmt::format("{}: is empty, not a profile", Path)};
  return parse(*Text, Path);
}

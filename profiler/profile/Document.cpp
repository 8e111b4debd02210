//===- Document.cpp - JSON text to a tree ---------------------------------===//
//
// A handler of nlohmann-json's event parser, which reports errors by a call
// instead of an exception and shows every key, so that duplicates are seen.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

using namespace warpwise::profile;
using nlohmann::json;

namespace {

/// Deep enough for any profile, and it bounds the recursion of those who walk
/// the tree.
constexpr size_t MaxDepth = 16;

/// "3:14" for the byte that the parser had read last.
std::string lineAndColumn(std::string_view Text, size_t BytesRead) {
  std::string_view Before = Text.substr(0, BytesRead ? BytesRead - 1 : 0);
  auto Line = std::count(Before.begin(), Before.end(), '\n') + 1;
  size_t LastBreak = Before.rfind('\n');
  size_t Column = LastBreak == std::string_view::npos
                      ? Before.size() + 1
                      : Before.size() - LastBreak;
  return fmt::format("{}:{}", Line, Column);
}

/// The library's message without its identifier and its own position.
std::string_view plainMessage(std::string_view What) {
  if (size_t Start = What.find("syntax error"); Start != What.npos)
    return What.substr(Start);
  if (size_t End = What.find("] "); End != What.npos)
    return What.substr(End + 2);
  return What;
}

class Builder final : public nlohmann::json_sax<json> {
public:
  Builder(std::string_view Text, std::string_view Origin)
      : Text(Text), Origin(Origin) {}

  warpwise::io::Expected<json> take() && {
    if (!Error.empty())
      return warpwise::io::Failure{std::move(Error)};
    return std::move(Root);
  }

  bool null() override { return add(nullptr); }
  bool boolean(bool V) override { return add(V); }
  bool number_integer(number_integer_t V) override { return add(V); }
  bool number_unsigned(number_unsigned_t V) override { return add(V); }
  bool number_float(number_float_t V, const string_t &) override {
    return add(V);
  }
  bool string(string_t &V) override { return add(std::move(V)); }
  bool binary(binary_t &) override { return false; } // not in JSON text

  bool start_object(std::size_t) override { return open(json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t &Name) override {
    if (Open.back()->contains(Name))
      return fail(fmt::format("{}: the key '{}' appears twice", Origin, Name));
    Key = std::move(Name);
    return true;
  }

  bool parse_error(std::size_t Position, const std::string &,
                   const nlohmann::detail::exception &E) override {
    return fail(fmt::format("{}:{}: {}", Origin, lineAndColumn(Text, Position),
                            plainMessage(E.what())));
  }

private:
  std::string_view Text, Origin;
  json Root;
  std::string Error;
  /// The containers around the current place. The pointers stay valid: nothing
  /// is added to a container while one of its children is open.
  std::vector<json *> Open;
  std::string Key;

  bool fail(std::string Message) {
    Error = std::move(Message);
    return false;
  }

  json *place(json V) {
    if (Open.empty()) {
      Root = std::move(V);
      return &Root;
    }
    json &Parent = *Open.back();
    if (Parent.is_array()) {
      Parent.push_back(std::move(V));
      return &Parent.back();
    }
    return &(Parent[Key] = std::move(V));
  }

  bool add(json V) {
    place(std::move(V));
    return true;
  }

  bool open(json Container) {
    if (Open.size() == MaxDepth)
      return fail(
          fmt::format("{}: is nested deeper than {} levels", Origin, MaxDepth));
    Open.push_back(place(std::move(Container)));
    return true;
  }

  bool close() {
    Open.pop_back();
    return true;
  }
};

} // namespace

warpwise::io::Expected<json>
warpwise::profile::parseDocument(std::string_view Text,
                                 std::string_view Origin) {
  Builder Sax(Text, Origin);
  json::sax_parse(Text, &Sax);
  return std::move(Sax).take();
}

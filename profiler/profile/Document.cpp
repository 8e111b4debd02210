//===- Document.cpp - JSON text to a tree ---------------------------------===//
//
// A handler of nlohmann-json's event parser, which reports errors by a call
// instead of an exception and shows every key, so that duplicates are seen.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Document.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
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

  warpwise::io::Expected<Document> take() && {
    if (!Error.empty())
      return warpwise::io::Failure{std::move(Error)};
    return std::move(Read);
  }

  bool null() override { return add(nullptr); }
  bool boolean(bool V) override { return add(V); }
  bool number_integer(number_integer_t V) override { return number(V); }
  bool number_unsigned(number_unsigned_t V) override { return number(V); }
  bool number_float(number_float_t V, const string_t &) override {
    return number(V);
  }
  bool string(string_t &V) override { return add(std::move(V)); }
  bool binary(binary_t &) override { return false; } // not in JSON text

  bool start_object(std::size_t) override {
    return spellOut() && open(json::object());
  }
  bool end_object() override { return close(); }

  bool start_array(std::size_t) override {
    if (List && PairHas == NoPair) {
      PairHas = 0;
      return true;
    }
    if (!List && !Open.empty() && Open.back()->is_object()) {
      List.emplace();
      PairHas = NoPair;
      return true;
    }
    return spellOut() && open(json::array());
  }

  bool end_array() override {
    if (List && PairHas == 2) {
      List->push_back(Pair);
      PairHas = NoPair;
      return true;
    }
    if (List && PairHas == NoPair && !List->empty()) {
      const size_t Number = Read.Lists.size();
      Read.Lists.push_back(std::move(*List));
      List.reset();
      return add(json::binary({}, Number));
    }
    return spellOut() && close();
  }

  bool key(string_t &Name) override {
    const auto [At, IsNew] =
        Open.back()->get_ref<json::object_t &>().try_emplace(std::move(Name));
    if (!IsNew)
      return fail(
          fmt::format("{}: the key '{}' appears twice", Origin, At->first));
    Slot = &At->second;
    return true;
  }

  bool parse_error(std::size_t Position, const std::string &,
                   const nlohmann::detail::exception &E) override {
    return fail(fmt::format("{}:{}: {}", Origin, lineAndColumn(Text, Position),
                            plainMessage(E.what())));
  }

private:
  std::string_view Text, Origin;
  Document Read;
  std::string Error;
  /// The containers around the current place. The pointers stay valid: nothing
  /// is added to a container while one of its children is open.
  std::vector<json *> Open;
  json *Slot = nullptr; ///< of the key that was read last
  /// What may become a list of pairs, and how many numbers the one has that has
  /// begun.
  std::optional<Pairs> List;
  std::array<double, 2> Pair{};
  static constexpr unsigned NoPair = ~0u;
  unsigned PairHas = NoPair;

  bool fail(std::string Message) {
    Error = std::move(Message);
    return false;
  }

  json *place(json V) {
    if (Open.empty()) {
      Read.Root = std::move(V);
      return &Read.Root;
    }
    json &Parent = *Open.back();
    if (Parent.is_array()) {
      Parent.push_back(std::move(V));
      return &Parent.back();
    }
    *Slot = std::move(V);
    return Slot;
  }

  bool add(json V) {
    if (!spellOut())
      return false;
    place(std::move(V));
    return true;
  }

  template <typename Number> bool number(Number V) {
    if (!List || PairHas >= 2)
      return add(V);
    Pair[PairHas++] = double(V);
    return true;
  }

  /// What looked like a list of pairs is none: its beginning becomes nodes.
  bool spellOut() {
    if (!List)
      return true;
    const Pairs Begun = std::move(*List);
    const std::array<double, 2> Last = Pair;
    const unsigned Has = PairHas;
    List.reset();
    if (!open(json::array()))
      return false;
    for (const std::array<double, 2> &Each : Begun)
      place(json::array({Each[0], Each[1]}));
    if (Has == NoPair)
      return true;
    if (!open(json::array()))
      return false;
    for (unsigned N = 0; N != Has; ++N)
      place(Last[N]);
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

warpwise::io::Expected<Document>
warpwise::profile::parseDocument(std::string_view Text,
                                 std::string_view Origin) {
  Builder Sax(Text, Origin);
  json::sax_parse(Text, &Sax);
  return std::move(Sax).take();
}

//===- EnviHeader.cpp -----------------------------------------------------===//

#include "mnf_case_study/image/EnviHeader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>

namespace mnf {
namespace {

/// No image comes near, and the product of three of them fits 64 bits.
constexpr uint64_t MostOfOneDimension = 1 << 20;

std::string_view trimmed(std::string_view Text) {
  const char *Blank = " \t\r\n";
  const size_t First = Text.find_first_not_of(Blank);
  if (First == std::string_view::npos)
    return {};
  return Text.substr(First, Text.find_last_not_of(Blank) - First + 1);
}

std::string lower(std::string_view Text) {
  std::string Result(Text);
  for (char &C : Result)
    C = char(std::tolower(static_cast<unsigned char>(C)));
  return Result;
}

/// Keys in lower case; values in braces without the braces.
Expected<std::map<std::string, std::string>> fieldsOf(std::string_view Text) {
  std::map<std::string, std::string> Fields;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, End);
    const size_t Equals = Line.find('=');
    if (Equals == std::string_view::npos) {
      Text.remove_prefix(std::min(End + 1, Text.size()));
      continue;
    }
    const std::string Key = lower(trimmed(Line.substr(0, Equals)));
    std::string_view Value = trimmed(Line.substr(Equals + 1));
    size_t Consumed = End;
    if (Value.starts_with("{")) {
      const size_t Open = Text.find('{');
      const size_t Close = Text.find('}', Open);
      if (Close == std::string_view::npos)
        return Failure{
            fmt::format("the brace after '{}' is never closed", Key)};
      Value = trimmed(Text.substr(Open + 1, Close - Open - 1));
      Consumed = std::min(Text.find('\n', Close), Text.size());
    }
    Fields[Key] = std::string(Value);
    Text.remove_prefix(std::min(Consumed + 1, Text.size()));
  }
  return Fields;
}

/// Takes numbers out of the fields and keeps the first thing that is wrong.
class Numbers {
public:
  explicit Numbers(const std::map<std::string, std::string> &Fields)
      : Fields(Fields) {}

  uint64_t get(const char *Key, uint64_t Least, uint64_t Most,
               std::optional<uint64_t> Default = {}) {
    auto It = Fields.find(Key);
    if (It == Fields.end()) {
      if (!Default)
        complain(fmt::format("'{}' is missing", Key));
      return Default.value_or(0);
    }
    const std::string &Text = It->second;
    uint64_t Value = 0;
    auto [End, Error] =
        std::from_chars(Text.data(), Text.data() + Text.size(), Value);
    if (Error != std::errc() || End != Text.data() + Text.size() ||
        Value < Least || Value > Most)
      complain(fmt::format("'{}' is '{}' instead of a number from {} to {}",
                           Key, Text, Least, Most));
    return Value;
  }

  void complain(std::string Reason) {
    if (Wrong.empty())
      Wrong = std::move(Reason);
  }

  std::string Wrong;

private:
  const std::map<std::string, std::string> &Fields;
};

std::vector<std::string> splitAtCommas(std::string_view Text) {
  std::vector<std::string> Parts;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find(','), Text.size());
    Parts.emplace_back(trimmed(Text.substr(0, End)));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Parts;
}

} // namespace

size_t bytesOf(SampleType Type) {
  switch (Type) {
  case SampleType::UInt8:
    return 1;
  case SampleType::Int16:
  case SampleType::UInt16:
    return 2;
  case SampleType::Float32:
    return 4;
  }
  return 0;
}

const char *nameOf(SampleType Type) {
  switch (Type) {
  case SampleType::UInt8:
    return "uint8";
  case SampleType::Int16:
    return "int16";
  case SampleType::Float32:
    return "float32";
  case SampleType::UInt16:
    return "uint16";
  }
  return "";
}

const char *nameOf(Interleave Layout) {
  switch (Layout) {
  case Interleave::Bsq:
    return "bsq";
  case Interleave::Bil:
    return "bil";
  case Interleave::Bip:
    return "bip";
  }
  return "";
}

Expected<EnviHeader> parseHeader(std::string_view Text) {
  if (!Text.starts_with("ENVI"))
    return Failure{"it does not begin with 'ENVI'"};
  auto Fields = fieldsOf(Text);
  if (!Fields)
    return Failure{Fields.reason()};

  Numbers Read(*Fields);
  EnviHeader Header;
  Header.Size.Samples = Read.get("samples", 1, MostOfOneDimension);
  Header.Size.Lines = Read.get("lines", 1, MostOfOneDimension);
  Header.Size.Bands = Read.get("bands", 1, MostOfOneDimension);
  Header.Offset = Read.get("header offset", 0, uint64_t(1) << 40, 0);
  Header.BigEndian = Read.get("byte order", 0, 1, 0) == 1;

  const uint64_t Type = Read.get("data type", 1, 15);
  switch (Type) {
  case 1:
  case 2:
  case 4:
  case 12:
    Header.Type = SampleType(Type);
    break;
  default:
    Read.complain(
        fmt::format("'data type' {} is not supported: only 1 (uint8), "
                    "2 (int16), 4 (float32) and 12 (uint16) are",
                    Type));
  }

  const auto Layout = Fields->find("interleave");
  const std::string Name = Layout == Fields->end() ? "" : lower(Layout->second);
  if (Name == "bsq")
    Header.Layout = Interleave::Bsq;
  else if (Name == "bil")
    Header.Layout = Interleave::Bil;
  else if (Name == "bip")
    Header.Layout = Interleave::Bip;
  else
    Read.complain(Layout == Fields->end()
                      ? "'interleave' is missing"
                      : fmt::format("'interleave' is '{}' instead of bsq, bil "
                                    "or bip",
                                    Layout->second));

  if (auto Names = Fields->find("band names"); Names != Fields->end()) {
    Header.BandNames = splitAtCommas(Names->second);
    if (Header.BandNames.size() != Header.Size.Bands)
      Header.BandNames.clear(); // They name nothing that can be trusted.
  }
  if (auto Text = Fields->find("description"); Text != Fields->end())
    Header.Description = Text->second;
  if (!Read.Wrong.empty())
    return Failure{Read.Wrong};
  return Header;
}

std::string formatHeader(const EnviHeader &Header) {
  std::string Text = fmt::format(
      "ENVI\ndescription = {{{}}}\nsamples = {}\nlines = {}\nbands = {}\n"
      "header offset = {}\nfile type = ENVI Standard\ndata type = {}\n"
      "interleave = {}\nbyte order = {}\n",
      Header.Description, Header.Size.Samples, Header.Size.Lines,
      Header.Size.Bands, Header.Offset, int(Header.Type), nameOf(Header.Layout),
      Header.BigEndian ? 1 : 0);
  if (!Header.BandNames.empty())
    Text += fmt::format("band names = {{\n  {}}}\n",
                        fmt::join(Header.BandNames, ",\n  "));
  return Text;
}

} // namespace mnf

//===- MessageReader.cpp - From bytes to messages -------------------------===//

#include "analyzer/lsp/MessageReader.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::lsp {

static constexpr llvm::StringLiteral LengthName = "Content-Length:";

/// Where the length is said in a header; it may stand behind the remains of a
/// message that was longer than it said.
static size_t findLength(llvm::StringRef Text) {
  return Text.find_insensitive(LengthName);
}

/// Where in the remains of a message the header of the next one may begin.
static size_t beginOfHeader(llvm::StringRef Text) {
  if (const size_t At = findLength(Text); At != llvm::StringRef::npos)
    return At;
  for (size_t Part = std::min(LengthName.size(), Text.size()); Part != 0;
       --Part)
    if (Text.ends_with_insensitive(LengthName.take_front(Part)))
      return Text.size() - Part;
  return Text.size();
}

static bool isNestedTooDeeply(llvm::StringRef Json) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I != Json.size(); ++I) {
    const char C = Json[I];
    if (InString) {
      if (C == '\\')
        ++I;
      InString = C != '"';
      if (I >= Json.size())
        return false;
    } else if (C == '"') {
      InString = true;
    } else if (C == '[' || C == '{') {
      if (++Depth > MessageReader::MostDepth)
        return true;
    } else if ((C == ']' || C == '}') && Depth != 0) {
      --Depth;
    }
  }
  return false;
}

std::optional<Received> MessageReader::readHeader() {
  // Far more than a header has.
  constexpr size_t MostHeader = 4096;
  const llvm::StringRef Text = Pending;
  size_t End = Text.find("\r\n\r\n"), Behind = End + 4;
  if (const size_t Bare = Text.find("\n\n"); Bare < End) {
    End = Bare;
    Behind = Bare + 2;
  }
  if (End == llvm::StringRef::npos) {
    if (Text.size() <= MostHeader)
      return std::nullopt;
    // A header may have begun in what is kept.
    Pending.erase(0, Text.size() - MostHeader / 2);
    return Received{nullptr, "what came is no message: it has no header with "
                             "Content-Length"};
  }
  llvm::StringRef Header = Text.take_front(End);
  const size_t At = findLength(Header);
  Received Fault;
  size_t Bytes = 0;
  if (At == llvm::StringRef::npos) {
    Fault.Fault = "a message without Content-Length";
  } else {
    const llvm::StringRef Says =
        Header.drop_front(At + LengthName.size()).split('\n').first.trim();
    if (Says.getAsInteger(10, Bytes))
      Fault.Fault = fmt::format("Content-Length is '{}', not a number of bytes",
                                llvm::json::fixUTF8(Says.take_front(40)));
    else if (Bytes > MostBytes)
      Fault.Fault = fmt::format("a message of {} bytes; at most {} are taken",
                                Bytes, MostBytes);
  }
  Pending.erase(0, Behind);
  if (!Fault.Fault.empty())
    return Fault;
  Length = Bytes;
  return std::nullopt;
}

std::optional<Received> MessageReader::readBody() {
  if (Pending.size() < *Length)
    return std::nullopt;
  const llvm::StringRef Body = llvm::StringRef(Pending).take_front(*Length);
  Received Result;
  if (isNestedTooDeeply(Body)) {
    Result.Fault = fmt::format("a message nested more than {} deep", MostDepth);
  } else if (auto Parsed = llvm::json::parse(Body)) {
    Result.Message = std::move(*Parsed);
  } else {
    Result.Fault = "a message that is no JSON: " +
                   llvm::json::fixUTF8(llvm::toString(Parsed.takeError()));
    // The length was too long, perhaps, and the next message has begun.
    Pending.erase(0, beginOfHeader(Body));
    Length.reset();
    return Result;
  }
  Pending.erase(0, *Length);
  Length.reset();
  return Result;
}

std::optional<Received> MessageReader::next() {
  if (!Length)
    if (auto Fault = readHeader())
      return Fault;
  return Length ? readBody() : std::nullopt;
}

} // namespace warpwise::lsp

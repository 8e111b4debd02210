//===- UserInput.cpp - What the user says about a launch ------------------===//

#include "analyzer/reuse/launches/UserInput.h"

#include "analyzer/reuse/StoppingRules.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace llvm;

namespace warpwise::reuse {
namespace {

constexpr size_t MostVariants = 1024;

Error wrong(const char *Option, StringRef Text, StringRef Expected) {
  return createStringError(fmt::format("'--{}={}': expected {}", Option,
                                       Text.str(), Expected.str()));
}

/// A whole number with an optional K or M, up to \p Most.
bool parseCount(StringRef Text, uint64_t Most, uint64_t &Into) {
  unsigned Shift = 0;
  if (Text.consume_back("K"))
    Shift = 10;
  else if (Text.consume_back("M"))
    Shift = 20;
  if (Text.getAsInteger(10, Into) || Into > (Most >> Shift))
    return false;
  Into <<= Shift;
  return true;
}

std::optional<launch::Dim3> parseExtents(StringRef Text) {
  launch::Dim3 Extents = {1, 1, 1};
  SmallVector<StringRef> Parts;
  Text.split(Parts, 'x');
  if (Parts.size() > 3)
    return std::nullopt;
  for (size_t I = 0; I != Parts.size(); ++I)
    if (Parts[I].getAsInteger(10, Extents[I]) || Extents[I] == 0)
      return std::nullopt;
  return Extents;
}

/// Reads "kind", "kind,count=5" or "file:PATH", which may contain commas.
bool parseContents(StringRef Text, Buffer &Into) {
  if (Text.consume_front("file:")) {
    Into.Initial = Buffer::Contents::File;
    Into.Path = Text.str();
    return !Text.empty();
  }
  auto [Kind, Rest] = Text.split(',');
  if (Kind == "zeros")
    Into.Initial = Buffer::Contents::Zeros;
  else if (Kind == "iota")
    Into.Initial = Buffer::Contents::Iota;
  else if (Kind == "random")
    Into.Initial = Buffer::Contents::Random;
  else if (Kind == "sorted")
    Into.Initial = Buffer::Contents::Sorted;
  else
    return false;
  constexpr uint64_t Most = uint64_t(1) << 32;
  uint64_t Count = 0, Element = 0;
  while (!Rest.empty()) {
    StringRef Part;
    std::tie(Part, Rest) = Rest.split(',');
    if (!(Part.consume_front("count=") && parseCount(Part, Most, Count)) &&
        !(Part.consume_front("element=") && parseCount(Part, 8, Element) &&
          Element != 0) &&
        !(Part.consume_front("below=") && parseCount(Part, Most, Into.Below)))
      return false;
  }
  Into.ElementBytes = unsigned(Element);
  Into.Bytes = Element ? Count * Element : Count;
  return (Element & (Element - 1)) == 0;
}

/// Why a buffer cannot have the contents of \p Path, or nothing.
std::string sizeOfFile(const std::string &Path, uint64_t &Bytes) {
  sys::fs::file_status Status;
  if (std::error_code Error = sys::fs::status(Path, Status))
    return Error.message();
  if (!sys::fs::is_regular_file(Status))
    return "it is not a regular file";
  Bytes = Status.getSize();
  if (Bytes == 0)
    return "it is empty";
  return Bytes > MostFileBytes
             ? fmt::format("it is larger than {} MiB", MostFileBytes >> 20)
             : "";
}

} // namespace

Expected<ShapeInput> parseShape(StringRef Text) {
  ShapeInput Shape;
  SmallVector<StringRef> Parts;
  Text.split(Parts, ',');
  bool Valid = true;
  for (StringRef Part : Parts) {
    uint64_t Bytes = 0;
    if (Part.consume_front("grid=") && !Shape.Grid)
      Valid &= (Shape.Grid = parseExtents(Part)).has_value();
    else if (Part.consume_front("block=") && !Shape.Block)
      Valid &= (Shape.Block = parseExtents(Part)).has_value();
    else if (Part.consume_front("shared=") && !Shape.DynamicSharedBytes &&
             parseCount(Part, uint64_t(1) << 20, Bytes))
      Shape.DynamicSharedBytes = Bytes;
    else
      Valid = false;
  }
  if (!Valid)
    return wrong("launch", Text,
                 "grid=32x32,block=16x16,shared=4096 or a "
                 "part of it");
  return Shape;
}

Expected<ArgumentInput> parseArgument(StringRef Text) {
  ArgumentInput Result;
  auto [Name, Value] = Text.split('=');
  Result.Name = Name.trim().str();
  Result.Text = Value.str();
  int64_t Integer = 0;
  double Real = 0;
  uint64_t Unsigned = 0;
  if (!Value.getAsInteger(0, Integer))
    Result.Value.Integer = Integer;
  else if (!Value.getAsInteger(0, Unsigned))
    Result.Value.Integer = int64_t(Unsigned); // above what has a sign
  else if (!Value.getAsDouble(Real))
    Result.Value.Real = Real;
  else
    Result.Name.clear();
  if (Result.Name.empty())
    return wrong("arg", Text, "NAME=NUMBER");
  return Result;
}

Expected<Buffer> parseBuffer(StringRef Text) {
  Buffer Result;
  auto [Name, Contents] = Text.split('=');
  Result.Name = Name.trim().str();
  if (Result.Name.empty() || !parseContents(Contents, Result))
    return wrong("buffer", Text,
                 "NAME=zeros, iota or random, with ',count=N', ',element=4' or "
                 "',below=N' behind it, or NAME=file:PATH");
  if (Result.Initial == Buffer::Contents::File)
    if (std::string Why = sizeOfFile(Result.Path, Result.Bytes); !Why.empty())
      return createStringError(fmt::format("cannot read '{}' for buffer '{}': "
                                           "{}",
                                           Result.Path, Result.Name, Why));
  return Result;
}

Expected<std::vector<unsigned>> parseInvocations(StringRef Text) {
  std::vector<unsigned> Numbers;
  SmallVector<StringRef> Parts;
  Text.split(Parts, ',');
  for (StringRef Part : Parts) {
    unsigned &Number = Numbers.emplace_back();
    if (Part.getAsInteger(10, Number) || Number == 0)
      return wrong("invocation", Text, "numbers from 1 on, as in 1,64");
  }
  std::sort(Numbers.begin(), Numbers.end());
  Numbers.erase(std::unique(Numbers.begin(), Numbers.end()), Numbers.end());
  return Numbers;
}

SampleSettings usualSamples() {
  SampleSettings Usual;
  Usual.MostAccesses = stopping::UsualAccesses;
  Usual.Adaptive = true;
  return Usual;
}

Expected<SampleSettings> parseSamples(StringRef Text) {
  if (Text == "auto")
    return usualSamples();
  SampleSettings Settings;
  if (Text == "all")
    return Settings;
  SmallVector<StringRef> Parts;
  Text.split(Parts, ',');
  for (StringRef Part : Parts) {
    if (Part.consume_front("accesses=")) {
      if (parseCount(Part, uint64_t(1) << 50, Settings.MostAccesses))
        continue;
    } else if (Part.consume_front("waves=")) {
      if (!Part.getAsInteger(10, Settings.Waves) && Settings.Waves != 0)
        continue;
    } else if (Part.consume_front("sms=")) {
      if (!Part.getAsInteger(10, Settings.SmStride) && Settings.SmStride != 0)
        continue;
    }
    return wrong("samples", Text,
                 "all, auto, or some of accesses=50M,waves=2,sms=8");
  }
  return Settings;
}

Expected<Axis> parseAxis(StringRef Text) {
  Axis Result;
  auto [Name, Values] = Text.split('=');
  Result.Name = Name.trim().str();
  SmallVector<StringRef> Parts;
  Values.split(Parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts)
    Result.Values.push_back(Part.str());
  if (Result.Name.empty() || Result.Values.empty())
    return wrong("explore", Text, "NAME=VALUE,VALUE, as in l1.ways=4,8,16");
  return Result;
}

Expected<std::vector<Variant>> crossProduct(const CacheOptions &Usual,
                                            const std::vector<Axis> &Axes) {
  std::vector<Variant> Variants = {{{}, Usual}};
  std::set<std::string> Names;
  for (const Axis &A : Axes) {
    if (!Names.insert(A.Name).second)
      return createStringError(fmt::format(
          "--explore names {} twice; its values go into one list", A.Name));
    if (Variants.size() * A.Values.size() > MostVariants)
      return createStringError(
          fmt::format("the values to explore make more than {} combinations",
                      MostVariants));
    std::vector<Variant> Longer;
    for (const Variant &Shorter : Variants)
      for (const std::string &Value : A.Values) {
        Variant &V = Longer.emplace_back(Shorter);
        V.Values.push_back(Value);
        if (std::string Wrong = set(V.Options, A.Name, Value); !Wrong.empty())
          return createStringError(Wrong);
      }
    Variants = std::move(Longer);
  }
  for (const Variant &V : Variants)
    if (std::string Wrong = validate(V.Options); !Wrong.empty())
      return createStringError(Wrong);
  return Variants;
}

} // namespace warpwise::reuse

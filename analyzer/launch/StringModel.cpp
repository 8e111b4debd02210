//===- StringModel.cpp - C's string functions -----------------------------===//
//
// What programs read their command line with. Only strings that are known to
// the last character count.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/RuntimeModel.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <cstdlib>
#include <cstring>
#include <strings.h>

using namespace clang;

namespace warpwise::launch {

namespace {

class StringCall {
public:
  StringCall(HostEvaluator &Evaluator, StringRef Name,
             llvm::ArrayRef<const Expr *> Arguments)
      : Evaluator(Evaluator), Arguments(Arguments), Name(Name) {}

  std::optional<Value> run();

private:
  HostEvaluator &Evaluator;
  const llvm::ArrayRef<const Expr *> Arguments;
  const StringRef Name;
  struct Text {
    Value Pointer;
    std::optional<std::string> Known;
  };
  DoubtSet Doubts = 0;

  Text readText(size_t I);
  std::optional<int64_t> readInteger(size_t I);
  Value answer(int64_t Result) const { return Value(Result, Doubts); }
  Value compare();
  Value find();
  Value convert();
};

} // namespace

StringCall::Text StringCall::readText(size_t I) {
  Text Result;
  Result.Pointer = Evaluator.evaluate(Arguments[I]);
  Doubts |= Result.Pointer.Doubts;
  if (const Address *Place = Result.Pointer.getAddress())
    Result.Known = Evaluator.readString(*Place);
  return Result;
}

std::optional<int64_t> StringCall::readInteger(size_t I) {
  const Value V = Evaluator.evaluate(Arguments[I]);
  Doubts |= V.Doubts;
  return V.getInteger() ? std::optional(*V.getInteger()) : std::nullopt;
}

Value StringCall::compare() {
  const Text Left = readText(0), Right = readText(1);
  std::optional<int64_t> Length = INT64_MAX;
  if (Arguments.size() > 2)
    Length = readInteger(2);
  if (!Left.Known || !Right.Known || !Length || *Length < 0)
    return Value();
  const char *L = Left.Known->c_str(), *R = Right.Known->c_str();
  const auto Most = static_cast<size_t>(*Length);
  const bool IgnoresCase = Name.contains("case");
  const int Order =
      IgnoresCase ? strncasecmp(L, R, Most) : std::strncmp(L, R, Most);
  // Only the sign is the same everywhere.
  return answer(Order < 0 ? -1 : Order > 0);
}

/// strchr, strrchr and strstr: a pointer into the first string, or null.
Value StringCall::find() {
  const Text In = readText(0);
  size_t Found = std::string::npos;
  if (Name == "strstr") {
    const Text Wanted = readText(1);
    if (!In.Known || !Wanted.Known)
      return Value();
    Found = In.Known->find(*Wanted.Known);
  } else {
    const std::optional<int64_t> Wanted = readInteger(1);
    if (!In.Known || !Wanted)
      return Value();
    const std::string Whole(In.Known->c_str(), In.Known->size() + 1);
    const char Character = static_cast<char>(*Wanted);
    Found = Name == "strchr" ? Whole.find(Character) : Whole.rfind(Character);
  }
  if (Found == std::string::npos)
    return answer(0);
  return Value(In.Pointer.getAddress()->advance(Found), Doubts);
}

/// The number at the start of the string.
Value StringCall::convert() {
  const Text From = readText(0);
  std::optional<int64_t> Base = 10;
  if (Name.starts_with("strto") && Arguments.size() >= 2) {
    const Value End = Evaluator.evaluate(Arguments[1]);
    // Where it stopped is not followed.
    if (const Address *Place = End.getAddress())
      Evaluator.State.forget(Place->Object);
    if (Arguments.size() > 2)
      Base = readInteger(2);
  }
  if (!From.Known || !Base || *Base < 0 || *Base == 1 || *Base > 36)
    return Value();
  const char *Start = From.Known->c_str();
  if (Name == "atof" || Name == "strtod")
    return Value(std::strtod(Start, nullptr), Doubts);
  if (Name == "strtof")
    return Value(static_cast<double>(std::strtof(Start, nullptr)), Doubts);
  const int Radix = static_cast<int>(*Base);
  if (Name.starts_with("strtou"))
    return answer(static_cast<int64_t>(std::strtoull(Start, nullptr, Radix)));
  const int64_t Number = std::strtoll(Start, nullptr, Radix);
  return answer(Name == "atoi" ? static_cast<int32_t>(Number) : Number);
}

std::optional<Value> StringCall::run() {
  enum class Kind { None, Length, Compare, Find, Convert };
  const Kind What =
      llvm::StringSwitch<Kind>(Name)
          .Case("strlen", Kind::Length)
          .Cases("strcmp", "strncmp", "strcasecmp", "strncasecmp",
                 Kind::Compare)
          .Cases("strchr", "strrchr", "strstr", Kind::Find)
          .Cases("atoi", "atol", "atoll", "atof", Kind::Convert)
          .Cases("strtol", "strtoll", "strtoul", "strtoull", Kind::Convert)
          .Cases("strtod", "strtof", Kind::Convert)
          .Default(Kind::None);
  const size_t Needed = What == Kind::Compare || What == Kind::Find ? 2 : 1;
  if (What == Kind::None || Arguments.size() < Needed || Arguments.size() > 3)
    return std::nullopt;
  switch (What) {
  case Kind::Length: {
    const Text Measured = readText(0);
    return Measured.Known ? answer(static_cast<int64_t>(Measured.Known->size()))
                          : Value();
  }
  case Kind::Compare:
    return compare();
  case Kind::Find:
    return find();
  default:
    return convert();
  }
}

std::optional<Value> modelStringCall(HostEvaluator &Evaluator, StringRef Name,
                                     llvm::ArrayRef<const Expr *> Arguments) {
  return StringCall(Evaluator, Name, Arguments).run();
}

} // namespace warpwise::launch

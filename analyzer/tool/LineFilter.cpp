//===- LineFilter.cpp - Findings in changed lines -------------------------===//

#include "analyzer/tool/LineFilter.h"

#include "profiler/io/JsonDepth.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace json = llvm::json;

namespace warpwise::tool {

/// "[3, 8]", both lines included, or nothing.
static std::optional<std::pair<unsigned, unsigned>>
readLines(const json::Value &From) {
  const json::Array *Ends = From.getAsArray();
  if (!Ends || Ends->size() != 2)
    return std::nullopt;
  const auto First = (*Ends)[0].getAsUINT64(), Last = (*Ends)[1].getAsUINT64();
  if (!First || !Last || *First < 1 || *Last < *First)
    return std::nullopt;
  constexpr uint64_t Most = std::numeric_limits<unsigned>::max();
  return std::pair(unsigned(std::min(*First, Most)),
                   unsigned(std::min(*Last, Most)));
}

llvm::Expected<LineFilter> LineFilter::create(llvm::StringRef Text) {
  LineFilter Result;
  if (Text.empty())
    return Result;
  const auto Wrong = [](const std::string &Why) {
    return llvm::createStringError("--line-filter: " + Why);
  };
  if (io::isNestedDeeperThan(Text))
    return Wrong("it nests too deeply");
  llvm::Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return Wrong("it is no JSON: " + llvm::toString(Parsed.takeError()));
  const json::Array *Files = Parsed->getAsArray();
  if (!Files || Files->empty())
    return Wrong(R"(expected [{"name": "a.cu", "lines": [[1, 3]]}])");
  for (const json::Value &One : *Files) {
    const json::Object *Members = One.getAsObject();
    const auto Name = Members ? Members->getString("name") : std::nullopt;
    if (!Name || Name->empty())
      return Wrong("an entry has no 'name'");
    File &Its = Result.Files.emplace_back();
    Its.Name = Name->str();
    const json::Value *Lines = Members->get("lines");
    if (!Lines)
      continue;
    const json::Array *Ranges = Lines->getAsArray();
    if (!Ranges)
      return Wrong(fmt::format("the 'lines' of '{}' are no list", Its.Name));
    for (const json::Value &Range : *Ranges) {
      const auto Ends = readLines(Range);
      if (!Ends)
        return Wrong(fmt::format("'{}' has lines that are no pair of numbers, "
                                 "first and last",
                                 Its.Name));
      Its.Lines.push_back(*Ends);
    }
  }
  return Result;
}

bool LineFilter::wants(const access::Place &Where) const {
  // As clang-tidy does: the first name that fits decides.
  const auto At = llvm::find_if(Files, [&](const File &Its) {
    return llvm::StringRef(Where.File).ends_with(Its.Name);
  });
  if (At == Files.end())
    return false;
  return At->Lines.empty() || llvm::any_of(At->Lines, [&](const auto &Range) {
           return Range.first <= Where.Line && Where.Line <= Range.second;
         });
}

bool LineFilter::wants(const advice::Finding &F) const {
  return Files.empty() || wants(F.Where) ||
         llvm::any_of(F.Also, [&](const advice::AffectedAccess &S) {
           return wants(S.Where);
         });
}

} // namespace warpwise::tool

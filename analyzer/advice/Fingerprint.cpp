//===- Fingerprint.cpp - A finding, recognised in later runs --------------===//

#include "analyzer/advice/Fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace warpwise::advice {

namespace {

/// FNV-1a, which will be the same in ten years.
class Hash {
public:
  void add(char C) { Value = (Value ^ uint8_t(C)) * uint64_t(0x100000001b3); }
  void add(std::string_view Text) {
    for (const char C : Text)
      add(C);
    add('\0');
  }
  uint64_t value() const { return Value; }

private:
  uint64_t Value = 0xcbf29ce484222325;
};

/// One place of one finding.
struct Entry {
  const access::Place *Where;
  const std::string *Rule;
  std::string *Print;
};

/// The lines of files, without what a change of the layout changes.
class Lines {
public:
  explicit Lines(const SourceText &Read) : Read(Read) {}

  std::string_view of(const access::Place &Where) {
    const auto [At, IsNew] = Files.try_emplace(Where.File);
    std::vector<std::string> &All = At->second;
    if (IsNew && Read) {
      All.emplace_back();
      for (const char C : Read(Where.File).value_or("")) {
        if (C == '\n')
          All.emplace_back();
        else if (C != ' ' && C != '\t' && C != '\r')
          All.back() += C;
      }
    }
    return Where.Line > 0 && Where.Line <= All.size()
               ? std::string_view(All[Where.Line - 1])
               : std::string_view();
  }

private:
  const SourceText &Read;
  std::map<std::string, std::vector<std::string>> Files;
};

} // namespace

void setFingerprints(
    std::vector<Finding> &Findings, const SourceText &Read,
    const std::function<std::string(const std::string &Path)> &NameOf) {
  std::vector<Entry> Places;
  for (Finding &F : Findings) {
    Places.push_back({&F.Where, &F.Rule, &F.Fingerprint});
    for (AffectedAccess &S : F.Also)
      Places.push_back({&S.Where, &F.Rule, &S.Fingerprint});
  }
  std::sort(Places.begin(), Places.end(), [](const Entry &A, const Entry &B) {
    return std::tie(*A.Where, *A.Rule) < std::tie(*B.Where, *B.Rule);
  });
  Lines Text(Read);
  std::map<uint64_t, unsigned> Seen;
  for (const Entry &E : Places) {
    Hash H;
    H.add(*E.Rule);
    H.add(NameOf(E.Where->File));
    H.add(Text.of(*E.Where));
    *E.Print = fmt::format("{:016x}:{}", H.value(), ++Seen[H.value()]);
  }
}

size_t removeKnown(std::vector<Finding> &Findings,
                   const std::set<std::string> &Known) {
  return std::erase_if(Findings, [&](const Finding &F) {
    return Known.count(F.Fingerprint) != 0 &&
           std::all_of(F.Also.begin(), F.Also.end(),
                       [&](const AffectedAccess &S) {
                         return Known.count(S.Fingerprint) != 0;
                       });
  });
}

} // namespace warpwise::advice

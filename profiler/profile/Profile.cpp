//===- Profile.cpp - Questions to a profile -------------------------------===//
//
// The few lookups that the rules need; all else about a profile is in the
// reader, the writer and the store.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Profile.h"

#include "profiler/profile/Schema.h"

using namespace warpwise;
using namespace warpwise::profile;

const Quantity *Profile::find(EntryPath Path) const {
  auto It = Quantities.find(Path);
  return It == Quantities.end() ? nullptr : &It->second;
}

std::optional<double> Profile::value(EntryPath Path) const {
  const Quantity *Q = find(Path);
  return Q ? Q->Value : std::nullopt;
}

const Curve *Profile::curve(EntryPath Path) const {
  auto It = Curves.find(Path);
  return It == Curves.end() ? nullptr : &It->second;
}

bool Profile::mayHold(std::string_view GuidelineId) const {
  auto It = Guidelines.find(std::string(GuidelineId));
  return It == Guidelines.end() ||
         It->second.Says != Guideline::Verdict::DoesNotHold;
}

std::string_view profile::statusName(Status S) {
  return nameOf(StatusNames, S);
}

std::string_view profile::verdictName(Guideline::Verdict V) {
  return nameOf(VerdictNames, V);
}

//===- Edits.cpp - Rewrites as texts of files -----------------------------===//

#include "analyzer/fix/Edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>

namespace warpwise::fix {

using advice::Finding;
using advice::Replacement;

static bool overlap(const Replacement &A, const Replacement &B) {
  if (A.Old.File != B.Old.File)
    return false;
  // Two texts for one spot have no order.
  if (A.Old.Offset == B.Old.Offset)
    return true;
  return A.Old.Offset < B.Old.Offset + B.Old.Length &&
         B.Old.Offset < A.Old.Offset + A.Old.Length;
}

std::vector<Replacement> collectChanges(std::vector<Finding> &Findings) {
  std::set<Replacement> All;
  for (Finding &F : Findings) {
    if (!F.Fix || !F.Fix->isOffered())
      continue;
    const bool IsFree =
        std::none_of(F.Fix->Changes.begin(), F.Fix->Changes.end(),
                     [&](const Replacement &New) {
                       return std::any_of(
                           All.begin(), All.end(), [&](const Replacement &Old) {
                             return !(New == Old) && overlap(New, Old);
                           });
                     });
    if (IsFree)
      All.insert(F.Fix->Changes.begin(), F.Fix->Changes.end());
    else
      F.Fix->Withheld = "another fix changes the same words";
  }
  return {All.begin(), All.end()};
}

llvm::Expected<Texts> applyChanges(const std::vector<Replacement> &Changes,
                                   const advice::SourceText &Read) {
  Texts Result;
  std::vector<Replacement> Backwards = Changes;
  std::sort(Backwards.begin(), Backwards.end(),
            [](const Replacement &A, const Replacement &B) { return B < A; });
  assert(std::adjacent_find(Backwards.begin(), Backwards.end(), overlap) ==
             Backwards.end() &&
         "collectChanges() gives no two for one spot");
  for (const Replacement &C : Backwards) {
    const auto [Entry, New] = Result.try_emplace(C.Old.File);
    std::string &Text = Entry->second;
    if (New) {
      std::optional<std::string> Now = Read(C.Old.File);
      if (!Now)
        return llvm::createStringError(
            fmt::format("'{}' cannot be read any more", C.Old.File));
      Text = std::move(*Now);
    }
    if (C.Old.Offset > Text.size() || C.Old.Length != C.Was.size() ||
        Text.compare(C.Old.Offset, C.Old.Length, C.Was) != 0)
      return llvm::createStringError(fmt::format(
          "'{}' is not what was analysed; it is left alone", C.Old.File));
    Text.replace(C.Old.Offset, C.Old.Length, C.Text);
  }
  return Result;
}

std::optional<std::vector<Replacement>>
changesOfOriginal(const std::vector<Replacement> &Changes,
                  const std::vector<Replacement> &Made) {
  std::vector<Replacement> Original = Changes;
  for (Replacement &C : Original) {
    const size_t Begin = C.Old.Offset, End = Begin + C.Old.Length;
    for (const Replacement &M : Made) {
      if (M.Old.File != C.Old.File)
        continue;
      // Where it stands now: those before it have moved it and C alike.
      const size_t At = M.Old.Offset + (Begin - C.Old.Offset);
      if (At > End)
        break;
      if (At + M.Text.size() >= Begin)
        return std::nullopt;
      C.Old.Offset -= M.Text.size();
      C.Old.Offset += M.Old.Length;
    }
  }
  return Original;
}

} // namespace warpwise::fix

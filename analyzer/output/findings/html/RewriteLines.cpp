//===- RewriteLines.cpp - A rewrite as lines before and after -------------===//

#include "analyzer/output/findings/html/RewriteLines.h"

#include <algorithm>
#include <tuple>

namespace warpwise::output {

using advice::Replacement;

/// Whether the bytes that make place are what they were.
static bool fits(const Replacement &Change, llvm::StringRef Text) {
  const size_t Offset = Change.Old.Offset, Length = Change.Old.Length;
  return Offset <= Text.size() && Length <= Text.size() - Offset &&
         Text.substr(Offset, Length) == Change.Was;
}

/// \p Text from line \p First to line \p Last, without the end of the last.
static llvm::StringRef linesOf(const SourcePositions &In, unsigned First,
                               unsigned Last) {
  const size_t End =
      Last == In.lines() ? In.text().size() : In.beginOf(Last + 1) - 1;
  return In.text().slice(In.beginOf(First), End);
}

std::vector<ChangedLines> changedLines(const advice::Rewrite &Rewrite,
                                       ReportSources &Sources) {
  std::vector<const Replacement *> Changes;
  for (const Replacement &Change : Rewrite.Changes)
    if (fits(Change, Sources.of(Change.Old.File).text()))
      Changes.push_back(&Change);
  std::sort(Changes.begin(), Changes.end(),
            [](const Replacement *A, const Replacement *B) {
              return std::tie(A->Old.File, A->Old.Offset) <
                     std::tie(B->Old.File, B->Old.Offset);
            });
  std::vector<ChangedLines> All;
  for (size_t N = 0; N != Changes.size();) {
    const std::string &File = Changes[N]->Old.File;
    const SourcePositions &In = Sources.of(File);
    if (In.lines() == 0) {
      ++N;
      continue;
    }
    const unsigned First = In.position(Changes[N]->Old.Offset).Line;
    unsigned Last = First;
    std::string After;
    size_t Copied = In.beginOf(First);
    for (; N != Changes.size() && Changes[N]->Old.File == File &&
           In.position(Changes[N]->Old.Offset).Line <= Last;
         ++N) {
      const Replacement &Change = *Changes[N];
      After += In.text().slice(Copied, Change.Old.Offset);
      After += Change.Text;
      Copied = Change.Old.Offset + Change.Old.Length;
      Last = std::max(Last, In.position(Copied).Line);
    }
    const llvm::StringRef Before = linesOf(In, First, Last);
    After += In.text().slice(Copied, In.beginOf(First) + Before.size());
    All.push_back({File, First, Before.str(), std::move(After)});
  }
  return All;
}

} // namespace warpwise::output

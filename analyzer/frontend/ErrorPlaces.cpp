//===- ErrorPlaces.cpp - Which errors lie within a range ------------------===//

#include "analyzer/frontend/ErrorPlaces.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwise::frontend {

ErrorPlaces::ErrorPlaces(const SourceManager &Sources,
                         llvm::ArrayRef<SourceLocation> Errors)
    : Sources(Sources) {
  for (const SourceLocation &Error : Errors) {
    Places.push_back(Sources.getExpansionLoc(Error));
    SourceLocation At = Places.back();
    while (At.isValid()) {
      const auto [File, Offset] = Sources.getDecomposedLoc(At);
      In[File].push_back({Offset, unsigned(Places.size() - 1)});
      At = Sources.getIncludeLoc(File);
    }
  }
  for (auto &[File, Entries] : In)
    llvm::sort(Entries, [](const Entry &A, const Entry &B) {
      return A.Offset < B.Offset;
    });
}

std::vector<unsigned> ErrorPlaces::within(SourceRange Range) const {
  std::vector<unsigned> Found;
  if (Places.empty() || Range.isInvalid())
    return Found;
  const SourceLocation Begin = Sources.getExpansionLoc(Range.getBegin()),
                       End = Sources.getExpansionLoc(Range.getEnd());
  const auto [File, From] = Sources.getDecomposedLoc(Begin);
  const auto [LastFile, To] = Sources.getDecomposedLoc(End);
  if (File != LastFile) { // its end comes out of another file: seldom
    for (unsigned N = 0; N != Places.size(); ++N)
      if (Places[N].isValid() && Sources.isPointWithin(Places[N], Begin, End))
        Found.push_back(N);
    return Found;
  }
  const auto Its = In.find(File);
  if (Its == In.end())
    return Found;
  for (auto I = llvm::partition_point(
           Its->second,
           [From = From](const Entry &E) { return E.Offset < From; });
       I != Its->second.end() && I->Offset <= To; ++I)
    Found.push_back(I->Error);
  llvm::sort(Found);
  return Found;
}

} // namespace warpwise::frontend

//===- BlockExtents.cpp ---------------------------------------------------===//

#include "analyzer/launch/BlockExtents.h"

#include "analyzer/launch/LinkerNames.h"
#include "profiler/profile/ArchitectureLimits.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/Support/GlobPattern.h"

#include <algorithm>

namespace warpwise::launch {

BlockExtents::BlockExtents(
    const std::vector<Launch> &Own, const std::vector<Launch> &Foreign,
    const std::vector<std::pair<std::string, Dim3>> &Said)
    : Said(Said), Names(std::make_unique<LinkerNames>()) {
  for (const Launch &L : Own)
    add(L);
  for (const Launch &L : Foreign)
    add(L);
}

BlockExtents::~BlockExtents() = default;

void BlockExtents::add(const Launch &L) {
  Dim3 &Most = ByKernel[L.Mangled];
  const Dim3 Here =
      L.Block && L.BlockCertain ? *L.Block : Dim3(profile::MostBlockExtents);
  for (size_t Axis = 0; Axis != Most.size(); ++Axis)
    Most[Axis] = std::max(Most[Axis], Here[Axis]);
}

Dim3 BlockExtents::of(const clang::FunctionDecl &F) {
  // Who calls a device function is not followed.
  if (!F.hasAttr<clang::CUDAGlobalAttr>())
    return profile::MostBlockExtents;
  const auto Known = ByKernel.find(Names->get(&F));
  if (Known != ByKernel.end())
    return Known->second;
  Dim3 Shape = profile::MostBlockExtents;
  for (const auto &[Glob, Block] : Said) {
    llvm::Expected<llvm::GlobPattern> Pattern = llvm::GlobPattern::create(Glob);
    if (!Pattern)
      llvm::consumeError(Pattern.takeError()); // checked by the command line
    else if (Pattern->match(F.getQualifiedNameAsString()))
      Shape = Block;
  }
  return Shape;
}

} // namespace warpwise::launch

//===- SitesOfAccess.h - Where a generated access has gone ------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_SITESOFACCESS_H
#define WARPWISE_TEST_UNIT_EVALUATE_SITESOFACCESS_H

#include "analyzer/evaluate/Program.h"
#include "test/unit/evaluate/EmitKernel.h"

namespace warpwise::test {

/// The sites of each access; none when the passes have found it dead. (An
/// atomic that the hardware lacks also has the load of its loop, which is not
/// meant.)
inline std::vector<std::vector<unsigned>> sitesOf(const GeneratedKernel &K,
                                                  const EmittedKernel &Emitted,
                                                  const access::Program &Code) {
  std::vector<std::vector<unsigned>> Sites(K.Accesses.size());
  for (unsigned N = 0; N != Code.Sites.size(); ++N)
    if (auto Access = Emitted.AccessOfObject.find(Code.Sites[N].Object);
        Access != Emitted.AccessOfObject.end() &&
        Code.Sites[N].Op == K.Accesses[Access->second].Op)
      Sites[Access->second].push_back(N);
  return Sites;
}

/// False when the passes have changed which lanes make \p A together, which
/// brute force on the source cannot follow. They do so where a break or return
/// turned out to be certain: the access is then no longer in the loop, and
/// lanes from different rounds make it together (see EvaluatorTest). And
/// SimplifyCFG copies a short block into a predecessor that knows where the
/// block would branch to.
inline bool isAsWritten(const MemoryAccess &A, const access::Program &Code,
                        const std::vector<unsigned> &Sites) {
  return Sites.empty() ||
         (Sites.size() == 1 && Code.Sites[Sites[0]].LoopDepth == A.LoopDepth);
}

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_SITESOFACCESS_H

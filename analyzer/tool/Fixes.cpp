//===- Fixes.cpp - check --fix --------------------------------------------===//

#include "analyzer/tool/Fixes.h"

#include "analyzer/tool/Messages.h"
#include "analyzer/tool/SourceFiles.h"
#include "profiler/io/WriteFile.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace warpwise::tool {

/// What does not compile in \p Now that did in \p Was, or nothing.
static std::string newProblem(const UnitReport &Was, const UnitReport &Now) {
  if (!Now.Failure.empty())
    return Was.Failure.empty() ? Now.Failure : "";
  const auto Broken = [](const UnitReport &R) {
    return llvm::count_if(R.Missing,
                          [](const LeftOut &L) { return L.IsError; });
  };
  if (Broken(Now) > Broken(Was))
    for (const LeftOut &L : Now.Missing)
      if (L.IsError)
        return L.Cause;
  return Now.HostErrors > Was.HostErrors ? Now.FirstHostError : "";
}

llvm::Expected<fix::Texts>
tryFixes(const Session &S, const std::vector<UnitReport> &Reports,
         fix::Analysed &Found, const Summary &Summarize, const Gather &Together,
         const std::function<bool(const std::string &File)> &IsLeftOut,
         const advice::SourceText &Read, bool MayNotGain) {
  for (advice::Finding &F : Found.Findings)
    if (F.Fix && F.Fix->isOffered())
      for (const advice::Replacement &C : F.Fix->Changes)
        if (IsLeftOut(C.Old.File))
          F.Fix->Withheld = fmt::format("'{}' is not to be looked at",
                                        displayPath(C.Old.File));
  const fix::Analyse Run = [&](const fix::Texts &Edited) {
    std::vector<UnitReport> Now = analyzeEdited(S, Reports, Edited, Summarize);
    std::vector<std::string> Problems;
    for (size_t I = 0; I != Now.size(); ++I)
      if (std::string Why = newProblem(Reports[I], Now[I]); !Why.empty())
        Problems.push_back(std::move(Why));
    fix::Analysed After = Together(Now);
    After.Errors.insert(After.Errors.end(), Problems.begin(), Problems.end());
    return After;
  };
  return fix::tryRewrites(Found, Read, Run, MayNotGain);
}

bool writeFixes(const fix::Texts &Edited) {
  for (const auto &[File, Text] : Edited) {
    const std::string Why = io::writeFile(File, Text);
    if (Why.empty())
      continue;
    printError(fmt::format("cannot write '{}': {}", File, Why));
    return false;
  }
  return true;
}

} // namespace warpwise::tool

//===- Trial.cpp - Whether rewritten code is better -----------------------===//

#include "analyzer/fix/Trial.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::fix {

using advice::Finding;
using advice::KernelSummary;

/// Times that differ by less are the same.
constexpr double Slack = 1.001;
/// A finding is gone when what is left of it gains so much less.
constexpr double LeastPart = 0.1;

/// Whether what is left of \p Was is hardly worth saying: 5.3 sectors of 4,
/// say, where there were 19.
static bool isHardlyLeft(const Finding &Was, const Finding &Now) {
  if (!Now.Faster)
    return false;
  const double Gain = Now.Faster->Factor;
  return Gain < advice::UsualMinGain ||
         (Was.Faster && Gain - 1 < LeastPart * (Was.Faster->Factor - 1));
}

static const KernelSummary *findKernel(const Analysed &In,
                                       const std::string &Name) {
  const auto At =
      std::find_if(In.Kernels.begin(), In.Kernels.end(),
                   [&](const KernelSummary &K) { return K.Name == Name; });
  return At == In.Kernels.end() ? nullptr : &*At;
}

/// Whether \p Now is what \p F says, of the same object at one of its lines.
static bool isLeftOf(const Finding &F, const Finding &Now) {
  if (Now.Rule != F.Rule || Now.Object != F.Object || isHardlyLeft(F, Now))
    return false;
  const auto IsAt = [&](const Place &Where) {
    return Where.File == Now.Where.File && Where.Line == Now.Where.Line;
  };
  return IsAt(F.Where) || std::any_of(F.Also.begin(), F.Also.end(),
                                      [&](const advice::AffectedAccess &S) {
                                        return IsAt(S.Where);
                                      });
}

/// "transpose<float>" of "void transpose<float>(float*)".
static std::string shortName(std::string_view Name) {
  if (const size_t At = Name.rfind('(');
      At != std::string_view::npos && At != 0)
    Name = Name.substr(0, At);
  if (Name.starts_with("void "))
    Name.remove_prefix(5);
  return std::string(Name);
}

/// The same kernel in another state of the code.
static const KernelSummary *findSame(const Analysed &In,
                                     const KernelSummary &K) {
  const auto At = std::find_if(
      In.Kernels.begin(), In.Kernels.end(), [&](const KernelSummary &Other) {
        return Other.Name == K.Name && Other.Mangled == K.Mangled &&
               Other.Where.File == K.Where.File;
      });
  return At == In.Kernels.end() ? nullptr : &*At;
}

/// Which kernel is lost or takes longer, or empty. A rewrite reaches others
/// than those that its finding is about: they use the same array, or are
/// instantiated from the same template.
static std::string whoLoses(const Analysed &Before, const Analysed &After) {
  for (const KernelSummary &Was : Before.Kernels) {
    const KernelSummary *Is = findSame(After, Was);
    if (!Is)
      return fmt::format("with it '{}' is not analysed", shortName(Was.Name));
    if (!Was.BoundBy.empty() && Is->Nanoseconds > Slack * Was.Nanoseconds)
      return fmt::format("with it '{}' takes {:.2f} times as long",
                         shortName(Was.Name),
                         Is->Nanoseconds / Was.Nanoseconds);
  }
  return {};
}

std::string whyWithheld(const Finding &F, const Analysed &Before,
                        const Analysed &After) {
  if (!After.Errors.empty())
    return "with it the code does not compile: " + After.Errors.front();
  const auto Left =
      std::find_if(After.Findings.begin(), After.Findings.end(),
                   [&](const Finding &Now) { return isLeftOf(F, Now); });
  if (Left != After.Findings.end())
    return "with it there still is: " + Left->Message;
  for (const std::string &Name : F.FoundIn)
    if (!findKernel(After, Name))
      return fmt::format("with it '{}' is not analysed", shortName(Name));
  return whoLoses(Before, After);
}

static std::string timesText(const KernelSummary &Was,
                             const KernelSummary &Is) {
  const double Factor = Was.Nanoseconds / Is.Nanoseconds;
  if (Was.IsWhole && Is.IsWhole)
    return fmt::format("takes about {:.3g} us before and {:.3g} us after, "
                       "{:.2f}x faster",
                       Was.Nanoseconds / 1e3, Is.Nanoseconds / 1e3, Factor);
  return fmt::format("is about {:.2f}x faster after it", Factor);
}

std::string beforeAndAfter(const Finding &F, const Analysed &Before,
                           const Analysed &After) {
  const KernelSummary *Was = findKernel(Before, F.Kernel);
  const KernelSummary *Is = findKernel(After, F.Kernel);
  if (!Was || !Is || Was->BoundBy.empty() || Is->Nanoseconds <= 0)
    return "the finding is gone after it";
  return fmt::format("'{}' {}", shortName(F.Kernel), timesText(*Was, *Is));
}

static bool isTried(const Finding &F) { return F.Fix && F.Fix->isOffered(); }

/// Withholds the rewrites that do not hold in \p After. True when all do.
static bool judge(Analysed &Before, const Analysed &After) {
  bool AllHold = true;
  for (Finding &F : Before.Findings) {
    if (!isTried(F))
      continue;
    F.Fix->Withheld = whyWithheld(F, Before, After);
    F.Fix->Verified =
        F.Fix->Withheld.empty() ? beforeAndAfter(F, Before, After) : "";
    AllHold &= F.Fix->Withheld.empty();
  }
  return AllHold;
}

/// Each rewrite by itself: together they do not tell which one is at fault.
static llvm::Error tryAlone(Analysed &Before, const advice::SourceText &Read,
                            const Analyse &Run) {
  for (Finding &F : Before.Findings) {
    if (!isTried(F))
      continue;
    auto Edited = applyChanges(F.Fix->Changes, Read);
    if (!Edited)
      return Edited.takeError();
    F.Fix->Withheld = whyWithheld(F, Before, Run(*Edited));
  }
  return llvm::Error::success();
}

llvm::Expected<Texts> tryRewrites(Analysed &Before,
                                  const advice::SourceText &Read,
                                  const Analyse &Run, bool MayNotGain) {
  for (Finding &F : Before.Findings) {
    if (MayNotGain || !isTried(F))
      continue;
    if (!F.Fix->Presumes.empty())
      F.Fix->Withheld = F.Fix->Presumes + " (--fix-notes)";
    else if (!F.Faster)
      F.Fix->Withheld = "that it gains something is not known (--fix-notes)";
  }
  bool Alone = false;
  while (true) {
    const auto Changes = collectChanges(Before.Findings);
    auto Edited = applyChanges(Changes, Read);
    if (!Edited || Changes.empty())
      return Edited;
    const Analysed After = Run(*Edited);
    const auto Tried =
        std::count_if(Before.Findings.begin(), Before.Findings.end(), isTried);
    const bool IsSomebodysFault =
        !After.Errors.empty() || !whoLoses(Before, After).empty();
    if (IsSomebodysFault && Tried > 1 && !Alone) {
      Alone = true;
      if (llvm::Error Problem = tryAlone(Before, Read, Run))
        return std::move(Problem);
      continue;
    }
    // Each round withholds at least one, or ends.
    if (judge(Before, After))
      return Edited;
  }
}

} // namespace warpwise::fix

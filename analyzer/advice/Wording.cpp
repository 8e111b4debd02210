//===- Wording.cpp - How a finding reads ----------------------------------===//

#include "analyzer/advice/Wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace warpwise::advice {

std::string_view nameOf(Severity Level) {
  return Level == Severity::Remark ? "remark" : "warning";
}

/// "under block 256 (main.cu:40), if it fills the GPU, ", what holds of it.
static std::string condition(const price::Gain &G) {
  if (G.IsUnlaunched)
    return "no launch was seen; on a grid that fills the GPU ";
  if (G.MostBlocks) {
    const std::string Few = fmt::format("{} block{} at most", G.MostBlocks,
                                        G.MostBlocks == 1 ? "" : "s");
    return G.Under.empty() ? fmt::format("on a grid of {} ", Few)
                           : fmt::format("under {}, {}, ", G.Under, Few);
  }
  const bool IsAlone = G.Under.empty();
  const std::string If =
      G.FillsGpu ? IsAlone ? "if the grid fills the GPU" : "if it fills the GPU"
      : G.HasOpenLoops  ? "if its loops run long enough"
      : !G.Microseconds ? "if most of its threads have something to do"
                        : "";
  if (IsAlone)
    return If.empty() ? "" : If + " ";
  return If.empty() ? fmt::format("under {} ", G.Under)
                    : fmt::format("under {}, {}, ", G.Under, If);
}

std::string stateGain(const Finding &F) {
  const price::Gain &G = *F.Faster;
  const std::string Under = condition(G);
  // What a remark speaks of may not be for the programmer to change.
  if (F.Level == Severity::Remark)
    return fmt::format("{}at best about {:.2f}x faster [{:.2f}, {:.2f}]", Under,
                       G.Factor, G.Low, G.High);
  if (G.Factor < 1.05)
    return fmt::format("{}hardly faster [{:.2f}, {:.2f}] when repaired", Under,
                       G.Low, G.High);
  return fmt::format("{}about {:.2f}x faster [{:.2f}, {:.2f}] when repaired",
                     Under, G.Factor, G.Low, G.High);
}

std::string describeTime(const price::Gain &G) {
  if (G.Microseconds)
    return fmt::format("the kernel takes about {:.3g} us, bound by {}",
                       *G.Microseconds, G.BoundBy);
  return fmt::format(
      "when it runs long enough to matter, the kernel is bound by {}",
      G.BoundBy);
}

/// "about 31 cycles more per request of a warp on NVIDIA H100",
/// or empty when \p F has no cost because the profile has no price.
static std::string describeCost(const Finding &F, std::string_view Gpu) {
  if (F.ExtraCycles <= 0)
    return "";
  const bool IsLeast = F.State == access::Proof::Bounded;
  return fmt::format("{} {:.3g} cycles more per request of a warp on {}",
                     IsLeast ? "at least" : "about", F.ExtraCycles, Gpu);
}

/// The index of the note that is the reason, or nothing.
static std::optional<size_t> findReason(const Finding &F) {
  for (size_t N = 0; N != F.Notes.size(); ++N)
    if (F.Notes[N].Where == F.Where)
      return N;
  return std::nullopt;
}

std::string describeInstances(const Finding &F) {
  if (F.Judged <= 1)
    return "";
  const bool Template = F.Kernel.find('<') != std::string::npos;
  return fmt::format("in {} of {} {}, costliest in {}", F.Instances, F.Judged,
                     Template ? "instantiations" : "kernels", F.Kernel);
}

std::string headline(const Finding &F) {
  return F.Faster ? F.Message + "; " + stateGain(F) : F.Message;
}

/// "54:13, 56:13 and other.cuh:7:3", in the order of the source.
static std::string otherPlaces(const Finding &F) {
  std::vector<access::Place> Places;
  for (const AffectedAccess &S : F.Also)
    Places.push_back(S.Where);
  std::sort(Places.begin(), Places.end());
  std::vector<std::string> Texts;
  for (const access::Place &P : Places) {
    const std::string At = P.Column ? fmt::format("{}:{}", P.Line, P.Column)
                                    : std::to_string(P.Line);
    Texts.push_back(P.File == F.Where.File ? At : P.fileName() + ":" + At);
  }
  const std::string Last = Texts.back();
  Texts.pop_back();
  return Texts.empty() ? Last
                       : fmt::format("{} and {}", fmt::join(Texts, ", "), Last);
}

static void addEvidence(const Finding &F, std::optional<size_t> Reason,
                        std::string_view Gpu, std::vector<Note> &Lines) {
  if (F.Faster)
    Lines.push_back({F.Where, describeTime(*F.Faster)});
  if (std::string Cost = describeCost(F, Gpu); !Cost.empty())
    Lines.push_back({F.Where, std::move(Cost)});
  for (size_t N = 0; N != F.Notes.size(); ++N)
    if (N != Reason)
      Lines.push_back(F.Notes[N]);
  if (std::string Instances = describeInstances(F); !Instances.empty())
    Lines.push_back({F.Where, std::move(Instances)});
}

std::vector<Note> explanation(const Finding &F, const Detail &Wanted) {
  std::vector<Note> Lines;
  const std::optional<size_t> Reason = findReason(F);
  if (Reason)
    Lines.push_back(F.Notes[*Reason]);
  if (Wanted.Evidence)
    addEvidence(F, Reason, Wanted.Gpu, Lines);
  std::string Remedy = F.Remedy;
  if (!F.Also.empty())
    Remedy += fmt::format("{}the same at {}", Remedy.empty() ? "" : "; ",
                          otherPlaces(F));
  if (!Remedy.empty())
    Lines.push_back({F.Where, std::move(Remedy)});
  if (F.Fix && Wanted.Fixes)
    Lines.push_back(
        {F.Where,
         F.Fix->isOffered()
             ? fmt::format("fix: {}: {}", F.Fix->Title, F.Fix->Verified)
             : fmt::format("no fix, which would {}: {}", F.Fix->Title,
                           F.Fix->Withheld)});
  return Lines;
}

} // namespace warpwise::advice

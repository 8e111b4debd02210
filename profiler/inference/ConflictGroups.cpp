//===- ConflictGroups.cpp - Lines that compete for the same ways ----------===//

#include "profiler/inference/ConflictGroups.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

using LineList = std::vector<uint64_t>;

/// Choices of lines that may all fit before sets are given up.
constexpr unsigned Choices = 8;
/// Loads that the classification of a sample may cost for each group.
constexpr uint64_t SampleLoads = 60000;
constexpr uint64_t LargestSample = 1024;
/// Walks to see all lines of a set miss where it is random which do.
constexpr unsigned SuspectWalks = 6;
/// Rounds of classification before a line is given up.
constexpr unsigned ClassifyRounds = 10;

} // namespace

ConflictSearch::ConflictSearch(FitTest &Test, uint64_t LineBytes,
                               uint64_t CapacityLines, uint64_t Seed)
    : Test(Test), LineBytes(LineBytes), CapacityLines(CapacityLines),
      AllLines(Test.probe().size() / LineBytes), Random(Seed) {}

LineList ConflictSearch::randomLines(uint64_t Count) {
  LineList Chosen;
  if (2 * Count >= AllLines) {
    Chosen.resize(AllLines);
    std::iota(Chosen.begin(), Chosen.end(), uint64_t(0));
    std::shuffle(Chosen.begin(), Chosen.end(), Random);
    Chosen.resize(std::min(Count, AllLines));
    return Chosen;
  }
  std::unordered_set<uint64_t> Seen;
  while (Chosen.size() < Count)
    if (const uint64_t Line = Random() % AllLines; Seen.insert(Line).second)
      Chosen.push_back(Line);
  return Chosen;
}

static LineList scaled(std::span<const uint64_t> Lines, uint64_t LineBytes) {
  LineList Offsets(Lines.begin(), Lines.end());
  for (uint64_t &Offset : Offsets)
    Offset *= LineBytes;
  return Offsets;
}

bool ConflictSearch::fits(std::span<const uint64_t> Lines, unsigned Calls) {
  return Test.fits(scaled(Lines, LineBytes), Calls);
}

LineList ConflictSearch::overfullPrefix(std::span<const uint64_t> Lines) {
  size_t Fit = 0, TooMany = std::min<size_t>(32, Lines.size());
  while (fits(Lines.first(TooMany))) {
    if (TooMany == Lines.size())
      return {};
    Fit = TooMany;
    TooMany = std::min(Lines.size(), 2 * TooMany);
  }
  while (TooMany - Fit > 1) {
    const size_t Middle = std::midpoint(Fit, TooMany);
    (fits(Lines.first(Middle)) ? Fit : TooMany) = Middle;
  }
  return {Lines.begin(), Lines.begin() + ptrdiff_t(TooMany)};
}

/// One line less fits, so a single set is overfull, and nearly all lines that
/// miss are in it: all of it with LRU, more of it with each walk otherwise.
LineList ConflictSearch::suspects(std::span<const uint64_t> Overfull) {
  const LineList Offsets = scaled(Overfull, LineBytes);
  std::vector<bool> Suspect(Overfull.size());
  // Without the last line the rest fits, so it is one of them.
  Suspect.back() = true;
  LineList Lines;
  for (unsigned Walk = 0; Walk != SuspectWalks; ++Walk) {
    const FitTest::Walk W = Test.walk(Offsets, 1, Walk ? &Random : nullptr);
    for (size_t I = 0; I != Suspect.size(); ++I)
      Suspect[I] = Suspect[I] || W.Misses[I];
    Lines.clear();
    for (size_t I = 0; I != Suspect.size(); ++I)
      if (Suspect[I])
        Lines.push_back(Overfull[I]);
    if (!fits(Lines))
      return Lines;
  }
  return {Overfull.begin(), Overfull.end()};
}

LineList ConflictSearch::reduce(LineList Overfull) {
  LineList Needed;
  const auto FitsWith = [&](size_t Count) {
    LineList Lines = Needed;
    Lines.insert(Lines.end(), Overfull.begin(),
                 Overfull.begin() + ptrdiff_t(Count));
    return fits(Lines);
  };
  // The line at which a prefix gets too large is needed; those after it are
  // not. Mostly it is the last, so the search begins there.
  while (true) {
    size_t Fit = 0, TooMany = Overfull.size();
    for (size_t Step = 1;; Step *= 2) {
      if (TooMany == 0)
        return Needed;
      const size_t Fewer = TooMany - std::min(Step, TooMany);
      if (FitsWith(Fewer)) {
        Fit = Fewer;
        break;
      }
      TooMany = Fewer;
    }
    while (TooMany - Fit > 1) {
      const size_t Middle = std::midpoint(Fit, TooMany);
      (FitsWith(Middle) ? Fit : TooMany) = Middle;
    }
    Needed.push_back(Overfull[TooMany - 1]);
    Overfull.resize(TooMany - 1);
  }
}

std::optional<ConflictGroup> ConflictSearch::nextGroup(LineList &Sample) {
  for (unsigned Choice = 0; Choice != Choices; ++Choice) {
    std::shuffle(Sample.begin(), Sample.end(), Random);
    const size_t Most = std::min<size_t>(
        Sample.size(), std::max<uint64_t>(CapacityLines, 2) - 1);
    const LineList Overfull = overfullPrefix(std::span(Sample).first(Most));
    if (Overfull.empty()) {
      if (Most < CapacityLines - 1)
        return std::nullopt;
      continue;
    }
    ConflictGroup G;
    G.Lines = reduce(suspects(Overfull));
    // A set as it should be: each line is needed. The first ones are tried.
    LineList Rest(G.Lines.begin() + 1, G.Lines.end());
    if (G.Lines.size() >= 2 && !fits(G.Lines, 2) && fits(Rest, 2))
      return G;
  }
  return std::nullopt;
}

std::vector<ConflictSearch::Belongs>
ConflictSearch::classify(const ConflictGroup &G,
                         std::span<const uint64_t> Lines) {
  const LineList Ways = scaled(std::span(G.Lines).first(G.ways()), LineBytes);
  // Lines of the sample that are loaded in one call are fewer than fit.
  const size_t Each = 2 * Ways.size() + 1;
  const size_t Batch =
      std::clamp<size_t>(FitTest::LongestList / Each - 1, 1,
                         std::max<size_t>(CapacityLines / 2, 1));
  std::vector<Belongs> Result(Lines.size(), Belongs::Unclear);
  std::vector<int> Votes(Lines.size());
  std::vector<size_t> Open(Lines.size());
  std::iota(Open.begin(), Open.end(), size_t(0));
  for (unsigned Round = 0; Round != ClassifyRounds && !Open.empty(); ++Round) {
    for (size_t First = 0; First < Open.size(); First += Batch) {
      const size_t Count = std::min(Batch, Open.size() - First);
      // The set is filled, then before each line it must be whole, and is
      // looked through and filled again after it.
      LineList List;
      const auto Fill = [&] {
        List.insert(List.end(), Ways.begin(), Ways.end());
      };
      Fill(), Fill();
      for (size_t I = First; I != First + Count; ++I) {
        List.push_back(Lines[Open[I]] * LineBytes);
        Fill(), Fill();
      }
      const std::vector<bool> Missed = Test.misses(List);
      const auto AnyMiss = [&](size_t From) {
        const auto Begin = Missed.begin() + ptrdiff_t(From);
        return std::find(Begin, Begin + ptrdiff_t(Ways.size()), true) !=
               Begin + ptrdiff_t(Ways.size());
      };
      for (size_t I = 0; I != Count; ++I) {
        const size_t Before = Ways.size() + I * Each;
        if (!AnyMiss(Before))
          Votes[Open[First + I]] += AnyMiss(Before + Ways.size() + 1) ? 1 : -1;
      }
    }
    // A miss may be a stray, so one is not enough; no miss at all is.
    const int Enough = Test.hasStrays() ? 4 : 2;
    std::erase_if(Open, [&](size_t I) {
      if (Votes[I] > -1 && Votes[I] < Enough)
        return false;
      Result[I] = Votes[I] < 0 ? Belongs::No : Belongs::Yes;
      return true;
    });
  }
  return Result;
}

void ConflictSearch::takeMembers(ConflictGroup &G, LineList &Sample) {
  const std::vector<Belongs> In = classify(G, Sample);
  size_t Kept = 0;
  for (size_t I = 0; I != Sample.size(); ++I)
    if (In[I] == Belongs::Yes)
      G.Others.push_back(Sample[I]);
    else
      Sample[Kept++] = Sample[I];
  Sample.resize(Kept);
}

bool ConflictSearch::isNew(const ConflictGroup &G,
                           std::span<const ConflictGroup> Known) {
  // One line may be mistaken again, several are not.
  const auto Some = std::span(G.Lines).first(std::min<size_t>(4, G.ways()));
  return std::none_of(Known.begin(), Known.end(), [&](const ConflictGroup &K) {
    const std::vector<Belongs> In = classify(K, Some);
    return std::find(In.begin(), In.end(), Belongs::Yes) != In.end();
  });
}

ConflictGroups ConflictSearch::find(unsigned Most) {
  ConflictGroups Found;
  size_t Placed = 0;
  LineList Sample = randomLines(std::min<uint64_t>(
      LargestSample, std::max<uint64_t>(4 * CapacityLines, 64)));
  while (Found.Groups.size() < Most) {
    auto G = nextGroup(Sample);
    if (!G)
      break;
    if (Found.Groups.empty())
      Test.learnWhetherRepeatable(scaled(G->Lines, LineBytes));
    const std::unordered_set<uint64_t> Own(G->Lines.begin(), G->Lines.end());
    std::erase_if(Sample, [&](uint64_t Line) { return Own.contains(Line); });
    // A large set leaves time for a smaller sample only.
    const uint64_t Affordable =
        std::max(SampleLoads / (2 * G->Lines.size()), 8 * G->Lines.size());
    if (Found.Groups.empty() && Sample.size() > Affordable)
      Sample.resize(Affordable);
    takeMembers(*G, Sample);
    // Once most lines have found their set, those left may be ones that were
    // mistaken for strangers to it.
    if (Placed > Sample.size() && !isNew(*G, Found.Groups))
      continue;
    Placed += G->Lines.size() + G->Others.size();
    Found.Groups.push_back(std::move(*G));
  }
  Found.Complete = Sample.empty() && !Found.Groups.empty();
  Found.Strangers = std::move(Sample);
  if (!Found.Groups.empty())
    return Found;
  // All choices of as many lines as the cache holds fit: one set has it all.
  LineList Whole = randomLines(CapacityLines + 1);
  if (Whole.size() > CapacityLines && !fits(Whole) &&
      fits(std::span(Whole).first(CapacityLines))) {
    Found.Complete = true;
    Found.Strangers.clear();
    Found.Groups.push_back({std::move(Whole), {}});
  } else {
    Found.Unknown = "no lines were found that compete for a set";
  }
  return Found;
}

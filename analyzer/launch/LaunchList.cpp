//===- LaunchList.cpp - Merges and thins out launches ---------------------===//
//
// Two entries are the same launch when all that is known of them is equal. One
// is dropped when another one of the same place stands for it: it says at least
// as much, and claims nothing that this one leaves open.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchList.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <set>

namespace warpwise::launch {

/// A loop over files or frames can go on for long; more than this many
/// different launches of one walk are not told apart.
constexpr size_t MaxEntries = 4096;

static bool isSame(const Launch &A, const Launch &B) {
  return A.Mangled == B.Mangled && A.At == B.At && A.Block == B.Block &&
         A.Grid == B.Grid && A.BlockCertain == B.BlockCertain &&
         A.GridCertain == B.GridCertain && A.BlockAxes == B.BlockAxes &&
         A.DynamicSharedBytes == B.DynamicSharedBytes &&
         A.SharedBytesCertain == B.SharedBytesCertain &&
         A.Arguments == B.Arguments;
}

static size_t hash(const Launch &L) {
  llvm::hash_code Result = llvm::hash_combine(L.Mangled, L.At.File, L.At.Line);
  for (const std::optional<Dim3> &Shape : {L.Block, L.Grid})
    for (uint32_t Length : Shape.value_or(Dim3{0, 0, 0}))
      Result = llvm::hash_combine(Result, Length);
  for (const Argument &A : L.Arguments)
    Result = llvm::hash_combine(Result, A.Integer.value_or(0));
  return Result;
}

/// What both ways to the same launch have in common.
static void keepCommon(std::vector<Choice> &Choices,
                       const std::vector<Choice> &Others) {
  std::erase_if(
      Choices, [&](const Choice &C) { return !std::ranges::count(Others, C); });
}

void LaunchList::add(SeenLaunch Seen) {
  size_t Hash = hash(Seen.Facts);
  auto [First, Last] = ByHash.equal_range(Hash);
  for (auto It = First; It != Last; ++It) {
    Entry &E = Entries[It->second];
    if (!isSame(E.Facts, Seen.Facts))
      continue;
    ++E.Facts.Count;
    E.IsLikely |= Seen.IsLikely;
    if (E.IsVague == Seen.IsVague)
      keepCommon(E.Choices, Seen.Choices);
    else if (E.IsVague)
      E.Choices = std::move(Seen.Choices);
    E.IsVague &= Seen.IsVague;
    return;
  }
  Entry E{std::move(Seen), Entries.size()};
  if (Entries.size() >= MaxEntries)
    return leaveOut(std::move(E));
  ByHash.insert({Hash, Entries.size()});
  Entries.push_back(std::move(E));
}

template <typename T>
static void keepEqual(std::optional<T> &A, const std::optional<T> &B) {
  if (A != B)
    A.reset();
}

static Argument whatIsCommon(const Argument &A, const Argument &B) {
  Argument Result = A;
  keepEqual(Result.Integer, B.Integer);
  keepEqual(Result.Real, B.Real);
  keepEqual(Result.PointerOffset, B.PointerOffset);
  keepEqual(Result.TableBytes, B.TableBytes);
  keepEqual(Result.AllocationBytes, B.AllocationBytes);
  if (Result.Holds != B.Holds)
    Result.Holds.reset();
  Result.IsScratch &= B.IsScratch;
  Result.IsShared |= B.IsShared;
  Result.IsElsewhere |= B.IsElsewhere;
  Result.NotNull &= B.NotNull;
  Result.Certain &= B.Certain;
  std::erase_if(Result.Members, [&](const Argument::Member &M) {
    return !std::ranges::count(B.Members, M);
  });
  return Result;
}

void LaunchList::leaveOut(Entry E) {
  auto [It, IsNew] = Rest.try_emplace(E.Facts.Mangled, E);
  if (IsNew)
    return;
  Launch &Common = It->second.Facts;
  const Launch &More = E.Facts;
  keepEqual(Common.Block, More.Block);
  keepEqual(Common.Grid, More.Grid);
  keepEqual(Common.DynamicSharedBytes, More.DynamicSharedBytes);
  Common.BlockAxes = commonAxes(Common.BlockAxes, More.BlockAxes);
  Common.BlockMost = commonAxes(Common.BlockMost, More.BlockMost);
  Common.GridMost = commonAxes(Common.GridMost, More.GridMost);
  Common.GridFrom = commonFormulas(Common.GridFrom, More.GridFrom);
  if (Common.NoMultipleOf != More.NoMultipleOf)
    Common.NoMultipleOf = 0;
  Common.BlockCertain &= More.BlockCertain;
  Common.GridCertain &= More.GridCertain;
  Common.SharedBytesCertain &= More.SharedBytesCertain;
  Common.Count += More.Count;
  for (size_t I = 0; I < Common.Arguments.size(); ++I)
    Common.Arguments[I] = whatIsCommon(
        Common.Arguments[I],
        I < More.Arguments.size() ? More.Arguments[I] : Argument());
  keepCommon(It->second.Choices, E.Choices);
}

template <typename T>
static bool covers(const std::optional<T> &More, const std::optional<T> &Less) {
  return !Less || More == Less;
}

/// Whether \p More says everything that \p Less says.
static bool covers(const Launch &More, const Launch &Less) {
  if (!covers(More.Block, Less.Block) || !covers(More.Grid, Less.Grid) ||
      !covers(More.DynamicSharedBytes, Less.DynamicSharedBytes) ||
      More.Arguments.size() != Less.Arguments.size())
    return false;
  for (size_t Axis = 0; Axis != More.GridFrom.size(); ++Axis)
    if (!More.Grid && !covers(More.GridFrom[Axis], Less.GridFrom[Axis]))
      return false;
  for (size_t I = 0; I < More.Arguments.size(); ++I) {
    const Argument &A = More.Arguments[I], &B = Less.Arguments[I];
    if (!covers(A.Integer, B.Integer) || !covers(A.Real, B.Real) ||
        !covers(A.PointerOffset, B.PointerOffset) ||
        !covers(A.TableBytes, B.TableBytes) ||
        !covers(A.AllocationBytes, B.AllocationBytes) ||
        A.IsScratch < B.IsScratch || A.IsShared < B.IsShared ||
        A.IsElsewhere < B.IsElsewhere || A.NotNull < B.NotNull ||
        (B.Holds && A.Holds != B.Holds) ||
        !std::ranges::includes(A.Members, B.Members))
      return false;
  }
  return true;
}

/// Whether \p Known, in doubt or not, is as good as \p Other: a default also
/// stands for what is not known.
template <typename T>
static bool standsFor(const std::optional<T> &Known, bool IsCertain,
                      const std::optional<T> &Other, bool OtherIsCertain) {
  if (!Known)
    return !Other;
  return IsCertain ? Known == Other && OtherIsCertain
                   : !Other || Known == Other;
}

static bool standsFor(const Argument &A, const Argument &B) {
  if (A.Certain && std::ranges::all_of(A.Members, &Argument::Member::Certain))
    return A == B;
  return covers(A.Integer, B.Integer) && covers(A.Real, B.Real) &&
         covers(A.PointerOffset, B.PointerOffset) &&
         covers(A.TableBytes, B.TableBytes) &&
         covers(A.AllocationBytes, B.AllocationBytes) &&
         A.IsScratch >= B.IsScratch && A.IsShared >= B.IsShared &&
         A.IsElsewhere >= B.IsElsewhere && A.NotNull >= B.NotNull &&
         std::ranges::includes(A.Members, B.Members);
}

static bool standsFor(const Launch &A, const Launch &B) {
  return standsFor(A.Block, A.BlockCertain, B.Block, B.BlockCertain) &&
         standsFor(A.Grid, A.GridCertain, B.Grid, B.GridCertain) &&
         standsFor(A.DynamicSharedBytes, A.SharedBytesCertain,
                   B.DynamicSharedBytes, B.SharedBytesCertain) &&
         std::ranges::equal(A.Arguments, B.Arguments,
                            [](const Argument &L, const Argument &R) {
                              return standsFor(L, R);
                            });
}

/// Whether \p A makes \p B superfluous.
static bool replaces(const SeenLaunch &A, const SeenLaunch &B) {
  if (B.IsVague || (A.Case && std::ranges::count(B.Choices, *A.Case)))
    return covers(A.Facts, B.Facts);
  return !A.IsVague && standsFor(A.Facts, B.Facts);
}

void LaunchList::removeCovered() {
  std::map<std::pair<std::string, Place>, std::vector<size_t>> Places;
  for (size_t I = 0; I < Entries.size(); ++I)
    Places[{Entries[I].Facts.Mangled, Entries[I].Facts.At}].push_back(I);
  std::vector<bool> Drop(Entries.size());
  for (auto &[Place, Members] : Places) {
    bool AnyShape = std::ranges::any_of(Members, [&](size_t I) {
      return !Entries[I].IsVague && Entries[I].IsLikely &&
             Entries[I].Facts.Block;
    });
    for (size_t I : Members) {
      const Entry &E = Entries[I];
      for (size_t J : Members) {
        if (I == J || Drop[J] || Drop[I])
          continue;
        Entry &Other = Entries[J];
        // Of two that replace each other, the likely one stays.
        const bool Better = !replaces(E, Other) ||
                            Other.IsLikely > E.IsLikely ||
                            (Other.IsLikely == E.IsLikely && J < I);
        if (!replaces(Other, E) || !Better)
          continue;
        Drop[I] = true;
        Other.Facts.Count += E.Facts.Count;
        if (Other.IsVague && !E.IsVague)
          Other.Choices = E.Choices;
        else if (!E.IsVague)
          keepCommon(Other.Choices, E.Choices);
        Other.IsVague &= E.IsVague;
      }
      Drop[I] = Drop[I] || (AnyShape && E.IsVague && !E.Facts.Block);
    }
  }
  std::vector<Entry> Kept;
  for (size_t I = 0; I < Entries.size(); ++I)
    if (!Drop[I])
      Kept.push_back(std::move(Entries[I]));
  Entries = std::move(Kept);
}

void LaunchList::thinOut(unsigned MaxPerKernel, bool Together) {
  std::map<std::string, std::vector<size_t>> Kernels;
  for (size_t I = 0; I < Entries.size(); ++I)
    Kernels[Entries[I].Facts.Mangled].push_back(I);
  std::vector<bool> Keep(Entries.size());
  for (auto &[Name, Members] : Kernels) {
    const bool TooMany = Members.size() > MaxPerKernel || Rest.contains(Name);
    size_t Count = std::min<size_t>(Members.size(), MaxPerKernel);
    if (TooMany && Together && Count > 1)
      --Count; // leaves room for the others together
    // Every block shape first: that is what costs depend on most.
    std::map<std::optional<Dim3>, bool> Shapes;
    size_t Taken = 0;
    for (size_t I : Members)
      if (Taken < Count && Entries[I].Facts.Block &&
          Shapes.try_emplace(Entries[I].Facts.Block, true).second) {
        Keep[I] = true;
        ++Taken;
      }
    // Then evenly over the sequence, its last one included.
    for (size_t K = 0; K < Count && Taken < Count; ++K) {
      size_t I =
          Members[Count == 1 ? 0 : K * (Members.size() - 1) / (Count - 1)];
      Taken += !Keep[I];
      Keep[I] = true;
    }
  }
  std::vector<Entry> Kept;
  for (size_t I = 0; I < Entries.size(); ++I)
    if (Keep[I])
      Kept.push_back(std::move(Entries[I]));
    else
      leaveOut(std::move(Entries[I]));
  Entries = std::move(Kept);
}

/// The choices that tell \p E from another launch of its kernel.
static std::vector<const Choice *>
findTelling(const std::vector<Choice> &Choices,
            const std::vector<const std::vector<Choice> *> &All) {
  std::vector<const Choice *> Result;
  for (const Choice &C : Choices)
    if (!std::ranges::all_of(All, [&](const std::vector<Choice> *Others) {
          return std::ranges::count(*Others, C) > 0;
        }))
      Result.push_back(&C);
  return Result;
}

static std::string describe(const std::vector<const Choice *> &Telling,
                            bool InFull) {
  std::vector<std::string> Texts;
  bool IsOtherwise = false;
  for (const Choice *C : Telling) {
    if (C->Text.empty()) // nothing that the launch's code has a name for
      continue;
    // What has held and has not says nothing: it has changed meanwhile.
    if (std::ranges::any_of(Telling, [C](const Choice *Other) {
          return Other->Text == C->Opposite;
        }))
      continue;
    IsOtherwise = true;
    if ((InFull || !C->IsOtherwise) && !std::ranges::count(Texts, C->Text))
      Texts.push_back(C->Text);
  }
  if (Texts.empty() && IsOtherwise)
    return std::string(Otherwise);
  return fmt::format("{}", fmt::join(Texts, " and "));
}

void LaunchList::name() {
  std::map<std::string, std::vector<Entry *>> Kernels;
  for (Entry &E : Entries)
    Kernels[E.Facts.Mangled].push_back(&E);
  for (auto &[Kernel, Members] : Kernels) {
    std::vector<const std::vector<Choice> *> All;
    for (const Entry *E : Members)
      All.push_back(&E->Choices);
    std::map<std::string, unsigned> Uses;
    for (Entry *E : Members) {
      const auto Telling = findTelling(E->Choices, All);
      E->Facts.When = describe(Telling, false);
      E->Facts.IsSpecial = std::ranges::any_of(
          Telling, [](const Choice *C) { return C->IsSpecial; });
      ++Uses[E->Facts.When];
    }
    // A second one of a name takes in what does not hold.
    for (Entry *E : Members)
      if (Uses[E->Facts.When] > 1 && !E->Facts.When.empty()) {
        const auto Telling = findTelling(E->Choices, All);
        const bool OneCondition = std::ranges::all_of(
            Telling, [](const Choice *C) { return C->IsOtherwise; });
        if (!OneCondition || Telling.size() > 1)
          E->Facts.When = describe(Telling, true);
      }
  }
}

std::vector<Launch> LaunchList::take(unsigned MaxPerKernel, bool Together,
                                     std::vector<std::string> &Notes) {
  removeCovered();
  std::map<std::string, size_t> Different;
  for (const Entry &E : Entries)
    ++Different[E.Facts.Mangled];
  thinOut(MaxPerKernel, Together);
  if (Together)
    for (auto &[Kernel, Others] : Rest) {
      Notes.push_back(fmt::format(
          "kernel '{}' has {} launches that differ; {} of them are told apart, "
          "the others are judged by what they have in common",
          llvm::demangle(Kernel), Different[Kernel],
          std::ranges::count_if(Entries, [&](const Entry &E) {
            return E.Facts.Mangled == Kernel;
          })));
      if (std::ranges::none_of(Entries, [&](const Entry &E) {
            return isSame(E.Facts, Others.Facts);
          }))
        Entries.push_back(std::move(Others));
    }
  name();
  std::ranges::sort(Entries, {}, [](const Entry &E) {
    return std::tuple(E.Order, E.Facts.IsSpecial, E.Sequence);
  });
  std::vector<Launch> Result;
  for (Entry &E : Entries)
    Result.push_back(std::move(E.Facts));
  Entries.clear();
  ByHash.clear();
  Rest.clear();
  return Result;
}

} // namespace warpwise::launch

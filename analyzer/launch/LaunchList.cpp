//===- LaunchList.cpp - Merges and thins out launches ---------------------===//
//
// Two entries are the same launch when all that is known of them is equal. One
// that only says less than another of the same place is dropped: it comes from
// a path that was walked without knowing its values.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchList.h"

#include <algorithm>
#include <map>

namespace warpwise::launch {

/// A loop over files or frames can go on for long; more than this many
/// different launches of one walk are not told apart.
constexpr size_t MaxEntries = 4096;

static bool isSame(const Launch &A, const Launch &B) {
  return A.Mangled == B.Mangled && A.At == B.At && A.Block == B.Block &&
         A.Grid == B.Grid && A.BlockCertain == B.BlockCertain &&
         A.GridCertain == B.GridCertain &&
         A.DynamicSharedBytes == B.DynamicSharedBytes &&
         A.Arguments == B.Arguments;
}

static size_t hash(const Launch &L) {
  size_t Result = std::hash<std::string>()(L.Mangled + L.At);
  auto Add = [&](uint64_t V) { Result = Result * 1000003 + V; };
  for (const std::optional<Dim3> &Shape : {L.Block, L.Grid})
    for (uint32_t Length : Shape.value_or(Dim3{0, 0, 0}))
      Add(Length);
  for (const Argument &A : L.Arguments)
    Add(static_cast<uint64_t>(A.Integer.value_or(0)));
  return Result;
}

void LaunchList::add(Launch Seen, unsigned Order, bool Likely) {
  size_t Hash = hash(Seen);
  auto [First, Last] = ByHash.equal_range(Hash);
  for (auto It = First; It != Last; ++It) {
    Entry &E = Entries[It->second];
    if (!isSame(E.Facts, Seen))
      continue;
    ++E.Facts.Count;
    E.Likely |= Likely;
    return;
  }
  if (Entries.size() >= MaxEntries)
    return;
  ByHash.insert({Hash, Entries.size()});
  Entries.push_back({std::move(Seen), Order, Entries.size(), Likely});
}

template <typename T>
static bool covers(const std::optional<T> &More, const std::optional<T> &Less) {
  return !Less || More == Less;
}

/// Whether \p More says everything that \p Less says.
static bool covers(const Launch &More, const Launch &Less) {
  if (More.Mangled != Less.Mangled || More.At != Less.At ||
      !covers(More.Block, Less.Block) || !covers(More.Grid, Less.Grid) ||
      !covers(More.DynamicSharedBytes, Less.DynamicSharedBytes) ||
      More.Arguments.size() != Less.Arguments.size())
    return false;
  for (size_t I = 0; I < More.Arguments.size(); ++I) {
    const Argument &A = More.Arguments[I], &B = Less.Arguments[I];
    if (!covers(A.Integer, B.Integer) || !covers(A.Real, B.Real) ||
        !covers(A.PointerOffset, B.PointerOffset) ||
        !std::ranges::includes(A.Members, B.Members))
      return false;
  }
  return true;
}

void LaunchList::removeCovered() {
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> Places;
  for (size_t I = 0; I < Entries.size(); ++I)
    Places[{Entries[I].Facts.Mangled, Entries[I].Facts.At}].push_back(I);
  std::vector<bool> Drop(Entries.size());
  for (auto &[Place, Members] : Places) {
    bool AnyLikely = std::ranges::any_of(Members, [&](size_t I) {
      return Entries[I].Likely && Entries[I].Facts.Block;
    });
    for (size_t I : Members) {
      const Entry &E = Entries[I];
      Drop[I] = AnyLikely && !E.Likely && !E.Facts.Block;
      for (size_t J : Members) {
        if (I == J || Drop[J] || Drop[I])
          continue;
        const Entry &Other = Entries[J];
        // Equal ones, certain and not, cover each other: keep the likely one.
        bool Better = !covers(E.Facts, Other.Facts) ||
                      Other.Likely > E.Likely ||
                      (Other.Likely == E.Likely && J < I);
        if (covers(Other.Facts, E.Facts) && Better) {
          Drop[I] = true;
          Entries[J].Facts.Count += E.Facts.Count;
        }
      }
    }
  }
  std::vector<Entry> Kept;
  for (size_t I = 0; I < Entries.size(); ++I)
    if (!Drop[I])
      Kept.push_back(std::move(Entries[I]));
  Entries = std::move(Kept);
}

void LaunchList::thinOut(unsigned MaxPerKernel) {
  std::map<std::string, std::vector<size_t>> Kernels;
  for (size_t I = 0; I < Entries.size(); ++I)
    Kernels[Entries[I].Facts.Mangled].push_back(I);
  std::vector<bool> Keep(Entries.size());
  for (auto &[Name, Members] : Kernels) {
    size_t Count = std::min<size_t>(Members.size(), MaxPerKernel);
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
  Entries = std::move(Kept);
}

std::vector<Launch> LaunchList::take(unsigned MaxPerKernel) {
  removeCovered();
  thinOut(MaxPerKernel);
  std::ranges::sort(Entries, {}, [](const Entry &E) {
    return std::pair(E.Order, E.Sequence);
  });
  std::vector<Launch> Result;
  for (Entry &E : Entries)
    Result.push_back(std::move(E.Facts));
  Entries.clear();
  ByHash.clear();
  return Result;
}

} // namespace warpwise::launch

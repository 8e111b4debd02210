//===- Path.cpp - The way through the host code ---------------------------===//

#include "analyzer/launch/Path.h"

#include <algorithm>

namespace warpwise::launch {

Path commonPath(Path A, Path B) {
  const auto depthOf = [](const Path &P) { return P ? P->Depth : 0; };
  while (A != B) {
    const bool MovesA = depthOf(A) >= depthOf(B);
    const bool MovesB = depthOf(B) >= depthOf(A);
    if (MovesA)
      A = A->Earlier;
    if (MovesB)
      B = B->Earlier;
  }
  return A;
}

void Forks::start(const Decisions *NowChosen) {
  Chosen = NowChosen;
  Reached.clear();
  Numbered.clear();
  Kept = 0;
}

std::optional<unsigned> Forks::reach(ForkKey Key, unsigned Sides) {
  if (Key == 0)
    return std::nullopt;
  Reached.try_emplace(Key, Point{Key, Sides, unsigned(Reached.size())});
  if (!Chosen)
    return std::nullopt;
  const auto Found = Chosen->find(Key);
  return Found == Chosen->end() ? std::nullopt : std::optional(Found->second);
}

/// No bit when there are more conditions than bits, or when the turn stands for
/// several executions: such a walk cannot be decided.
ForkSet Forks::number(const Turn &T) {
  if (T.Key == 0 || (Chosen && Chosen->contains(T.Key)))
    return 0;
  const auto Found = std::ranges::find(Numbered, T.Key);
  const auto Bit = size_t(Found - Numbered.begin());
  if (Bit >= 64)
    return 0;
  if (Found == Numbered.end())
    Numbered.push_back(T.Key);
  return ForkSet(1) << Bit;
}

ForkSet Forks::partedBy(Path A, Path B) {
  Numbered.resize(Kept);
  const Path Common = commonPath(A, B);
  ForkSet Result = 0;
  for (const Path &Last : {A, B})
    for (const Turn *T = Last.get(); T != Common.get(); T = T->Earlier.get())
      Result |= number(*T);
  return Result;
}

const Forks::Point *Forks::first(ForkSet Set) const {
  const Point *Result = nullptr;
  for (size_t Bit = 0; Bit != Numbered.size(); ++Bit) {
    const auto Found = Reached.find(Numbered[Bit]);
    if (Set >> Bit & 1 && Found != Reached.end() &&
        (!Result || Found->second.Order < Result->Order))
      Result = &Found->second;
  }
  return Result;
}

} // namespace warpwise::launch

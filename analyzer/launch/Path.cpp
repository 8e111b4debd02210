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
  InOrder.clear();
  Numbers.clear();
}

std::optional<unsigned> Forks::reach(ForkKey Key, unsigned Sides) {
  if (Key == 0)
    return std::nullopt;
  if (Numbers.try_emplace(Key, ForkNumber(InOrder.size() + 1)).second)
    InOrder.push_back({Key, Sides});
  if (!Chosen)
    return std::nullopt;
  const auto Found = Chosen->find(Key);
  return Found == Chosen->end() ? std::nullopt : std::optional(Found->second);
}

ForkNumber Forks::partedBy(const Path &A, const Path &B) const {
  const Path Common = commonPath(A, B);
  ForkNumber Result = 0;
  for (const Path &Last : {A, B})
    for (const Turn *T = Last.get(); T != Common.get(); T = T->Earlier.get())
      // Of several executions, which one is not known: none can be decided.
      if (T->Key != 0 && !(Chosen && Chosen->contains(T->Key)))
        if (const auto Found = Numbers.find(T->Key); Found != Numbers.end())
          Result = std::max(Result, Found->second);
  return Result;
}

} // namespace warpwise::launch

//===- Contexts.cpp - When a lane that may run does run -------------------===//

#include "analyzer/evaluate/proof/Contexts.h"

#include <bit>

namespace warpwise::access::proof {

Context Contexts::child(Context Parent, uint32_t Until, bool Own,
                        std::optional<Way> OfBlock) {
  Nodes.push_back({Parent, Until, Own || Nodes[Parent].Own, OfBlock,
                   Nodes[Parent].Depth + 1});
  return Context(Nodes.size() - 1);
}

std::optional<Ways> Contexts::waysOfBlock(Context C) const {
  Ways Taken;
  for (; C != Certain; C = Nodes[C].Parent) {
    if (!Nodes[C].OfBlock)
      return std::nullopt;
    Taken.push_back(*Nodes[C].OfBlock);
  }
  return Taken;
}

Context Contexts::commonOf(Context A, Context B) const {
  while (A != B)
    if (Nodes[A].Depth >= Nodes[B].Depth)
      A = Nodes[A].Parent;
    else
      B = Nodes[B].Parent;
  return A;
}

Context Contexts::below(Context C, Context Above) const {
  while (Nodes[C].Parent != Above)
    C = Nodes[C].Parent;
  return C;
}

Context Contexts::merge(Context A, Context B) {
  const Context Common = commonOf(A, B);
  // Who arrives whenever Common holds needs no second way.
  if (Common == A || Common == B)
    return Common;
  auto [Known, New] = Merged.try_emplace({A, B}, 0);
  if (New) {
    const bool Own = Nodes[A].Own || Nodes[B].Own;
    const uint32_t Until = Nodes[below(A, Common)].Until;
    Known->second = child(Common, Until, Own);
  }
  return Known->second;
}

Context Contexts::leave(Context C, uint32_t Block) const {
  // The outermost branch that ends here takes all inside it along.
  Context Left = C;
  for (Context At = C; At != Certain; At = Nodes[At].Parent)
    if (Nodes[At].Until == Block)
      Left = Nodes[At].Parent;
  return Left;
}

uint32_t Contexts::sureLanes(const std::array<Context, 32> &Of, uint32_t Active,
                             Context &Common) const {
  Common = Of[std::countr_zero(Active)];
  bool IsOne = true;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    IsOne &= Of[std::countr_zero(Left)] == Common;
  if (IsOne)
    return Nodes[Common].Own ? 0 : Active;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    Common = commonOf(Common, Of[std::countr_zero(Left)]);
  if (Nodes[Common].Own)
    return 0;
  uint32_t Sure = 0;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    Sure |= uint32_t(Of[L] == Common) << L;
  }
  return Sure;
}

} // namespace warpwise::access::proof

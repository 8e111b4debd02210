//===- Dispatcher.cpp - When SMs with room get their next blocks ----------===//

#include "analyzer/reuse/Dispatcher.h"

#include <cassert>

using namespace warpwise::reuse;

/// Takes in all ends up to \p When.
void Dispatcher::queueUntil(double When) {
  while (!Ends.empty() && Ends.top().When <= When) {
    const unsigned Sm = Ends.top().Sm;
    if (Room[Sm]++ == 0)
      Queue.push_back(Sm);
    Ends.pop();
  }
}

std::optional<Dispatcher::Turn> Dispatcher::next() {
  queueUntil(FreeAt);
  if (Queue.empty()) {
    if (Ends.empty())
      return std::nullopt;
    FreeAt = Ends.top().When;
    queueUntil(FreeAt);
  }
  assert(!Queue.empty() && Room[Queue.front()] != 0);
  const Turn Result = {Queue.front(), Cycle(FreeAt)};
  Queue.pop_front();
  if (--Room[Result.Sm] != 0)
    Queue.push_back(Result.Sm);
  FreeAt += GapCycles;
  return Result;
}

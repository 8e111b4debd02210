//===- Fiber.cpp - A stack of its own for each thread ---------------------===//

#include "analyzer/fiber/Fiber.h"

#include <cstdint>

#ifdef WARPWISE_OWN_SWITCH

#include "analyzer/fiber/StackSwitch.h"

namespace warpwise {

void Fiber::prepare(char *Stack, size_t Bytes, void (*Entry)()) {
  constexpr size_t SavedRegisters = 6, StackAlignment = 16;
  const auto End = reinterpret_cast<uintptr_t>(Stack + Bytes) / StackAlignment *
                   StackAlignment;
  // A function begins with its return address, here none, at such an end.
  auto *Top = reinterpret_cast<void **>(End - StackAlignment);
  Top[1] = nullptr;
  Top[0] = reinterpret_cast<void *>(Entry);
  for (size_t N = 1; N <= SavedRegisters; ++N)
    Top[-ptrdiff_t(N)] = nullptr;
  StackPointer = Top - SavedRegisters;
}

void Fiber::change(Fiber &From, Fiber &To) {
  warpwise_switch_stack(&From.StackPointer, To.StackPointer);
}

} // namespace warpwise

#else

namespace warpwise {

void Fiber::prepare(char *Stack, size_t Bytes, void (*Entry)()) {
  getcontext(&Saved);
  Saved.uc_stack.ss_sp = Stack;
  Saved.uc_stack.ss_size = Bytes;
  Saved.uc_link = nullptr;
  makecontext(&Saved, Entry, 0);
}

void Fiber::change(Fiber &From, Fiber &To) {
  swapcontext(&From.Saved, &To.Saved);
}

} // namespace warpwise

#endif

//===- HostCalls.cpp - What compiled kernels call -------------------------===//

#include "analyzer/execution/HostCalls.h"

#include "analyzer/execution/BlockRunner.h"
#include "analyzer/fiber/StackSwitch.h"

namespace warpwise::execution {

static BlockRunner *Current = nullptr;

void setCurrent(BlockRunner *Runner) { Current = Runner; }
BlockRunner &current() { return *Current; }

namespace {

void *access(uint32_t Position, void *Pointer) {
  return Current->access(Position, Pointer);
}

void *keepInside(char *Pointer, char *Object, uint64_t Size, uint64_t Bytes) {
  return Current->keepInside(Pointer, Object, Size, Bytes);
}

void *frame() { return Current->frame(); }

void copy(void *To, const void *From, uint64_t Bytes) {
  Current->copy(To, From, Bytes);
}

void fill(void *To, int Byte, uint64_t Bytes) {
  Current->fill(To, Byte, Bytes);
}

void enterLoop(uint32_t Number) { Current->enterLoop(Number); }

void nextIteration(uint32_t Number) { Current->nextIteration(Number); }

uint32_t registerValue(uint32_t Which) {
  return Current->registerValue(Register(Which));
}

uint32_t blockBarrier(uint32_t Position, uint32_t Kind, uint32_t Value) {
  return Current->waitForBlock(Position, BarrierKind(Kind), Value);
}

void warpBarrier(uint32_t Position) {
  Current->noteBarrier(Position);
  Current->exchange(Position, Exchange::ActiveMask, 0, 0, 0);
}

uint64_t exchange(uint32_t Position, uint32_t What, uint64_t Value,
                  uint32_t Lane, uint32_t Clamp) {
  return Current->exchange(Position, Exchange(What), Value, Lane, Clamp);
}

void leave() { Current->leave(); }

uint32_t spaceOf(const void *Pointer) { return Current->spaceOf(Pointer); }

void *shared(uint32_t Short) { return Current->sharedAt(Short); }

template <typename Function> void *addressOf(Function *F) {
  return reinterpret_cast<void *>(F);
}

} // namespace

std::span<const HostCall> hostCalls() {
  static const HostCall Calls[] = {
      {"warpwise.access", addressOf(access)},
      {"warpwise.private", addressOf(keepInside)},
      {"warpwise.frame", addressOf(frame)},
      {"warpwise.copy", addressOf(copy)},
      {"warpwise.fill", addressOf(fill)},
      {"warpwise.enter_loop", addressOf(enterLoop)},
      {"warpwise.next_iteration", addressOf(nextIteration)},
      {"warpwise.register", addressOf(registerValue)},
      {"warpwise.block_barrier", addressOf(blockBarrier)},
      {"warpwise.warp_barrier", addressOf(warpBarrier)},
      {"warpwise.exchange", addressOf(exchange)},
      {"warpwise.leave", addressOf(leave)},
      {"warpwise.space_of", addressOf(spaceOf)},
      {"warpwise.shared", addressOf(shared)},
      {"warpwise.switch_stack", addressOf(warpwise_switch_stack)},
  };
  return Calls;
}

} // namespace warpwise::execution

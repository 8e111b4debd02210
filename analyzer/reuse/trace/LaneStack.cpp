//===- LaneStack.cpp - Threads that stop half-way -------------------------===//

#include "analyzer/reuse/trace/LaneStack.h"

#include "analyzer/fiber/StackSwitch.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstring>
#include <sys/mman.h>

// A new stack begins here, with the function and its argument in registers that
// a call preserves.
extern "C" void warpwise_lane_entry();

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl warpwise_lane_entry
.hidden warpwise_lane_entry
.type warpwise_lane_entry, @function
warpwise_lane_entry:
  movq %r12, %rdi
  callq *%rbx
  ud2
.size warpwise_lane_entry, .-warpwise_lane_entry
)");
#else
asm(R"(
.text
.p2align 4
.globl warpwise_lane_entry
.hidden warpwise_lane_entry
.type warpwise_lane_entry, %function
warpwise_lane_entry:
  mov x0, x20
  blr x19
  brk #1
.size warpwise_lane_entry, .-warpwise_lane_entry
)");
#endif

namespace warpwise::reuse {
namespace {

/// For spilled registers and the few functions of mathematics that are called.
constexpr size_t RoomBytes = 256 << 10;
constexpr size_t PageBytes = 4096;

/// The words that warpwise_switch_stack() takes from a stack, lowest first.
#if defined(__x86_64__)
constexpr size_t FirstWords = 7;
enum FirstWord { Argument = 3, Function = 4, Return = 6 };
#else
constexpr size_t FirstWords = 20;
enum FirstWord { Function = 0, Argument = 1, Return = 11 };
#endif

} // namespace

LaneStack::LaneStack(const LaneCode &Code, uint64_t FrameBytes)
    : Code(Code), Bytes((FrameBytes + RoomBytes) / PageBytes * PageBytes) {
  // The first page stays closed: what runs over the stack ends there.
  void *Mapping = mmap(nullptr, PageBytes + Bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Mapping == MAP_FAILED || mprotect(Mapping, PageBytes, PROT_NONE) != 0)
    llvm::report_bad_alloc_error("no memory for a stack");
  Begin = static_cast<char *>(Mapping);
}

LaneStack::~LaneStack() { munmap(Begin, PageBytes + Bytes); }

// Runs on the stack of lanes, of which AddressSanitizer knows nothing.
__attribute__((no_sanitize("address"))) void LaneStack::enter(LaneStack *Self) {
  Self->Code.Run(Self->Arguments);
  Self->Ended = true;
  ThreadContext &C = *Self->Code.Context;
  warpwise_switch_stack(&C.LaneStack, C.HostStack);
}

LaneStack::Outcome LaneStack::run(void **Given, LaneFrame &Frame) {
  char *End = Begin + PageBytes + Bytes;
  ThreadContext &C = *Code.Context;
  const bool IsNew = Frame.empty();
  if (IsNew) {
    void *Words[FirstWords] = {};
    Words[Function] = reinterpret_cast<void *>(&LaneStack::enter);
    Words[Argument] = this;
    Words[Return] = reinterpret_cast<void *>(&warpwise_lane_entry);
    Frame.resize(sizeof Words);
    std::memcpy(Frame.data(), Words, sizeof Words);
  }
  std::memcpy(End - Frame.size(), Frame.data(), Frame.size());
  Arguments = Given;
  Ended = false;
  C.HasStackOfItsOwn = 1;
  warpwise_switch_stack(&C.HostStack, End - Frame.size());
  C.HasStackOfItsOwn = 0;
  if (Ended)
    return Outcome::Ended;
  const char *Low = static_cast<const char *>(C.LaneStack);
  const auto Size = size_t(End - Low);
  if (!IsNew && Size == Frame.size() &&
      std::memcmp(Low, Frame.data(), Size) == 0)
    return Outcome::Repeats;
  Frame.assign(Low, static_cast<const char *>(End));
  return Outcome::Stopped;
}

} // namespace warpwise::reuse

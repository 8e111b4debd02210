//===- LaneStack.cpp - Threads that stop half-way -------------------------===//

#include "analyzer/reuse/trace/LaneStack.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstring>
#include <sys/mman.h>

// Pushes the registers that a call preserves, stores the stack's end to *Save
// and goes on where To was stored. A new stack begins in warpwise_lane_entry,
// with the function and its argument in such registers.
extern "C" void warpwise_switch_stack(void **Save, void *To);
extern "C" void warpwise_lane_entry();

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl warpwise_switch_stack
.hidden warpwise_switch_stack
.type warpwise_switch_stack, @function
warpwise_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size warpwise_switch_stack, .-warpwise_switch_stack
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
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl warpwise_switch_stack
.hidden warpwise_switch_stack
.type warpwise_switch_stack, %function
warpwise_switch_stack:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size warpwise_switch_stack, .-warpwise_switch_stack
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
#else
#error "switching stacks is written for x86-64 and AArch64"
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
  C.Switch = warpwise_switch_stack;
  warpwise_switch_stack(&C.HostStack, End - Frame.size());
  C.Switch = nullptr;
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

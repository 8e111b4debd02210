//===- Fiber.h - A stack of its own for each thread -------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_FIBER_FIBER_H
#define WARPWISE_ANALYZER_FIBER_FIBER_H

#include <cstddef>

// Under AddressSanitizer the C library's switch is used, which tells it about
// stacks that are left for good.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPWISE_SANITIZED 1
#endif
#endif
#if defined(__x86_64__) && !defined(WARPWISE_SANITIZED) &&                     \
    !defined(__SANITIZE_ADDRESS__)
#define WARPWISE_OWN_SWITCH 1
#else
#include <ucontext.h>
#endif

namespace warpwise {

/// Where a thread of control stands. Switching with the C library costs two
/// system calls, which takes longer than what most threads do in between.
class Fiber {
public:
  /// The next switch to this one calls \p Entry, which must not return, on the
  /// \p Bytes at \p Stack.
  void prepare(char *Stack, size_t Bytes, void (*Entry)());
  /// Goes on where \p To stands; returns when somebody switches to \p From.
  static void change(Fiber &From, Fiber &To);

private:
#ifdef WARPWISE_OWN_SWITCH
  void *StackPointer = nullptr;
#else
  ucontext_t Saved{};
#endif
};

} // namespace warpwise

#endif // WARPWISE_ANALYZER_FIBER_FIBER_H

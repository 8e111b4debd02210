//===- StackSwitch.h - From one stack to another ----------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_FIBER_STACKSWITCH_H
#define WARPWISE_ANALYZER_FIBER_STACKSWITCH_H

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "switching stacks is written for x86-64 and AArch64"
#endif

/// Pushes the registers that a call preserves, stores the stack's end to *Save
/// and goes on where \p To was stored. Kernels leave rounding modes alone,
/// which Boost.Context saves as well: it would be a library for this one
/// function.
extern "C" void warpwise_switch_stack(void **Save, void *To);

#endif // WARPWISE_ANALYZER_FIBER_STACKSWITCH_H

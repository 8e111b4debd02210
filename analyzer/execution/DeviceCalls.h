//===- DeviceCalls.h - What only a GPU has ----------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EXECUTION_DEVICECALLS_H
#define WARPWISE_ANALYZER_EXECUTION_DEVICECALLS_H

#include "analyzer/execution/HostFunctions.h"
#include "analyzer/execution/LaneTrace.h"

namespace warpwise::execution {

/// True for a call that the host cannot make as it is. Everything that can be
/// inlined has been, so calls of other functions of the source are among them.
bool isDeviceCall(const llvm::CallInst &Call);

/// What the name of a call without a counterpart begins with; the callee's
/// follows.
inline constexpr llvm::StringLiteral UnknownCall = "warpwise.unknown.";

/// Replaces \p Call, for which isDeviceCall() holds, and fills in what it is at
/// \p Position. What has no counterpart yields zero or, with \p KeepUnknown,
/// stays a call.
void replaceDeviceCall(llvm::CallInst &Call, uint32_t Position, Point &What,
                       HostFunctions &Host, bool KeepUnknown);

/// The value of an intrinsic of the GPU's arithmetic; null when \p Call is
/// none.
llvm::Value *hostArithmetic(llvm::CallInst &Call, llvm::IRBuilder<> &Builder);

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_DEVICECALLS_H

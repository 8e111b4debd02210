//===- DeviceCalls.h - What only a GPU has ----------------------*- C++ -*-===//

#ifndef WARPWISE_TEST_ORACLE_DEVICECALLS_H
#define WARPWISE_TEST_ORACLE_DEVICECALLS_H

#include "HostFunctions.h"
#include "Trace.h"

namespace warpwise::oracle {

/// True for a call that the host cannot make as it is.
bool isDeviceCall(const llvm::CallInst &Call);

/// Replaces \p Call, for which isDeviceCall() holds, and fills in what it is at
/// \p Position. What has no counterpart yields zero.
void replaceDeviceCall(llvm::CallInst &Call, uint32_t Position, Point &What,
                       HostFunctions &Host);

/// The value of an intrinsic of the GPU's arithmetic; null when \p Call is
/// none.
llvm::Value *hostArithmetic(llvm::CallInst &Call, llvm::IRBuilder<> &Builder);

} // namespace warpwise::oracle

#endif // WARPWISE_TEST_ORACLE_DEVICECALLS_H

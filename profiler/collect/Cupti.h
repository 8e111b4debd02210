//===- Cupti.h - The functions of libcupti and of the driver ----*- C++ -*-===//
//
// Opened at run time. Internal to this folder; empty where the headers of the
// toolkit are older than the Range Profiler (CUDA 12.6).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_COLLECT_CUPTI_H
#define WARPWISE_PROFILER_COLLECT_CUPTI_H

#if __has_include(<cupti_range_profiler.h>) &&                                 \
    __has_include(<cupti_profiler_host.h>)
#define WARPWISE_HAS_CUPTI 1

#include "profiler/io/Expected.h"

#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

namespace warpwise::collect {

using io::Expected;
using io::Failure;

#define WARPWISE_CUPTI_FUNCTIONS(USE)                                          \
  USE(cuptiGetResultString)                                                    \
  USE(cuptiDeviceGetChipName)                                                  \
  USE(cuptiProfilerInitialize)                                                 \
  USE(cuptiProfilerDeInitialize)                                               \
  USE(cuptiProfilerGetCounterAvailability)                                     \
  USE(cuptiProfilerHostInitialize)                                             \
  USE(cuptiProfilerHostDeinitialize)                                           \
  USE(cuptiProfilerHostConfigAddMetrics)                                       \
  USE(cuptiProfilerHostGetConfigImageSize)                                     \
  USE(cuptiProfilerHostGetConfigImage)                                         \
  USE(cuptiProfilerHostGetNumOfPasses)                                         \
  USE(cuptiProfilerHostEvaluateToGpuValues)                                    \
  USE(cuptiRangeProfilerEnable)                                                \
  USE(cuptiRangeProfilerDisable)                                               \
  USE(cuptiRangeProfilerGetCounterDataSize)                                    \
  USE(cuptiRangeProfilerCounterDataImageInitialize)                            \
  USE(cuptiRangeProfilerSetConfig)                                             \
  USE(cuptiRangeProfilerStart)                                                 \
  USE(cuptiRangeProfilerStop)                                                  \
  USE(cuptiRangeProfilerPushRange)                                             \
  USE(cuptiRangeProfilerPopRange)                                              \
  USE(cuptiRangeProfilerDecodeData)

/// The functions under their own names.
struct Cupti {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a member's name takes none.
#define WARPWISE_MEMBER(Name) decltype(&::Name) Name = nullptr;
  WARPWISE_CUPTI_FUNCTIONS(WARPWISE_MEMBER)
#undef WARPWISE_MEMBER
  CUresult (*cuCtxGetCurrent)(CUcontext *) = nullptr;
  CUresult (*cuCtxGetDevice)(CUdevice *) = nullptr;

  /// \p Library as in Counters::open. The libraries stay open until the process
  /// ends, because CUPTI leaves hooks in the driver.
  static Expected<Cupti> load(const std::string &Library);
};

} // namespace warpwise::collect

#else
#define WARPWISE_HAS_CUPTI 0
#endif

#endif // WARPWISE_PROFILER_COLLECT_CUPTI_H

//===-- LaunchTimes.cpp - How long the launches of a program take ---------===//
//
// A library that the CUDA driver loads into a program when
// CUDA_INJECTION64_PATH names it. Writes a line for each launch of a kernel to
// the file that LAUNCH_TIMES names:
//
//   nanoseconds,grid,block,bytes of dynamic shared memory,mangled name
//
// by CUPTI's record of its begin and end on the device. Before the first launch
// the GPU is kept busy for 30 ms, so that its clock has risen.
//
//   g++ -O2 -shared -fPIC LaunchTimes.cpp -o liblaunchtimes.so -lcupti -lcuda
//
//===----------------------------------------------------------------------===//

#include <cuda.h>
#include <cupti.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace {

// Every lane waits until so many nanoseconds have gone by.
const char *const SpinPtx = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry spinBeforeTheFirstLaunch(.param .u64 Nanoseconds) {
  .reg .u64 %rd<5>;
  .reg .pred %p;
  ld.param.u64 %rd1, [Nanoseconds];
  mov.u64 %rd2, %globaltimer;
Again:
  mov.u64 %rd3, %globaltimer;
  sub.u64 %rd4, %rd3, %rd2;
  setp.lt.u64 %p, %rd4, %rd1;
  @%p bra Again;
  ret;
}
)";

std::FILE *Output;

void check(CUptiResult Result, const char *What) {
  if (Result == CUPTI_SUCCESS)
    return;
  const char *Text = nullptr;
  cuptiGetResultString(Result, &Text);
  std::fprintf(stderr, "LaunchTimes: %s: %s\n", What, Text ? Text : "?");
  std::_Exit(90);
}

void giveBuffer(std::uint8_t **Buffer, std::size_t *Size,
                std::size_t *Records) {
  *Size = 1 << 20;
  *Buffer = static_cast<std::uint8_t *>(std::aligned_alloc(8, *Size));
  *Records = 0;
}

void takeBuffer(CUcontext, std::uint32_t, std::uint8_t *Buffer, std::size_t,
                std::size_t Valid) {
  CUpti_Activity *Record = nullptr;
  while (cuptiActivityGetNextRecord(Buffer, Valid, &Record) == CUPTI_SUCCESS) {
    if (Record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      continue;
    const auto &Kernel =
        *reinterpret_cast<const CUpti_ActivityKernel9 *>(Record);
    std::fprintf(Output, "%llu,%dx%dx%d,%dx%dx%d,%d,%s\n",
                 static_cast<unsigned long long>(Kernel.end - Kernel.start),
                 Kernel.gridX, Kernel.gridY, Kernel.gridZ, Kernel.blockX,
                 Kernel.blockY, Kernel.blockZ, Kernel.dynamicSharedMemory,
                 Kernel.name);
  }
  std::free(Buffer);
}

void spin() {
  CUmodule Module;
  CUfunction Function;
  if (cuModuleLoadData(&Module, SpinPtx) != CUDA_SUCCESS ||
      cuModuleGetFunction(&Function, Module, "spinBeforeTheFirstLaunch") !=
          CUDA_SUCCESS) {
    std::fprintf(stderr, "LaunchTimes: the GPU could not be kept busy\n");
    std::_Exit(90);
  }
  unsigned long long Nanoseconds = 30'000'000;
  void *Arguments[] = {&Nanoseconds};
  // Not while the program records a graph: then it fails, and is named.
  if (cuLaunchKernel(Function, 1024, 1, 1, 128, 1, 1, 0, nullptr, Arguments,
                     nullptr) != CUDA_SUCCESS ||
      cuCtxSynchronize() != CUDA_SUCCESS) {
    std::fprintf(stderr, "LaunchTimes: the GPU could not be kept busy\n");
    std::_Exit(90);
  }
}

void beforeLaunch(void *, CUpti_CallbackDomain, CUpti_CallbackId,
                  const void *Data) {
  static std::atomic_flag Done = ATOMIC_FLAG_INIT;
  const auto &Call = *static_cast<const CUpti_CallbackData *>(Data);
  // The spinning kernel's own launch comes here, too.
  if (Call.callbackSite == CUPTI_API_ENTER && !Done.test_and_set())
    spin();
}

void finish() {
  cuptiActivityFlushAll(1);
  std::fflush(Output); // more may come
}

} // namespace

extern "C" int InitializeInjection() {
  const char *Path = std::getenv("LAUNCH_TIMES");
  if (!Path || !(Output = std::fopen(Path, "w"))) {
    std::fprintf(stderr, "LaunchTimes: LAUNCH_TIMES names no file\n");
    std::_Exit(90);
  }
  check(cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer), "callbacks");
  check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "kernels");
  CUpti_SubscriberHandle Subscriber;
  check(cuptiSubscribe(&Subscriber, beforeLaunch, nullptr), "subscribe");
  for (CUpti_CallbackId Launch :
       {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz})
    check(
        cuptiEnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_DRIVER_API, Launch),
        "launches");
  std::atexit(finish);
  return 1;
}

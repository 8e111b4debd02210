//===- Counters.cpp - Hardware counters, where they can be had ------------===//

#include "profiler/collect/Counters.h"
#include "profiler/collect/Cupti.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace warpwise::collect {

#if WARPWISE_HAS_CUPTI

/// A parameter block of CUPTI: zero but for its own size, which tells the
/// library the version of the header.
#define WARPWISE_PARAMS(Type, Name)                                            \
  Type Name = {};                                                              \
  (Name).structSize = Type##_STRUCT_SIZE

/// The metrics' plan is made on the host (the "host object"), the counting is
/// done by the range profiler of a context, and what it counted goes through an
/// image in memory back to the host object.
struct Counters::State {
  Cupti C;
  std::vector<const char *> Names;
  std::vector<std::string> Metrics;
  CUcontext Context = nullptr;
  bool Initialized = false;
  CUpti_Profiler_Host_Object *Host = nullptr;
  CUpti_RangeProfiler_Object *Ranges = nullptr;
  std::vector<uint8_t> Config, Image;
  size_t Passes = 0;
  std::string Reason; ///< of the first call that failed

  State(const Cupti &C, std::vector<std::string> M)
      : C(C), Metrics(std::move(M)) {
    for (const std::string &Metric : Metrics)
      Names.push_back(Metric.c_str());
  }
  State(const State &) = delete;
  ~State();

  /// Whether \p Result is good; keeps the reason when it is the first that is
  /// not.
  bool ok(const char *Call, CUptiResult Result);

  // The steps of open, in this order.
  bool initialize();
  bool describeChip(std::string &Chip, std::vector<uint8_t> &Available);
  bool planPasses();
  bool attach();

  bool clearImage();
  /// One pass; \p Last: all were made.
  bool pass(const std::function<void()> &Launch, bool &Last);
  bool evaluate(std::vector<double> &Values);
};

#define WARPWISE_CALL(Function, Params) ok(#Function, C.Function(&(Params)))

bool Counters::State::ok(const char *Call, CUptiResult Result) {
  if (Result == CUPTI_SUCCESS)
    return true;
  if (!Reason.empty())
    return false;
  if (Result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES) {
    Reason = "the driver lets only an administrator read hardware counters "
             "(ERR_NVGPUCTRPERM)";
    return false;
  }
  const char *Text = nullptr;
  if (C.cuptiGetResultString(Result, &Text) != CUPTI_SUCCESS)
    Text = "unknown error";
  Reason = fmt::format("{} failed: {}", Call, Text);
  return false;
}

Counters::State::~State() {
  if (Ranges) {
    WARPWISE_PARAMS(CUpti_RangeProfiler_Disable_Params, Disable);
    Disable.pRangeProfilerObject = Ranges;
    WARPWISE_CALL(cuptiRangeProfilerDisable, Disable);
  }
  if (Host) {
    WARPWISE_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, End);
    End.pHostObject = Host;
    WARPWISE_CALL(cuptiProfilerHostDeinitialize, End);
  }
  if (Initialized) {
    WARPWISE_PARAMS(CUpti_Profiler_DeInitialize_Params, End);
    WARPWISE_CALL(cuptiProfilerDeInitialize, End);
  }
}

bool Counters::State::initialize() {
  if (C.cuCtxGetCurrent(&Context) != CUDA_SUCCESS || !Context) {
    Reason = "no CUDA context is current";
    return false;
  }
  WARPWISE_PARAMS(CUpti_Profiler_Initialize_Params, Begin);
  Initialized = WARPWISE_CALL(cuptiProfilerInitialize, Begin);
  return Initialized;
}

bool Counters::State::describeChip(std::string &Chip,
                                   std::vector<uint8_t> &Available) {
  CUdevice Device = 0;
  if (C.cuCtxGetDevice(&Device) != CUDA_SUCCESS) {
    Reason = "the current CUDA context has no device";
    return false;
  }
  WARPWISE_PARAMS(CUpti_Device_GetChipName_Params, Name);
  Name.deviceIndex = size_t(Device);
  if (!WARPWISE_CALL(cuptiDeviceGetChipName, Name))
    return false;
  Chip = Name.pChipName;
  // The first call asks for the size.
  WARPWISE_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, Ask);
  Ask.ctx = Context;
  if (!WARPWISE_CALL(cuptiProfilerGetCounterAvailability, Ask))
    return false;
  Available.resize(Ask.counterAvailabilityImageSize);
  Ask.pCounterAvailabilityImage = Available.data();
  return WARPWISE_CALL(cuptiProfilerGetCounterAvailability, Ask);
}

bool Counters::State::planPasses() {
  std::string Chip;
  std::vector<uint8_t> Available;
  if (!describeChip(Chip, Available))
    return false;
  WARPWISE_PARAMS(CUpti_Profiler_Host_Initialize_Params, Begin);
  Begin.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  Begin.pChipName = Chip.c_str();
  Begin.pCounterAvailabilityImage = Available.data();
  if (!WARPWISE_CALL(cuptiProfilerHostInitialize, Begin))
    return false;
  Host = Begin.pHostObject;

  WARPWISE_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, Add);
  Add.pHostObject = Host;
  Add.ppMetricNames = Names.data();
  Add.numMetrics = Names.size();
  WARPWISE_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, Size);
  Size.pHostObject = Host;
  if (!WARPWISE_CALL(cuptiProfilerHostConfigAddMetrics, Add) ||
      !WARPWISE_CALL(cuptiProfilerHostGetConfigImageSize, Size))
    return false;
  Config.resize(Size.configImageSize);
  WARPWISE_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, Get);
  Get.pHostObject = Host;
  Get.configImageSize = Config.size();
  Get.pConfigImage = Config.data();
  WARPWISE_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, Number);
  Number.configImageSize = Config.size();
  Number.pConfigImage = Config.data();
  if (!WARPWISE_CALL(cuptiProfilerHostGetConfigImage, Get) ||
      !WARPWISE_CALL(cuptiProfilerHostGetNumOfPasses, Number))
    return false;
  Passes = Number.numOfPasses;
  return true;
}

bool Counters::State::attach() {
  WARPWISE_PARAMS(CUpti_RangeProfiler_Enable_Params, Enable);
  Enable.ctx = Context;
  if (!WARPWISE_CALL(cuptiRangeProfilerEnable, Enable))
    return false;
  Ranges = Enable.pRangeProfilerObject;
  WARPWISE_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, Size);
  Size.pRangeProfilerObject = Ranges;
  Size.pMetricNames = Names.data();
  Size.numMetrics = Names.size();
  Size.maxNumOfRanges = 1;
  Size.maxNumRangeTreeNodes = 1;
  if (!WARPWISE_CALL(cuptiRangeProfilerGetCounterDataSize, Size))
    return false;
  Image.resize(Size.counterDataSize);
  return true;
}

bool Counters::State::clearImage() {
  WARPWISE_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
                  Clear);
  Clear.pRangeProfilerObject = Ranges;
  Clear.counterDataSize = Image.size();
  Clear.pCounterData = Image.data();
  WARPWISE_PARAMS(CUpti_RangeProfiler_SetConfig_Params, Set);
  Set.pRangeProfilerObject = Ranges;
  Set.configSize = Config.size();
  Set.pConfig = Config.data();
  Set.counterDataImageSize = Image.size();
  Set.pCounterDataImage = Image.data();
  // The range is what the caller's function does, and it is called again for
  // each pass: CUPTI has no memory to save and restore.
  Set.range = CUPTI_UserRange;
  Set.replayMode = CUPTI_UserReplay;
  Set.maxRangesPerPass = 1;
  Set.numNestingLevels = 1;
  Set.minNestingLevel = 1;
  Set.passIndex = 0;
  Set.targetNestingLevel = 1;
  return WARPWISE_CALL(cuptiRangeProfilerCounterDataImageInitialize, Clear) &&
         WARPWISE_CALL(cuptiRangeProfilerSetConfig, Set);
}

bool Counters::State::pass(const std::function<void()> &Launch, bool &Last) {
  WARPWISE_PARAMS(CUpti_RangeProfiler_Start_Params, Start);
  Start.pRangeProfilerObject = Ranges;
  WARPWISE_PARAMS(CUpti_RangeProfiler_PushRange_Params, Push);
  Push.pRangeProfilerObject = Ranges;
  Push.pRangeName = "launch";
  WARPWISE_PARAMS(CUpti_RangeProfiler_PopRange_Params, Pop);
  Pop.pRangeProfilerObject = Ranges;
  WARPWISE_PARAMS(CUpti_RangeProfiler_Stop_Params, Stop);
  Stop.pRangeProfilerObject = Ranges;
  if (!WARPWISE_CALL(cuptiRangeProfilerStart, Start))
    return false;
  if (!WARPWISE_CALL(cuptiRangeProfilerPushRange, Push)) {
    WARPWISE_CALL(cuptiRangeProfilerStop, Stop);
    return false;
  }
  const auto End = [&] {
    const bool Popped = WARPWISE_CALL(cuptiRangeProfilerPopRange, Pop);
    return WARPWISE_CALL(cuptiRangeProfilerStop, Stop) && Popped;
  };
  try {
    Launch();
  } catch (...) {
    End();
    throw;
  }
  if (!End())
    return false;
  Last = Stop.isAllPassSubmitted != 0;
  return true;
}

bool Counters::State::evaluate(std::vector<double> &Values) {
  WARPWISE_PARAMS(CUpti_RangeProfiler_DecodeData_Params, Decode);
  Decode.pRangeProfilerObject = Ranges;
  if (!WARPWISE_CALL(cuptiRangeProfilerDecodeData, Decode))
    return false;
  Values.resize(Names.size());
  WARPWISE_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, Evaluate);
  Evaluate.pHostObject = Host;
  Evaluate.pCounterDataImage = Image.data();
  Evaluate.counterDataImageSize = Image.size();
  Evaluate.rangeIndex = 0;
  Evaluate.ppMetricNames = Names.data();
  Evaluate.numMetrics = Names.size();
  Evaluate.pMetricValues = Values.data();
  return WARPWISE_CALL(cuptiProfilerHostEvaluateToGpuValues, Evaluate);
}

Expected<Counters> Counters::open(std::vector<std::string> Metrics,
                                  const std::string &Library) {
  Expected<Cupti> Loaded = Cupti::load(Library);
  if (!Loaded)
    return Failure{Loaded.reason()};
  auto It = std::make_unique<State>(*Loaded, std::move(Metrics));
  if (!It->initialize() || !It->planPasses() || !It->attach())
    return Failure{It->Reason};
  return Counters(std::move(It));
}

unsigned Counters::passes() const { return unsigned(It->Passes); }

Expected<std::vector<double>>
Counters::count(const std::function<void()> &Launch) {
  It->Reason.clear();
  if (!It->clearImage())
    return Failure{It->Reason};
  bool Last = false;
  for (size_t I = 0; I != It->Passes && !Last; ++I)
    if (!It->pass(Launch, Last))
      return Failure{It->Reason};
  if (!Last)
    return Failure{fmt::format("CUPTI wants more than the {} passes that it "
                               "planned",
                               It->Passes)};
  std::vector<double> Values;
  if (!It->evaluate(Values))
    return Failure{It->Reason};
  return Values;
}

#else

struct Counters::State {};

Expected<Counters> Counters::open(std::vector<std::string>,
                                  const std::string &) {
  return Failure{"warpwise was built without the CUPTI headers of CUDA 12.6 or "
                 "later"};
}

unsigned Counters::passes() const { return 0; }

Expected<std::vector<double>> Counters::count(const std::function<void()> &) {
  return Failure{"warpwise was built without CUPTI"};
}

#endif

Counters::Counters(std::unique_ptr<State> It) : It(std::move(It)) {}
Counters::Counters(Counters &&) noexcept = default;
Counters &Counters::operator=(Counters &&) noexcept = default;
Counters::~Counters() = default;

} // namespace warpwise::collect

//===- OccupancyModel.cpp - The occupancy functions of the runtime --------===//
//
// How many blocks of a kernel an SM takes, and the block that fills it best.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/Arithmetic.h"
#include "analyzer/launch/RuntimeModel.h"
#include "profiler/profile/Occupancy.h"

#include "clang/AST/Attr.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace clang;

namespace warpwise::launch {

namespace {

/// What a device has that host code can ask for.
struct DeviceLimits {
  int64_t Sms = 0, ThreadsPerBlock = 0;
  profile::SmLimits Sm;
};

std::optional<DeviceLimits> readLimits(const HostSettings &Settings) {
  const auto member = [&](const char *Name) -> int64_t {
    const auto Found = Settings.Device.find(Name);
    return Found == Settings.Device.end() ? 0
                                          : std::max<int64_t>(Found->second, 0);
  };
  DeviceLimits Limits;
  Limits.Sms = member("multiProcessorCount");
  Limits.ThreadsPerBlock = member("maxThreadsPerBlock");
  Limits.Sm.Threads = uint64_t(member("maxThreadsPerMultiProcessor"));
  Limits.Sm.Blocks = uint64_t(member("maxBlocksPerMultiProcessor"));
  Limits.Sm.Registers = uint64_t(member("regsPerMultiprocessor"));
  Limits.Sm.SharedBytes = uint64_t(member("sharedMemPerMultiprocessor"));
  if (!Limits.Sms || !Limits.ThreadsPerBlock || !Limits.Sm.Threads ||
      !Limits.Sm.Blocks || !Limits.Sm.Registers || !Limits.Sm.SharedBytes)
    return std::nullopt;
  Limits.Sm.ReservedSharedBytes = uint64_t(member("reservedSharedMemPerBlock"));
  return Limits;
}

int64_t mostThreads(const DeviceLimits &Limits, const KernelNeeds &Kernel) {
  return std::min<int64_t>(Limits.ThreadsPerBlock, Kernel.MaxThreads);
}

/// Blocks of \p Threads that one SM holds at the same time.
int64_t blocksPerSm(const DeviceLimits &Limits, const KernelNeeds &Kernel,
                    int64_t Threads, int64_t DynamicShared) {
  if (Threads <= 0 || Threads > mostThreads(Limits, Kernel))
    return 0;
  return int64_t(
      profile::occupancyOf(Limits.Sm,
                           {uint64_t(Threads), Kernel.Registers,
                            Kernel.StaticSharedBytes + uint64_t(DynamicShared)})
          .Blocks);
}

/// The largest block of those that keep most threads on an SM.
std::pair<int64_t, int64_t> bestBlock(const DeviceLimits &Limits,
                                      const KernelNeeds &Kernel,
                                      int64_t DynamicShared, int64_t Most) {
  int64_t Limit = mostThreads(Limits, Kernel);
  if (Most > 0)
    Limit = std::min(Limit, Most);
  int64_t Best = 0, BestBlocks = 0;
  for (int64_t Aligned = static_cast<int64_t>(llvm::alignTo(Limit, 32));
       Aligned > 0; Aligned -= 32) {
    const int64_t Threads = std::min(Limit, Aligned);
    const int64_t Blocks = blocksPerSm(Limits, Kernel, Threads, DynamicShared);
    if (Threads * Blocks > Best * BestBlocks) {
      Best = Threads;
      BestBlocks = Blocks;
    }
  }
  return {Best, BestBlocks};
}

} // namespace

/// What __launch_bounds__ says, if it says anything.
static std::optional<unsigned> statedThreads(const FunctionDecl &Kernel) {
  const auto *Bounds = Kernel.getAttr<CUDALaunchBoundsAttr>();
  const auto Threads = constantOf(Bounds ? Bounds->getMaxThreads() : nullptr,
                                  Kernel.getASTContext());
  return Threads ? std::optional(static_cast<unsigned>(*Threads))
                 : std::nullopt;
}

/// What is known of the kernel that \p V points to; asks for it if it is not,
/// and has a doubt about what is usual.
static std::optional<KernelNeeds> findKernel(HostEvaluator &Evaluator,
                                             const Value &V, DoubtSet &Doubts) {
  const FunctionSet *Functions = V.getFunctions();
  if (!Functions || Functions->size() != 1)
    return std::nullopt;
  const FunctionDecl &Kernel = *Functions->front();
  const std::string &Name = Evaluator.nameKernel(&Kernel);
  const auto Found = Evaluator.Settings.Kernels.find(Name);
  if (Found != Evaluator.Settings.Kernels.end())
    return Found->second;
  Evaluator.WantedKernels.insert(Name);
  std::optional<KernelNeeds> Usual = Evaluator.Settings.UsualKernel;
  if (Usual)
    Usual->MaxThreads = statedThreads(Kernel).value_or(Usual->MaxThreads);
  Doubts |= Evaluator.Branches.getDoubt("resources");
  return Usual;
}

std::optional<OccupancyAnswer>
modelOccupancyCall(HostEvaluator &Evaluator, StringRef Name,
                   llvm::ArrayRef<const Expr *> Arguments) {
  const bool ChoosesBlock =
      Name == "cudaOccupancyMaxPotentialBlockSize" ||
      Name == "cudaOccupancyMaxPotentialBlockSizeWithFlags";
  const bool CountsBlocks =
      Name == "cudaOccupancyMaxActiveBlocksPerMultiprocessor" ||
      Name == "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags";
  if ((!ChoosesBlock && !CountsBlocks) ||
      Arguments.size() < (ChoosesBlock ? 3 : 4))
    return std::nullopt;
  const size_t KernelAt = ChoosesBlock ? 2 : 1;
  const Value Kernel = Evaluator.evaluate(Arguments[KernelAt]);
  DoubtSet Doubts = Kernel.Doubts;
  const auto integer = [&](size_t I,
                           int64_t Otherwise) -> std::optional<int64_t> {
    if (I >= Arguments.size())
      return Otherwise;
    const Value V = Evaluator.evaluate(Arguments[I]);
    Doubts |= V.Doubts;
    return V.getInteger() ? std::optional(*V.getInteger()) : std::nullopt;
  };
  const std::optional<int64_t> First = integer(KernelAt + 1, 0),
                               Second = integer(KernelAt + 2, 0);
  const std::optional<KernelNeeds> Resources =
      findKernel(Evaluator, Kernel, Doubts);
  const std::optional<DeviceLimits> Limits = readLimits(Evaluator.Settings);
  OccupancyAnswer Answer;
  constexpr int64_t MostShared = int64_t(1) << 20;
  if (!Resources || !Limits || !First || !Second)
    return Answer;
  const int64_t Shared = ChoosesBlock ? *First : *Second;
  if (Shared < 0 || Shared > MostShared)
    return Answer;
  if (CountsBlocks) {
    Answer.First =
        Value(blocksPerSm(*Limits, *Resources, *First, Shared), Doubts);
    return Answer;
  }
  const auto [Threads, Blocks] =
      bestBlock(*Limits, *Resources, Shared, *Second);
  Answer.First = Value(Blocks * Limits->Sms, Doubts);
  Answer.Second = Value(Threads, Doubts);
  return Answer;
}

} // namespace warpwise::launch

//===- OccupancyModel.cpp - The occupancy functions of the runtime --------===//
//
// The rules of cuda_occupancy.h, for devices since compute capability 5: how
// many blocks of a kernel an SM takes, and the block that fills it best.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/RuntimeModel.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace clang;

namespace warpwise::launch {

namespace {

/// What an SM has to give.
struct SmLimits {
  int64_t Sms = 0, Threads = 0, Blocks = 0, Registers = 0, Shared = 0;
  int64_t ReservedShared = 0, ThreadsPerBlock = 0;
};

std::optional<SmLimits> readLimits(const HostSettings &Settings) {
  SmLimits Limits;
  const std::pair<const char *, int64_t SmLimits::*> Members[] = {
      {"multiProcessorCount", &SmLimits::Sms},
      {"maxThreadsPerMultiProcessor", &SmLimits::Threads},
      {"maxBlocksPerMultiProcessor", &SmLimits::Blocks},
      {"regsPerMultiprocessor", &SmLimits::Registers},
      {"sharedMemPerMultiprocessor", &SmLimits::Shared},
      {"maxThreadsPerBlock", &SmLimits::ThreadsPerBlock}};
  for (auto [Name, Member] : Members) {
    const auto Found = Settings.Device.find(Name);
    if (Found == Settings.Device.end() || Found->second <= 0)
      return std::nullopt;
    Limits.*Member = Found->second;
  }
  const auto Reserved = Settings.Device.find("reservedSharedMemPerBlock");
  if (Reserved != Settings.Device.end())
    Limits.ReservedShared = Reserved->second;
  return Limits;
}

/// Blocks of \p Threads that one SM holds at the same time.
int64_t blocksPerSm(const SmLimits &Limits, const KernelResources &Kernel,
                    int64_t Threads, int64_t DynamicShared) {
  constexpr int64_t WarpSize = 32, RegisterUnit = 256, SharedUnit = 128,
                    Schedulers = 4;
  if (Threads <= 0 ||
      Threads > std::min<int64_t>(Limits.ThreadsPerBlock, Kernel.MaxThreads))
    return 0;
  const int64_t Warps = llvm::divideCeil(Threads, WarpSize);
  int64_t Blocks = std::min(Limits.Blocks, Limits.Threads / (Warps * WarpSize));
  if (Kernel.Registers) {
    const int64_t PerWarp = static_cast<int64_t>(
        llvm::alignTo(Kernel.Registers * uint64_t(WarpSize), RegisterUnit));
    const int64_t Held = Limits.Registers / Schedulers / PerWarp * Schedulers;
    Blocks = std::min(Blocks, Held / Warps);
  }
  const uint64_t Shared = llvm::alignTo(
      Kernel.StaticSharedBytes + static_cast<uint64_t>(DynamicShared) +
          static_cast<uint64_t>(Limits.ReservedShared),
      SharedUnit);
  if (Shared)
    Blocks = std::min(Blocks, Limits.Shared / static_cast<int64_t>(Shared));
  return Blocks;
}

/// The largest block of those that keep most threads on an SM.
std::pair<int64_t, int64_t> bestBlock(const SmLimits &Limits,
                                      const KernelResources &Kernel,
                                      int64_t DynamicShared, int64_t Most) {
  int64_t Limit = std::min<int64_t>(Limits.ThreadsPerBlock, Kernel.MaxThreads);
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

/// What is known of the kernel that \p V points to; asks for it if it is not.
static const KernelResources *findKernel(HostEvaluator &Evaluator,
                                         const Value &V) {
  const FunctionSet *Functions = V.getFunctions();
  if (!Functions || Functions->size() != 1)
    return nullptr;
  const std::string &Name = Evaluator.nameKernel(Functions->front());
  const auto Found = Evaluator.Settings.Kernels.find(Name);
  if (Found != Evaluator.Settings.Kernels.end())
    return &Found->second;
  Evaluator.WantedKernels.insert(Name);
  return nullptr;
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
  const KernelResources *Resources = findKernel(Evaluator, Kernel);
  const std::optional<SmLimits> Limits = readLimits(Evaluator.Settings);
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

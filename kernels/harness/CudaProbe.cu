//===- CudaProbe.cu - Timed accesses on the device ------------------------===//

#include "kernels/harness/CudaProbe.h"
#include "kernels/harness/Timing.cuh"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpwise::harness {
namespace {

constexpr unsigned ConstantBytes = 65536;
/// What ProbedPath::Constant times, and else the list of loads. A list in
/// global memory would take lines of L1 even when it is read with .cg (seen on
/// sm_90: usable capacity fell from 1736 lines to 1591); the constant caches
/// are apart from L1.
__constant__ uint32_t ConstantArray[ConstantBytes / 4];

template <ProbedPath Through>
__device__ __forceinline__ uint32_t loadAt(const char *Array,
                                           cudaTextureObject_t Texture,
                                           uint64_t Offset) {
  if constexpr (Through == ProbedPath::Texture)
    return tex1Dfetch<uint32_t>(Texture, int(Offset / 4));
  else if constexpr (Through == ProbedPath::Constant)
    return ConstantArray[Offset / 4];
  else {
    const auto *At = reinterpret_cast<const uint32_t *>(Array + Offset);
    if constexpr (Through == ProbedPath::GlobalL1)
      return load<Path::L1>(At);
    else if constexpr (Through == ProbedPath::GlobalL2)
      return load<Path::L2>(At);
    else
      return load<Path::ReadOnly>(At);
  }
}

/// One warp. All lanes load the same word, which is one request like that of a
/// single lane; each lane keeps the time of one load in 32. The log is zero
/// before and added to: a reduction is done in L2 and takes no line of L1,
/// while a store does.
template <ProbedPath Through, bool ListIsConstant>
__global__ void timeList(const char *Array, cudaTextureObject_t Texture,
                         const uint32_t *List, unsigned Count, uint32_t Unit,
                         uint32_t *Log) {
  const unsigned Lane = threadIdx.x;
  uint32_t Zero = 0;
  for (unsigned First = 0; First < Count; First += 32) {
    uint32_t Mine = 0;
    if constexpr (!ListIsConstant)
      if (First + Lane < Count)
        Mine = load<Path::L2>(List + First + Lane);
    uint32_t Kept = 0;
    const unsigned Rest = min(32u, Count - First);
#pragma unroll 1
    for (unsigned J = 0; J < Rest; ++J) {
      const uint32_t Word =
          ListIsConstant ? ConstantArray[First + J] : __shfl_sync(~0u, Mine, J);
      const uint64_t Offset = uint64_t(Word) * Unit + Zero;
      const uint32_t Begin = clockNow();
      Zero = consume(loadAt<Through>(Array, Texture, Offset));
      const uint32_t End = clockNow();
      Kept = Lane == J ? End - Begin : Kept;
    }
    if (First + Lane < Count)
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(Log + First + Lane),
                   "r"(Kept)
                   : "memory");
  }
}

__global__ void touchAll(const char *Array, uint64_t Bytes, uint64_t Stride,
                         uint32_t *Sink) {
  uint32_t Sum = 0;
  for (uint64_t At = threadIdx.x * Stride; At < Bytes;
       At += blockDim.x * Stride)
    Sum |= load<Path::L2>(reinterpret_cast<const uint32_t *>(Array + At));
  if (Sum != 0)
    *Sink = Sum;
}

using Kernel = void (*)(const char *, cudaTextureObject_t, const uint32_t *,
                        unsigned, uint32_t, uint32_t *);

/// L1 is in question: nothing else may take its lines.
bool passesL1(ProbedPath P) {
  return P != ProbedPath::GlobalL2 && P != ProbedPath::Constant;
}

Kernel kernelFor(ProbedPath P) {
  switch (P) {
  case ProbedPath::GlobalL1:
    return timeList<ProbedPath::GlobalL1, true>;
  case ProbedPath::GlobalL2:
    return timeList<ProbedPath::GlobalL2, false>;
  case ProbedPath::ReadOnly:
    return timeList<ProbedPath::ReadOnly, true>;
  case ProbedPath::Texture:
    return timeList<ProbedPath::Texture, true>;
  case ProbedPath::Constant:
    return timeList<ProbedPath::Constant, false>;
  }
  return nullptr;
}

} // namespace

struct CudaProbe::State {
  const Device &Dev;
  ProbeOptions Options;
  Buffer<char> Array;
  char *Start = nullptr; ///< of what is probed, inside of Array
  Buffer<uint32_t> List;
  Buffer<uint32_t> Log;
  cudaTextureObject_t Texture = 0;
  Kernel Time = nullptr;
  unsigned SharedBytes = 0;
  uint32_t Unit = 4; ///< bytes that an entry of the list counts

  State(const Device &D, const ProbeOptions &O)
      : Dev(D), Options(O), Time(kernelFor(O.Path)) {}
  ~State() {
    if (Texture)
      cudaDestroyTextureObject(Texture);
  }
};

CudaProbe::CudaProbe(const Device &D, const ProbeOptions &O)
    : It(std::make_unique<State>(D, O)) {
  // 32-bit entries keep lists short; an array beyond their reach is probed in
  // whole lines.
  It->Unit = O.Bytes > uint64_t(16) << 30 ? 128 : 4;
  if (O.Path == ProbedPath::Constant) {
    // The array is shared with the lists of other probes.
    const std::vector<uint32_t> Zero(ConstantBytes / 4);
    check(cudaMemcpyToSymbol(ConstantArray, Zero.data(), ConstantBytes));
    if (O.Bytes > ConstantBytes)
      throw Skip("constant memory is 64 KiB");
  } else {
    // Aligned to its own size where that is cheap: a hash of address bits is
    // then one of the offset's bits, with no carry from the array's start.
    const uint64_t Alignment =
        std::min<uint64_t>(std::bit_ceil(O.Bytes), uint64_t(64) << 20);
    It->Array = Buffer<char>(O.Bytes + Alignment);
    It->Array.zero();
    const auto Address = reinterpret_cast<uint64_t>(It->Array.get());
    It->Start = It->Array.get() + (Alignment - Address % Alignment) % Alignment;
  }
  if (O.Path == ProbedPath::Texture) {
    cudaResourceDesc Resource = {};
    Resource.resType = cudaResourceTypeLinear;
    Resource.res.linear.devPtr = It->Start;
    Resource.res.linear.desc = cudaCreateChannelDesc<uint32_t>();
    Resource.res.linear.sizeInBytes = O.Bytes;
    cudaTextureDesc Description = {};
    Description.readMode = cudaReadModeElementType;
    check(cudaCreateTextureObject(&It->Texture, &Resource, &Description,
                                  nullptr));
  }
  It->SharedBytes =
      requestCarveout(D, reinterpret_cast<const void *>(It->Time), O.Carveout);
}

CudaProbe::~CudaProbe() = default;

uint64_t CudaProbe::size() const { return It->Options.Bytes; }

void CudaProbe::touch(uint64_t Bytes, uint64_t Stride) {
  Buffer<uint32_t> Sink(1);
  touchAll<<<1, 1024>>>(It->Start, Bytes, Stride, Sink.get());
  finish();
}

size_t CudaProbe::longest() const {
  return passesL1(It->Options.Path) ? ConstantBytes / 4 : size_t(1) << 28;
}

std::vector<float> CudaProbe::time(std::span<const uint64_t> Offsets) {
  if (Offsets.empty())
    return {};
  if (Offsets.size() > longest())
    throw Skip(fmt::format("a list of {} loads is longer than the {} that fit",
                           Offsets.size(), longest()));
  std::vector<uint32_t> Words(Offsets.size());
  std::transform(Offsets.begin(), Offsets.end(), Words.begin(),
                 [&](uint64_t Offset) { return uint32_t(Offset / It->Unit); });
  if (It->Log.size() < Words.size()) {
    const size_t Room = std::max<size_t>(2 * Words.size(), 1 << 16);
    It->List = Buffer<uint32_t>(Room);
    It->Log = Buffer<uint32_t>(Room);
  }
  if (passesL1(It->Options.Path))
    check(cudaMemcpyToSymbol(ConstantArray, Words.data(), 4 * Words.size()));
  else
    It->List.upload(Words);
  check(cudaMemset(It->Log.get(), 0, 4 * Words.size()));
  if (It->Options.FlushL2)
    flushL2(It->Dev);
  It->Time<<<1, 32, It->SharedBytes>>>(It->Start, It->Texture, It->List.get(),
                                       unsigned(Words.size()), It->Unit,
                                       It->Log.get());
  finish();
  const std::vector<uint32_t> Took = It->Log.download(Words.size());
  return {Took.begin(), Took.end()};
}

} // namespace warpwise::harness

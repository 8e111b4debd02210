//===- Chase.cuh - Latency of a warp's request ------------------*- C++ -*-===//
//
// Warps walk the ring of Requests.cuh with a pattern: each lane's next address
// is what it loaded, so a warp has one request in flight and the cycles of a
// walk over its steps are the request's latency.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_CHASE_CUH
#define WARPWISE_KERNELS_HARNESS_CHASE_CUH

#include "kernels/harness/Cuda.h"
#include "kernels/harness/LanePatterns.h"
#include "kernels/harness/Requests.cuh"
#include "kernels/harness/Timing.cuh"

#include <optional>
#include <vector>

namespace warpwise::harness {
namespace { // see Requests.cuh

/// A walk to warm up, one of as many steps and one of twice as many: their
/// difference is free of what the bracket costs.
constexpr unsigned Walks = 3;

/// For every pattern and walk the cycles of each warp, warps innermost.
/// \p WarpShift is the distance between the starts of neighbouring warps.
/// \p Steps is a multiple of 32. \p Astray counts lanes that did not end where
/// the ring leads.
template <Space At, unsigned Bytes>
__global__ void __launch_bounds__(1024)
    chase(uint64_t Memory, const uint32_t *Offsets, unsigned Patterns,
          uint32_t WarpShift, unsigned Steps, uint32_t *Cycles,
          unsigned *Astray) {
  constexpr Ring R = ringOf(At);
  const uint64_t Base = ringBase<At>(Memory);
  const unsigned Lane = threadIdx.x % WarpLanes;
  const unsigned BlockWarps = blockDim.x / WarpLanes;
  const unsigned Warp = blockIdx.x * BlockWarps + threadIdx.x / WarpLanes;
  uint32_t Rest = 0;
#pragma unroll 1
  for (unsigned P = 0; P != Patterns; ++P) {
    const uint32_t Start =
        (Offsets[P * WarpLanes + Lane] + Warp * WarpShift) % R.Bytes;
    Spot<At> Now = spotOf<At>(Base, Start);
#pragma unroll 1
    for (unsigned Walk = 0; Walk != Walks; ++Walk) {
      const unsigned Length = Walk + 1 == Walks ? 2 * Steps : Steps;
      __syncthreads();
      const uint32_t From = clockNow();
#pragma unroll 1
      for (unsigned Step = 0; Step != Length; Step += 32)
#pragma unroll
        for (unsigned I = 0; I != 32; ++I)
          follow<At, Bytes>(Now, Base, Rest);
      consume(uint32_t(Now));
      const uint32_t Took = clockNow() - From;
      if (Lane == 0)
        Cycles[(P * Walks + Walk) * gridDim.x * BlockWarps + Warp] = Took;
    }
    const uint32_t End =
        (Start + uint64_t(Walks + 1) * Steps * R.Step) % R.Bytes;
    if (Now != spotOf<At>(Base, End))
      atomicAdd(Astray, 1);
  }
  if (Rest == 1) // never: the words are addresses, or pairs of them
    atomicAdd(Astray, 1);
}

/// \p B with room for \p Count elements at least.
template <typename T> Buffer<T> &withRoom(Buffer<T> &B, size_t Count) {
  if (B.size() < Count)
    B = Buffer<T>(Count);
  return B;
}

/// Patterns as the kernels read them.
inline std::vector<uint32_t> offsetTable(const std::vector<Pattern> &Patterns) {
  std::vector<uint32_t> Offsets;
  for (const Pattern &P : Patterns)
    Offsets.insert(Offsets.end(), P.begin(), P.end());
  return Offsets;
}

/// A ring in global memory for loads of \p Bytes. Its addresses share their
/// upper halves.
class GlobalRing {
public:
  GlobalRing(Ring R, unsigned Bytes) : Memory(2 * R.Bytes) {
    constexpr uint64_t Half = uint64_t(1) << 32;
    const uint64_t Given = reinterpret_cast<uint64_t>(Memory.get());
    const uint64_t Border = (Given + Half - 1) / Half * Half;
    Base = Given + R.Bytes > Border ? Border : Given;
    std::vector<uint32_t> Words(R.Bytes / 4);
    for (uint32_t I = 0; I != Words.size(); ++I)
      Words[I] = word(R, Bytes == 4 ? 4 : 8, I * 4);
    check(cudaMemcpy(reinterpret_cast<void *>(Base), Words.data(), R.Bytes,
                     cudaMemcpyHostToDevice));
  }
  uint64_t base() const { return Base; }

private:
  /// The word at \p Offset of a ring of addresses of \p Size bytes.
  uint32_t word(Ring R, uint32_t Size, uint32_t Offset) const {
    const uint64_t Next = Base + (Offset / Size * Size + R.Step) % R.Bytes;
    return uint32_t(Offset % Size == 0 ? Next : Next >> 32);
  }

  Buffer<std::byte> Memory;
  uint64_t Base;
};

/// A ring of texels.
class TextureRing {
public:
  explicit TextureRing(Ring R) : Texels(R.Bytes / 4) {
    std::vector<uint32_t> Next(R.Bytes / 4);
    for (uint32_t I = 0; I != Next.size(); ++I)
      Next[I] = (I * 4 + R.Step) % R.Bytes / 4;
    Texels.upload(Next);
    cudaResourceDesc Resource{};
    Resource.resType = cudaResourceTypeLinear;
    Resource.res.linear.devPtr = Texels.get();
    Resource.res.linear.desc = cudaCreateChannelDesc<unsigned>();
    Resource.res.linear.sizeInBytes = R.Bytes;
    cudaTextureDesc Reading{};
    Reading.readMode = cudaReadModeElementType;
    check(cudaCreateTextureObject(&Object, &Resource, &Reading, nullptr));
  }
  TextureRing(const TextureRing &) = delete;
  TextureRing &operator=(const TextureRing &) = delete;
  ~TextureRing() { cudaDestroyTextureObject(Object); }
  uint64_t handle() const { return Object; }

private:
  Buffer<uint32_t> Texels;
  cudaTextureObject_t Object = 0;
};

/// Writes the ring of constant memory and the words of 1 behind it.
inline void fillConstant() {
  constexpr Ring R = ringOf(Space::Constant);
  std::vector<uint32_t> Words(2 * R.Bytes / 4, 1);
  for (uint32_t I = 0; I != R.Bytes / 4; ++I)
    Words[I] = (I * 4 + R.Step) % R.Bytes;
  check(cudaMemcpyToSymbol(ConstantWords, Words.data(), 2 * R.Bytes));
}

/// Warps to launch: in how many blocks, and how far apart they start.
struct Crowd {
  unsigned Blocks = 1;
  unsigned Threads = 32;    ///< per block
  uint32_t WarpShift = 128; ///< bytes, modulo the ring
};

/// The memory \p At, ready to be walked by loads of \p Bytes.
template <Space At, unsigned Bytes> class Chase {
public:
  Chase() {
    if constexpr (isGlobal(At))
      Global.emplace(ringOf(At), Bytes);
    if constexpr (At == Space::Texture)
      Texture.emplace(ringOf(At));
    if constexpr (At == Space::Constant)
      fillConstant();
  }

  /// Cycles per request for each of \p Patterns, the mean over all warps.
  std::vector<double> latencies(const std::vector<Pattern> &Patterns,
                                Crowd C = {}) {
    // Whole rounds where they are long, so that every place counts alike.
    constexpr unsigned Steps = std::max(ringOf(At).places(), 128u);
    const size_t Warps = size_t(C.Blocks) * C.Threads / WarpLanes;
    withRoom(Offsets, Patterns.size() * WarpLanes)
        .upload(offsetTable(Patterns));
    withRoom(Cycles, Patterns.size() * Walks * Warps);
    Astray.zero();
    const size_t SharedBytes = At == Space::Shared ? ringOf(At).Bytes : 0;
    chase<At, Bytes><<<C.Blocks, C.Threads, SharedBytes>>>(
        memory(), Offsets.get(), unsigned(Patterns.size()), C.WarpShift, Steps,
        Cycles.get(), Astray.get());
    finish();
    if (Astray.download()[0] != 0)
      throw CudaFailure("a warp that followed its pointers ended astray");
    const std::vector<uint32_t> Took =
        Cycles.download(Patterns.size() * Walks * Warps);
    std::vector<double> Result;
    for (size_t P = 0; P != Patterns.size(); ++P) {
      const uint32_t *Once = &Took[(P * Walks + 1) * Warps];
      const uint32_t *Twice = Once + Warps;
      double Sum = 0;
      for (size_t Warp = 0; Warp != Warps; ++Warp)
        Sum += double(Twice[Warp]) - double(Once[Warp]);
      Result.push_back(Sum / double(Warps) / Steps);
    }
    return Result;
  }

private:
  uint64_t memory() const {
    return Global ? Global->base() : Texture ? Texture->handle() : 0;
  }

  std::optional<GlobalRing> Global;
  std::optional<TextureRing> Texture;
  Buffer<uint32_t> Offsets, Cycles;
  Buffer<unsigned> Astray{1};
};

} // namespace
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_CHASE_CUH

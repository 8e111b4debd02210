//===- Walker.cuh - Rings in every memory, walks around them ----*- C++ -*-===//
//
// The host's side of Walk.cuh: lays a ring of pointers out in a memory, walks
// it and says what a step took.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_THREADLATENCY_WALKER_CUH
#define WARPWISE_KERNELS_THREADLATENCY_WALKER_CUH

#include "kernels/harness/Cuda.h"
#include "kernels/thread-latency/Walk.cuh"

#include <algorithm>
#include <vector>

namespace warpwise::harness {
inline namespace threadLatency {

using namespace walk;

constexpr uint64_t PageBytes = 2 << 20;
/// Few pages, so that every TLB holds them; L2 is emptied, not overflowed.
constexpr uint64_t DramBytes = 8 * PageBytes;
constexpr unsigned LineBytes = 128;
constexpr unsigned FarSteps = 8192; ///< lines of the L2 and DRAM walks

constexpr unsigned ConstantWords = 12 * 1024;
__constant__ uint32_t Constants[ConstantWords];

/// Where Constants begins in the constant space.
__global__ void constantBase(uint64_t *Out) {
  Out[0] = __cvta_generic_to_constant(Constants);
}

/// One pointer of a ring in global memory.
struct Link {
  uint64_t Address, Value;
};

/// Writes the lower \p Bytes (4 or 8) of every link's value to its address.
__global__ void connect(const Link *Links, unsigned Count, unsigned Bytes) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  if (Bytes == 8)
    *reinterpret_cast<uint64_t *>(Links[I].Address) = Links[I].Value;
  else
    *reinterpret_cast<uint32_t *>(Links[I].Address) = uint32_t(Links[I].Value);
}

/// The places of a ring in the order of the walk: offsets in bytes.
using Ring = std::vector<uint32_t>;

/// \p Count places at random multiples of \p Slot below \p Bytes.
Ring randomRing(Session &S, uint64_t Bytes, unsigned Slot, size_t Count) {
  Ring Places(Bytes / Slot);
  for (size_t I = 0; I != Places.size(); ++I)
    Places[I] = uint32_t(I * Slot);
  std::shuffle(Places.begin(), Places.end(), S.random());
  Places.resize(std::min(Count, Places.size()));
  return Places;
}

/// Every \p Step-th integer of Fang et al.'s array.
Ring stepRing(unsigned Step) {
  Ring Places;
  for (unsigned I = 0; I < ArrayWords; I += Step)
    Places.push_back(I * 4);
  return Places;
}

/// Lays rings out in the memories and walks them.
class Walker {
public:
  explicit Walker(Session &S);
  ~Walker() { cudaDestroyTextureObject(Texture); }

  template <Memory M> Route place(const Ring &Places, unsigned Steps = 8192);
  /// Cycles per load; throws when the walk does not end where the ring leads.
  template <Memory M> double chase(const Route &R, const Ring &Places);
  /// The cycles of each bracket.
  template <Memory M> std::vector<double> trace(Route R);

private:
  template <Memory M> uint64_t position(uint32_t Offset) const;
  void connectAll(const std::vector<Link> &Pointers, unsigned Bytes);

  Buffer<char> Global;
  uint64_t GlobalAt = 0; ///< first whole page of Global
  uint64_t ConstantAt = 0;
  cudaTextureObject_t Texture = 0;
  Buffer<uint32_t> Image{ArrayWords}, Log{MaxTrace};
  Buffer<Link> Links{FarSteps};
  Buffer<uint64_t> Out{2};
};

Walker::Walker(Session &S)
    : Global(std::max<uint64_t>(DramBytes, S.device().L2Bytes / 4) +
             PageBytes) {
  const auto Begin = reinterpret_cast<uint64_t>(Global.get());
  GlobalAt = (Begin + PageBytes - 1) / PageBytes * PageBytes;
  constantBase<<<1, 1>>>(Out.get());
  finish();
  ConstantAt = Out.download(1)[0];
  cudaResourceDesc What = {};
  What.resType = cudaResourceTypeLinear;
  What.res.linear.devPtr = reinterpret_cast<void *>(GlobalAt);
  What.res.linear.desc = cudaCreateChannelDesc<unsigned>();
  What.res.linear.sizeInBytes = PageBytes;
  cudaTextureDesc How = {};
  How.readMode = cudaReadModeElementType;
  check(cudaCreateTextureObject(&Texture, &What, &How, nullptr));
}

template <Memory M> uint64_t Walker::position(uint32_t Offset) const {
  if constexpr (IsGlobal<M>)
    return GlobalAt + Offset;
  else if constexpr (M == Memory::Constant)
    return ConstantAt + Offset;
  else if constexpr (M == Memory::Texture)
    return Offset / 4;
  else
    return Offset;
}

void Walker::connectAll(const std::vector<Link> &Pointers, unsigned Bytes) {
  Links.upload(Pointers);
  const auto Count = unsigned(Pointers.size());
  connect<<<(Count + 255) / 256, 256>>>(Links.get(), Count, Bytes);
  finish();
}

template <Memory M> Route Walker::place(const Ring &Places, unsigned Steps) {
  Route R;
  R.From = position<M>(Places.front());
  R.Steps = Steps;
  R.High = uint32_t(GlobalAt >> 32);
  R.Texture = Texture;
  R.Image = Image.get();
  const auto Next = [&](size_t I) {
    return position<M>(Places[(I + 1) % Places.size()]);
  };
  if constexpr (IsPrivate<M> || M == Memory::Constant) {
    std::vector<uint32_t> Words(
        *std::max_element(Places.begin(), Places.end()) / 4 + 1);
    for (size_t I = 0; I != Places.size(); ++I)
      Words[Places[I] / 4] = uint32_t(Next(I));
    if constexpr (IsPrivate<M>)
      Image.upload(Words);
    else
      check(cudaMemcpyToSymbol(Constants, Words.data(), Words.size() * 4));
    R.ImageWords = unsigned(Words.size());
  } else {
    std::vector<Link> Pointers;
    for (size_t I = 0; I != Places.size(); ++I)
      Pointers.push_back({GlobalAt + Places[I], Next(I)});
    connectAll(Pointers, M == Memory::Texture || M == Memory::L1Word ? 4 : 8);
  }
  return R;
}

template <Memory M> double Walker::chase(const Route &R, const Ring &Places) {
  preferCarveout(reinterpret_cast<const void *>(&walk::chase<M>), 0);
  walk::chase<M><<<1, 1, IsShared<M> ? ArrayWords * 4 : 0>>>(R, Out.get());
  finish();
  const std::vector<uint64_t> Result = Out.download();
  if (Result[1] != position<M>(Places[R.Steps % Places.size()]))
    throw CudaFailure("a pointer chase did not end where its ring leads");
  return double(Result[0]) / R.Steps;
}

template <Memory M> std::vector<double> Walker::trace(Route R) {
  R.Steps = std::min(R.Steps, MaxTrace);
  preferCarveout(reinterpret_cast<const void *>(&walk::trace<M>), 0);
  const unsigned Words = MaxTrace + (IsShared<M> ? ArrayWords : 0);
  walk::trace<M><<<1, 1, Words * 4>>>(R, Log.get());
  finish();
  const std::vector<uint32_t> Took = Log.download(R.Steps);
  return {Took.begin(), Took.end()};
}

} // namespace threadLatency
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_THREADLATENCY_WALKER_CUH

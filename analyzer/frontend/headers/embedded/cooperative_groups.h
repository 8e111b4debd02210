/* Cooperative groups: ranks, sizes, synchronisation and exchange. */
#ifndef WARPWISE_COOPERATIVE_GROUPS_H
#define WARPWISE_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#if defined(__cplusplus) && __cplusplus >= 201103L

namespace cooperative_groups {

#define WARPWISE_DEVICE __device__ __inline__
#define WARPWISE_STATIC static __device__ __inline__

namespace details {
WARPWISE_STATIC unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
WARPWISE_STATIC unsigned threadInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
WARPWISE_STATIC unsigned threadsInBlock() {
  return blockDim.x * blockDim.y * blockDim.z;
}
WARPWISE_STATIC unsigned long long blockInGrid() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
         blockIdx.x;
}
WARPWISE_STATIC unsigned long long blocksInGrid() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
template <class Builtin> WARPWISE_STATIC dim3 dimensions(const Builtin &Of) {
  return dim3(Of.x, Of.y, Of.z);
}
/* All blocks of the grid meet; who waits for whom is of no interest here. */
extern "C" __device__ void __warpwise_grid_sync(void);

/* Values of any size go between lanes word by word. */
template <class T, class Exchange>
WARPWISE_STATIC T exchange(T Value, Exchange OneWord) {
  unsigned Words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(Words, &Value, sizeof(T));
  for (unsigned I = 0; I < (sizeof(T) + 3) / 4; ++I)
    Words[I] = OneWord(Words[I]);
  __builtin_memcpy(&Value, Words, sizeof(T));
  return Value;
}
} // namespace details

class thread_group {
public:
  unsigned Size, Rank, Mask;

  WARPWISE_DEVICE unsigned long long size() const { return Size; }
  WARPWISE_DEVICE unsigned long long num_threads() const { return Size; }
  WARPWISE_DEVICE unsigned long long thread_rank() const { return Rank; }
  WARPWISE_DEVICE void sync() const {
    if (Size > 32)
      __syncthreads();
    else
      __syncwarp(Mask);
  }
  WARPWISE_DEVICE bool is_valid() const { return true; }
};

class thread_block {
public:
  WARPWISE_STATIC void sync() { __syncthreads(); }
  WARPWISE_STATIC unsigned size() { return details::threadsInBlock(); }
  WARPWISE_STATIC unsigned num_threads() { return details::threadsInBlock(); }
  WARPWISE_STATIC unsigned thread_rank() { return details::threadInBlock(); }
  WARPWISE_STATIC dim3 thread_index() { return details::dimensions(threadIdx); }
  WARPWISE_STATIC dim3 group_index() { return details::dimensions(blockIdx); }
  WARPWISE_STATIC dim3 dim_threads() { return details::dimensions(blockDim); }
  WARPWISE_STATIC dim3 group_dim() { return details::dimensions(blockDim); }
  WARPWISE_DEVICE bool is_valid() const { return true; }
  WARPWISE_DEVICE operator thread_group() const {
    return thread_group{size(), thread_rank(), ~0u};
  }
  struct arrival_token {};
  WARPWISE_STATIC arrival_token barrier_arrive() { return {}; }
  WARPWISE_STATIC void barrier_wait(arrival_token = {}) { __syncthreads(); }
};
WARPWISE_STATIC thread_block this_thread_block() { return {}; }

class grid_group {
public:
  WARPWISE_STATIC void sync() { details::__warpwise_grid_sync(); }
  WARPWISE_STATIC unsigned long long size() {
    return details::blocksInGrid() * details::threadsInBlock();
  }
  WARPWISE_STATIC unsigned long long num_threads() { return size(); }
  WARPWISE_STATIC unsigned long long num_blocks() {
    return details::blocksInGrid();
  }
  WARPWISE_STATIC unsigned long long thread_rank() {
    return details::blockInGrid() * details::threadsInBlock() +
           details::threadInBlock();
  }
  WARPWISE_STATIC unsigned long long block_rank() {
    return details::blockInGrid();
  }
  WARPWISE_STATIC dim3 group_dim() { return details::dimensions(gridDim); }
  WARPWISE_STATIC dim3 dim_blocks() { return details::dimensions(gridDim); }
  WARPWISE_STATIC dim3 block_index() { return details::dimensions(blockIdx); }
  WARPWISE_STATIC bool is_valid() { return true; }
};
WARPWISE_STATIC grid_group this_grid() { return {}; }

class multi_grid_group : public grid_group {
public:
  WARPWISE_DEVICE unsigned grid_rank() const { return 0; }
  WARPWISE_DEVICE unsigned num_grids() const { return 1; }
};
WARPWISE_STATIC multi_grid_group this_multi_grid() { return {}; }

class cluster_group {
public:
  WARPWISE_STATIC void sync() { details::__warpwise_grid_sync(); }
  WARPWISE_STATIC void barrier_arrive() {}
  WARPWISE_STATIC void barrier_wait() { details::__warpwise_grid_sync(); }
  WARPWISE_STATIC unsigned block_rank() {
    return __nvvm_read_ptx_sreg_cluster_ctarank();
  }
  WARPWISE_STATIC unsigned num_blocks() {
    return __nvvm_read_ptx_sreg_cluster_nctarank();
  }
  WARPWISE_STATIC unsigned num_threads() {
    return num_blocks() * details::threadsInBlock();
  }
  WARPWISE_STATIC unsigned size() { return num_threads(); }
  WARPWISE_STATIC unsigned thread_rank() {
    return block_rank() * details::threadsInBlock() + details::threadInBlock();
  }
  WARPWISE_STATIC dim3 dim_blocks() { return dim3(num_blocks()); }
  WARPWISE_STATIC dim3 block_index() { return dim3(block_rank()); }
  template <class T> WARPWISE_STATIC T *map_shared_rank(T *p, int Rank) {
    return (T *)__nvvm_mapa((void *)p, Rank);
  }
};
WARPWISE_STATIC cluster_group this_cluster() { return {}; }

/* Lanes of one warp, given by a mask. */
class coalesced_group {
public:
  unsigned Mask;

  WARPWISE_DEVICE void sync() const { __syncwarp(Mask); }
  WARPWISE_DEVICE unsigned size() const { return __popc(Mask); }
  WARPWISE_DEVICE unsigned num_threads() const { return size(); }
  WARPWISE_DEVICE unsigned thread_rank() const {
    return __popc(Mask & ((1u << details::lane()) - 1));
  }
  WARPWISE_DEVICE unsigned meta_group_rank() const { return 0; }
  WARPWISE_DEVICE unsigned meta_group_size() const { return 1; }
  WARPWISE_DEVICE int any(int Predicate) const {
    return __any_sync(Mask, Predicate);
  }
  WARPWISE_DEVICE int all(int Predicate) const {
    return __all_sync(Mask, Predicate);
  }
  WARPWISE_DEVICE unsigned ballot(int Predicate) const {
    return __ballot_sync(Mask, Predicate);
  }
  template <class T> WARPWISE_DEVICE T shfl(T Value, unsigned Rank) const {
    return details::exchange(Value, [=, this_mask = Mask](unsigned Word) {
      return __shfl_sync(this_mask, Word, __fns(this_mask, 0, Rank + 1));
    });
  }
  template <class T> WARPWISE_DEVICE T shfl_down(T Value, unsigned By) const {
    unsigned From = thread_rank() + By;
    return shfl(Value, From < size() ? From : thread_rank());
  }
  template <class T> WARPWISE_DEVICE T shfl_up(T Value, unsigned By) const {
    unsigned Rank = thread_rank();
    return shfl(Value, Rank < By ? Rank : Rank - By);
  }
  WARPWISE_DEVICE operator thread_group() const {
    return thread_group{size(), thread_rank(), Mask};
  }
};
WARPWISE_STATIC coalesced_group coalesced_threads() {
  return coalesced_group{__activemask()};
}

template <unsigned Size, class Parent = void> class thread_block_tile {
public:
  thread_block_tile() = default;
  template <class Other>
  WARPWISE_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &) {}

  WARPWISE_STATIC unsigned mask() {
    return Size >= 32
               ? ~0u
               : ((1u << (Size & 31)) - 1) << (details::lane() & ~(Size - 1));
  }
  WARPWISE_STATIC void sync() {
    if (Size > 32)
      __syncthreads();
    else
      __syncwarp(mask());
  }
  WARPWISE_STATIC unsigned long long size() { return Size; }
  WARPWISE_STATIC unsigned long long num_threads() { return Size; }
  WARPWISE_STATIC unsigned long long thread_rank() {
    return details::threadInBlock() % Size;
  }
  WARPWISE_STATIC unsigned long long meta_group_rank() {
    return details::threadInBlock() / Size;
  }
  WARPWISE_STATIC unsigned long long meta_group_size() {
    return (details::threadsInBlock() + Size - 1) / Size;
  }
  template <class T> WARPWISE_DEVICE T shfl(T Value, int Rank) const {
    return details::exchange(Value, [=](unsigned Word) {
      return __shfl_sync(mask(), Word, Rank, Size);
    });
  }
  template <class T> WARPWISE_DEVICE T shfl_down(T Value, unsigned By) const {
    return details::exchange(Value, [=](unsigned Word) {
      return __shfl_down_sync(mask(), Word, By, Size);
    });
  }
  template <class T> WARPWISE_DEVICE T shfl_up(T Value, unsigned By) const {
    return details::exchange(Value, [=](unsigned Word) {
      return __shfl_up_sync(mask(), Word, By, Size);
    });
  }
  template <class T> WARPWISE_DEVICE T shfl_xor(T Value, unsigned With) const {
    return details::exchange(Value, [=](unsigned Word) {
      return __shfl_xor_sync(mask(), Word, With, Size);
    });
  }
  WARPWISE_DEVICE int any(int Predicate) const {
    return (__ballot_sync(mask(), Predicate) & mask()) != 0;
  }
  WARPWISE_DEVICE int all(int Predicate) const {
    return (__ballot_sync(mask(), Predicate) & mask()) == mask();
  }
  WARPWISE_DEVICE unsigned ballot(int Predicate) const {
    return (__ballot_sync(mask(), Predicate) & mask()) >>
           (details::lane() & ~(Size - 1) & 31);
  }
  template <class T> WARPWISE_DEVICE unsigned match_any(T Value) const {
    return __match_any_sync(mask(), Value);
  }
  template <class T>
  WARPWISE_DEVICE unsigned match_all(T Value, int &Predicate) const {
    return __match_all_sync(mask(), Value, &Predicate);
  }
  WARPWISE_DEVICE operator thread_group() const {
    return thread_group{Size, (unsigned)thread_rank(), mask()};
  }
  WARPWISE_DEVICE operator coalesced_group() const {
    return coalesced_group{mask()};
  }
};

template <unsigned Size, class Parent>
WARPWISE_STATIC thread_block_tile<Size, Parent>
tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}
template <class Parent>
WARPWISE_STATIC thread_group tiled_partition(const Parent &, unsigned Size) {
  unsigned Rank = details::threadInBlock() % Size;
  unsigned Low = Size >= 32 ? ~0u : (1u << Size) - 1;
  return thread_group{Size, Rank, Low << ((details::lane() - Rank) & 31)};
}
template <class Parent>
WARPWISE_STATIC coalesced_group binary_partition(const Parent &Of,
                                                 bool Predicate) {
  unsigned Mask = coalesced_group(Of).Mask;
  unsigned Yes = __ballot_sync(Mask, Predicate);
  return coalesced_group{Predicate ? Yes : Mask & ~Yes};
}
template <class Parent, class Label>
WARPWISE_STATIC coalesced_group labeled_partition(const Parent &Of,
                                                  Label Which) {
  return coalesced_group{__match_any_sync(coalesced_group(Of).Mask, Which)};
}

template <class Group> WARPWISE_STATIC void sync(const Group &Of) { Of.sync(); }
template <class Group>
WARPWISE_STATIC unsigned long long thread_rank(const Group &Of) {
  return Of.thread_rank();
}
template <class Group>
WARPWISE_STATIC unsigned long long group_size(const Group &Of) {
  return Of.size();
}
WARPWISE_STATIC dim3 thread_index(const thread_block &) {
  return details::dimensions(threadIdx);
}
WARPWISE_STATIC dim3 group_index(const thread_block &) {
  return details::dimensions(blockIdx);
}
template <class Group, class Function, class... Arguments>
WARPWISE_STATIC void invoke_one(const Group &Of, Function &&Call,
                                Arguments &&...With) {
  if (Of.thread_rank() == 0)
    Call((Arguments &&)With...);
}

template <class T> struct plus {
  WARPWISE_DEVICE T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  WARPWISE_DEVICE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  WARPWISE_DEVICE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  WARPWISE_DEVICE T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  WARPWISE_DEVICE T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  WARPWISE_DEVICE T operator()(T a, T b) const { return a ^ b; }
};

template <class Group, class T, class Operation>
WARPWISE_STATIC T reduce(const Group &Of, T Value, Operation Combine) {
  unsigned Size = Of.size();
  for (unsigned By = 16; By > 0; By >>= 1) {
    T Other = Of.shfl_down(Value, By);
    if (Of.thread_rank() + By < Size)
      Value = Combine(Value, Other);
  }
  return Of.shfl(Value, 0);
}
template <class Group, class T, class Operation>
WARPWISE_STATIC T inclusive_scan(const Group &Of, T Value, Operation Combine) {
  for (unsigned By = 1; By < 32; By <<= 1) {
    T Other = Of.shfl_up(Value, By);
    if (Of.thread_rank() >= By)
      Value = Combine(Other, Value);
  }
  return Value;
}
template <class Group, class T>
WARPWISE_STATIC T inclusive_scan(const Group &Of, T Value) {
  return inclusive_scan(Of, Value, plus<T>());
}
template <class Group, class T, class Operation>
WARPWISE_STATIC T exclusive_scan(const Group &Of, T Value, Operation Combine) {
  T Before = Of.shfl_up(inclusive_scan(Of, Value, Combine), 1);
  return Of.thread_rank() == 0 ? T() : Before;
}
template <class Group, class T>
WARPWISE_STATIC T exclusive_scan(const Group &Of, T Value) {
  return exclusive_scan(Of, Value, plus<T>());
}

namespace experimental {
template <unsigned Size, class Parent>
WARPWISE_STATIC thread_block_tile<Size, Parent>
tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}
template <unsigned Threads> struct block_tile_memory {
  char Bytes[Threads / 32 * 8 + 8];
};
template <class Memory>
WARPWISE_STATIC thread_block this_thread_block(Memory &) {
  return {};
}
} // namespace experimental
template <unsigned Threads>
using block_tile_memory = experimental::block_tile_memory<Threads>;
template <class Memory>
WARPWISE_STATIC thread_block this_thread_block(Memory &) {
  return {};
}

#undef WARPWISE_STATIC
#undef WARPWISE_DEVICE

} // namespace cooperative_groups
#endif
#endif

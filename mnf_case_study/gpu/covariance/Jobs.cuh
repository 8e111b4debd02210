//===- Jobs.cuh - Blocks that share out matrices ----------------*- C++ -*-===//
//
// What V8 and the overlapped launches have in common: blocks that add up the
// products of one matrix or of two, and then their own partial sums. Each block
// has a multiprocessor to itself, and all run at once.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_JOBS_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_JOBS_CUH

#include "../BulkCopy.cuh"
#include "../Strips.h"
#include "Covariance.h"
#include "WideTiles.cuh"

#include <algorithm>

namespace mnf::jobs {

using namespace widetiles;

/// Chunks in shared memory, 196 KiB.
constexpr int Stages = 7;
/// Those that multiply, and a warp of which one thread asks for copies.
constexpr int Threads = Multipliers + 32;
/// Chunks until the sums are stored: 65,536 pixels * 255^2 < 2^32 and 65,536 *
/// 128^2 < 2^31.
constexpr int MostChunks = 65536 / Chunk;
constexpr int SharedBytes =
    Stages * ChunkBytes + SlackBytes + 2 * Stages * int(sizeof(Barrier));

/// A matrix of a launch.
struct JobOfBlocks {
  TensorMap From;
  int4 *Partial;
  int64_t *Products, *OfBands;
  int Bands, Chunks, IsSigned;
  /// If not null: what the counters of strips have to reach before chunks of
  /// theirs are there.
  const int *Done;
  int Target, PixelsOfLine;
  mnf::Strips Strips;
};
struct JobsOfLaunch {
  JobOfBlocks Of[2];
  int Count;
};

/// Blocks of a job that have stored their sums, and that have seen that all
/// have. Zeros between launches, of which one runs at a time.
__device__ static int Arrived[2], Gone[2];

/// A block's share of a job: every Blocks-th chunk.
struct Share {
  int Rank, Blocks, Chunks;

  __host__ __device__ int count() const {
    return (Chunks - Rank + Blocks - 1) / Blocks;
  }
  __device__ int chunk(int I) const { return Rank + I * Blocks; }
  /// How often its sums are stored.
  __host__ __device__ int sets() const {
    return ((Chunks + Blocks - 1) / Blocks + MostChunks - 1) / MostChunks;
  }
};

template <typename Sample, int Group>
__device__ static void multiplyChunks(const Share &Of, const uint8_t *Buffers,
                                      Barrier *Full, Barrier *Free,
                                      int4 *Partial) {
  int Stage = 0, Parity = 0, Before = 0;
  for (int Set = 0; Set < Of.sets(); ++Set) {
    Accumulator<Sample, Group> Sums;
    int Last = min((Set + 1) * MostChunks, Of.count());
    for (int I = Set * MostChunks; I < Last; ++I) {
      Full[Stage].wait(Parity);
      const uint8_t *Here = Buffers + Stage * ChunkBytes;
      Sums.start(Here);
      Sums.addBands(Here);
      waitForProducts<1>();
      // The chunk before is multiplied, and its bands were added up before
      // this one's.
      __syncwarp();
      if (I > 0 && threadIdx.x % 32 == 0)
        Free[Before].arrive();
      Before = Stage;
      if (++Stage == Stages) {
        Stage = 0;
        Parity ^= 1;
      }
    }
    waitForProducts<0>();
    Sums.store(Partial + size_t(Set * Of.Blocks + Of.Rank) * FoursOfSet);
  }
}

/// Returns when a counter has reached a number. What was written before it did
/// may then be copied.
__device__ inline void waitForCounter(const int *Counter, int Target) {
  int Seen;
  do
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                 : "=r"(Seen)
                 : "l"(Counter)
                 : "memory");
  while (Seen < Target);
  asm volatile("fence.proxy.async;" ::: "memory");
}

__device__ inline void copyChunks(const Share &Of, const JobOfBlocks &Job,
                                  uint8_t *Buffers, Barrier *Full,
                                  Barrier *Free) {
  int Stage = 0, Parity = 1, Ready = -1;
  for (int I = 0; I < Of.count(); ++I) {
    int First = Of.chunk(I) * Chunk;
    if (Job.Done) {
      int Needed = Job.Strips.of((First + Chunk - 1) / Job.PixelsOfLine);
      while (Ready < Needed)
        waitForCounter(Job.Done + ++Ready, Job.Target);
    }
    Free[Stage].wait(Parity);
    Full[Stage].arriveWith(ChunkBytes);
    copyBoxOnce(Buffers + Stage * ChunkBytes, Job.From, First, 0, Full[Stage]);
    if (++Stage == Stages) {
      Stage = 0;
      Parity ^= 1;
    }
  }
}

/// Returns when all blocks of a job have come here.
__device__ inline void waitForBlocks(int Job, int Blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&Arrived[Job], 1);
    while (*static_cast<volatile int *>(&Arrived[Job]) < Blocks)
      ;
    __threadfence();
    if (atomicAdd(&Gone[Job], 1) == Blocks - 1) {
      Gone[Job] = 0;
      Arrived[Job] = 0;
    }
  }
  __syncthreads();
}

/// Adds this block's share of the sums of all sets.
__device__ inline void addSets(const JobOfBlocks &Of, const Share &Mine) {
  int Sets = Mine.sets() * Mine.Blocks;
  // Threads that share a four of sums, each of which adds up some sets.
  int Parts = max(Mine.Blocks * Threads / FoursOfSet, 1);
  for (int At = Mine.Rank * Threads + int(threadIdx.x); At < Parts * FoursOfSet;
       At += Mine.Blocks * Threads) {
    int Four = At % FoursOfSet;
    bool AreBands = Four >= FoursOfThreads;
    int Thread = Four % Multipliers, First = Four / Multipliers * 4;
    Tile Begin = AreBands ? Tile{0, 4 * (Four - FoursOfThreads)}
                          : elementOf(Thread, First);
    // The others are no more on or above the diagonal than the second.
    if (!AreBands && Begin.Row > Begin.Column + 1)
      continue;
    int64_t Sums[4] = {};
#pragma unroll 11
    for (int Set = At / FoursOfSet; Set < Sets; Set += Parts) {
      // Past L1, as other multiprocessors wrote it.
      int4 Part = __ldcg(Of.Partial + size_t(Set) * FoursOfSet + Four);
      // Sums of unsigned bytes use all 32 bits.
      Sums[0] += Of.IsSigned ? Part.x : int64_t(uint32_t(Part.x));
      Sums[1] += Of.IsSigned ? Part.y : int64_t(uint32_t(Part.y));
      Sums[2] += Of.IsSigned ? Part.z : int64_t(uint32_t(Part.z));
      Sums[3] += Of.IsSigned ? Part.w : int64_t(uint32_t(Part.w));
    }
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      Tile Where = AreBands ? Tile{0, Begin.Column + I}
                            : Tile{Begin.Row + I / 2 * 8, Begin.Column + I % 2};
      if (Where.Row > Where.Column || Where.Column >= Of.Bands)
        continue;
      int64_t *To = AreBands
                        ? &Of.OfBands[Where.Column]
                        : &Of.Products[Where.Row * Of.Bands + Where.Column];
      atomicAdd(reinterpret_cast<unsigned long long *>(To),
                static_cast<unsigned long long>(Sums[I]));
    }
  }
}

/// All that a block does; \p Buffers are SharedBytes.
__device__ inline void addProductsOfBlock(const JobsOfLaunch &Of,
                                          uint8_t *Buffers) {
  auto *Full =
      reinterpret_cast<Barrier *>(Buffers + Stages * ChunkBytes + SlackBytes);
  Barrier *Free = Full + Stages;
  int Which = blockIdx.x % Of.Count;
  const JobOfBlocks &Mine = Of.Of[Which];
  Share Part = {int(blockIdx.x) / Of.Count, int(gridDim.x) / Of.Count,
                Mine.Chunks};
  if (threadIdx.x == 0) {
    for (int I = 0; I < Stages; ++I) {
      Full[I].start(1);
      Free[I].start(Multipliers / 32);
    }
    publishBarriers();
  }
  __syncthreads();
  if (threadIdx.x >= Multipliers) {
    if (threadIdx.x == Multipliers)
      copyChunks(Part, Mine, Buffers, Full, Free);
  } else if (Mine.IsSigned) {
    if (threadIdx.x < 128)
      multiplyChunks<int8_t, 0>(Part, Buffers, Full, Free, Mine.Partial);
    else
      multiplyChunks<int8_t, 1>(Part, Buffers, Full, Free, Mine.Partial);
  } else {
    if (threadIdx.x < 128)
      multiplyChunks<uint8_t, 0>(Part, Buffers, Full, Free, Mine.Partial);
    else
      multiplyChunks<uint8_t, 1>(Part, Buffers, Full, Free, Mine.Partial);
  }
  waitForBlocks(Which, Part.Blocks);
  addSets(Mine, Part);
}

inline int multiprocessors() {
  int Device = 0, Count = 0;
  cudaGetDevice(&Device);
  cudaDeviceGetAttribute(&Count, cudaDevAttrMultiProcessorCount, Device);
  return Count;
}

inline int chunksOf(int Pixels) { return (Pixels + Chunk - 1) / Chunk; }

/// Memory on the device for the sets of a launch of so many blocks.
inline size_t bytesOfSets(int Blocks, int Pixels) {
  // A block of each of two jobs stores once, or once more where it has more
  // pixels than its sums hold.
  size_t Sets = Blocks + 2 * (chunksOf(Pixels) / MostChunks + 1);
  return sizeof(int4) * FoursOfSet * Sets;
}

/// The jobs as blocks take them. Returns how many blocks each job gets, at most
/// \p Most.
inline int prepare(const JobV8 *Jobs, int Count, int Bands, int Most,
                   void *Scratch, JobsOfLaunch &Launch) {
  int Blocks = Most;
  for (int I = 0; I < Count; ++I)
    Blocks = std::min(Blocks, chunksOf(Jobs[I].Pixels));
  Launch.Count = Count;
  auto *Partial = static_cast<int4 *>(Scratch);
  for (int I = 0; I < Count; ++I) {
    const JobV8 &Of = Jobs[I];
    JobOfBlocks &Job = Launch.Of[I];
    Job = {};
    Job.From = mapOf(Of.Data, Bands, Of.Pixels, Of.Pitch, MostBands);
    Job.Partial = Partial;
    Job.Products = Of.Products;
    Job.OfBands = Of.OfBands;
    Job.Bands = Bands;
    Job.Chunks = chunksOf(Of.Pixels);
    Job.IsSigned = Of.IsSigned;
    Partial +=
        size_t(FoursOfSet) * Blocks * Share{0, Blocks, Job.Chunks}.sets();
  }
  return Blocks;
}

} // namespace mnf::jobs

#endif // WARPWISE_MNF_CASE_STUDY_GPU_COVARIANCE_JOBS_CUH

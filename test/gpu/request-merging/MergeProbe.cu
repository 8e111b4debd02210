//===- MergeProbe.cu - SMs that ask for sectors of a line in turn ---------===//
//
// Each launch of askInTurn lets a few SMs ask, one after the other and some
// cycles apart, for chosen sectors of one line, and again for a hundred lines
// more. Under Nsight Compute the reads that L2 served for the launch, over the
// number of lines, are the reads of that sequence. What was asked goes to
// standard output, a line per launch; measure.py puts the two together.
//
// A sequence is written as words: "0" is a load of sector 0, "0123" of a whole
// line. Before the sectors stand
//   b  an SM of another GPC asks
//   t  the SM asks that is in the TPC of the one before
//   c  the load goes past L1 (ld.global.cg)
//   w  16 bytes a thread instead of 4
//   s  it is a store
//   a  it is an atomic addition without an answer
//   k  an asynchronous copy of 16 bytes a thread (cp.async.cg)
//   m  the same, to shared memory that is 32 bytes off: the line lies across
//      two rows of the banks there
// Every request of a sequence comes from another SM, so that L1 never has it.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr unsigned MostAsks = 9;
constexpr unsigned LineBytes = 128, SectorBytes = 32;
/// One line says yes or no; shares of many tell where a window ends.
constexpr unsigned Rounds = 128;
/// Nothing of a line may be under way when the next one's turn comes.
constexpr unsigned RoundCycles = 6000, RoundNanoseconds = 3008;
/// Until the first round: all SMs have heard of the start by then.
constexpr unsigned LeadCycles = 20000, LeadNanoseconds = 10000;
/// More than half of what an SM has: it holds no second block.
constexpr unsigned RoomBytes = 120000;
/// Edges of the global timer that an SM's clock is read at.
constexpr unsigned Edges = 400;

void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(Error));
  std::exit(1);
}

enum class Access : uint8_t { Load, LoadPastL1, WideLoad, Store, Add, Copy };

/// What one SM does in each round.
struct Ask {
  unsigned Sm;
  int Offset;     ///< what its clock is ahead of the first one's
  unsigned Delay; ///< cycles after the round begins
  Access What;
  uint8_t Lanes;
  uint8_t First;  ///< byte of the line
  uint8_t Shared; ///< byte of shared memory that a copy goes to
};

/// Travels by value: no load but those of the sequence is to be counted.
struct Sequence {
  Ask Asks[MostAsks];
  unsigned Count;
  /// Clocks of two GPCs drift apart. Their SMs begin each round with a tick of
  /// the global timer, which is the same for all, but coarse.
  bool ByTimer;
};

struct Meeting {
  unsigned Arrived;
  unsigned long long Start; ///< 0: not yet known
};

__device__ unsigned smId() {
  unsigned Id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(Id));
  return Id;
}
__device__ uint64_t clockNow() {
  uint64_t Now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(Now)::"memory");
  return Now;
}
__device__ uint64_t timerNow() {
  uint64_t Now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Now)::"memory");
  return Now;
}

/// Returns what was loaded: the assembler drops loads that nobody uses.
__device__ unsigned access(const Ask &A, char *Line, unsigned Shared) {
  const unsigned Lane = threadIdx.x;
  const unsigned Bytes =
      A.What == Access::WideLoad || A.What == Access::Copy ? 16 : 4;
  char *At = Line + A.First + Lane * Bytes;
  unsigned X = 0, Y = 0, Z = 0, W = 0;
  switch (A.What) {
  case Access::Load:
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(X) : "l"(At) : "memory");
    break;
  case Access::LoadPastL1:
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(X) : "l"(At) : "memory");
    break;
  case Access::WideLoad:
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(X), "=r"(Y), "=r"(Z), "=r"(W)
                 : "l"(At)
                 : "memory");
    break;
  case Access::Store:
    asm volatile("st.global.u32 [%0], %1;" ::"l"(At), "r"(0) : "memory");
    break;
  case Access::Add:
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(At), "r"(0) : "memory");
    break;
  case Access::Copy:
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\t"
                 "cp.async.wait_all;" ::"r"(Shared + A.Shared + Lane * Bytes),
                 "l"(At)
                 : "memory");
    break;
  }
  return X | Y | Z | W;
}

/// One block per SM, one warp each.
__global__ void askInTurn(__grid_constant__ const Sequence S, char *Lines,
                          Meeting *M) {
  extern __shared__ __align__(128) char Room[];
  // No block leaves before all are there, or another could come to its SM.
  // Atomics are not counted among the reads.
  const unsigned Lane = threadIdx.x;
  if (Lane == 0) {
    atomicAdd(&M->Arrived, 1);
    while (atomicAdd(&M->Arrived, 0) != gridDim.x)
      ;
  }
  __syncwarp();
  unsigned Mine = 0;
  while (Mine != S.Count && S.Asks[Mine].Sm != smId())
    ++Mine;
  if (Mine == S.Count)
    return;
  const Ask A = S.Asks[Mine];
  unsigned long long Start = 0;
  if (Lane == 0) {
    if (Mine == 0) // the first one's clock is the one that offsets refer to
      atomicExch(&M->Start, S.ByTimer ? timerNow() + LeadNanoseconds
                                      : clockNow() + LeadCycles);
    while ((Start = atomicAdd(&M->Start, 0)) == 0)
      ;
  }
  Start = __shfl_sync(~0u, Start, 0);
  if (Lane >= A.Lanes)
    return;
  const unsigned Shared = unsigned(__cvta_generic_to_shared(Room));
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    uint64_t When;
    if (S.ByTimer) {
      while (timerNow() < Start + uint64_t(Round) * RoundNanoseconds)
        ;
      When = clockNow() + A.Delay;
    } else {
      When = Start + uint64_t(Round) * RoundCycles + A.Offset + A.Delay;
    }
    while (clockNow() < When)
      ;
    // Lines are zero: it never happens.
    if (access(A, Lines + Round * LineBytes, Shared) != 0)
      M->Arrived = 0;
  }
}

/// Notes what each SM's clock says at edges of the global timer, in pairs.
__global__ void readClocks(uint64_t *Pairs, Meeting *M) {
  if (threadIdx.x != 0)
    return;
  atomicAdd(&M->Arrived, 1);
  while (atomicAdd(&M->Arrived, 0) != gridDim.x)
    ;
  uint64_t *Out = Pairs + size_t(smId()) * Edges * 2;
  uint64_t Before = timerNow();
  for (unsigned I = 0; I != Edges; ++I) {
    uint64_t Timer, Clock;
    do {
      Timer = timerNow();
      Clock = clockNow();
    } while (Timer == Before);
    Out[2 * I] = Before = Timer;
    Out[2 * I + 1] = Clock;
  }
}

/// Blocks of a cluster lie in one GPC.
__global__ void noteSm(unsigned *Sm) {
  const uint64_t From = clockNow();
  while (clockNow() - From < 3000 + (blockIdx.x * 2654435761u >> 20))
    ;
  if (threadIdx.x == 0)
    Sm[blockIdx.x] = smId();
}

class Probe {
public:
  Probe() {
    cudaDeviceProp Device;
    check(cudaGetDeviceProperties(&Device, 0));
    Sms = Device.multiProcessorCount;
    // Clearing it leaves its end in L2; the beginning, which is used, is in
    // DRAM.
    const size_t Bytes = 4 * size_t(Device.l2CacheSize) + (size_t(256) << 20);
    check(cudaMalloc(&Lines, Bytes));
    check(cudaMemset(Lines, 0, Bytes));
    check(cudaMalloc(&M, sizeof(Meeting)));
    check(cudaMalloc(&Pairs, size_t(Sms) * Edges * 2 * sizeof(uint64_t)));
    allowRoom(reinterpret_cast<const void *>(askInTurn));
    allowRoom(reinterpret_cast<const void *>(readClocks));
    findGpcs();
    for (unsigned I = 0; I != 300; ++I) // until clocks have risen
      launchClocks();
  }

  /// GPCs that have an SM for every request.
  const std::vector<std::vector<unsigned>> &gpcs() const { return Gpcs; }

  /// First with lines that only DRAM has, then with the same lines, which L2
  /// has now, near to the same SMs.
  void run(unsigned Gpc, unsigned OtherGpc, const std::string &Words,
           unsigned Distance, bool ByTimer) {
    Sequence S = parse(Gpc, OtherGpc, Words, Distance);
    S.ByTimer = ByTimer;
    for (const char *Where : {"DRAM", "L2"}) {
      if (!ByTimer)
        setOffsets(S);
      check(cudaMemset(M, 0, sizeof(Meeting)));
      askInTurn<<<Sms, 32, RoomBytes>>>(S, Lines, M);
      check(cudaDeviceSynchronize());
      std::printf("%s,%u,%s,%u,%s\n", Where, Gpc, ByTimer ? "timer" : "clock",
                  Distance, Words.c_str());
    }
    Lines += Rounds * LineBytes;
  }

private:
  void allowRoom(const void *Kernel) {
    check(cudaFuncSetAttribute(
        Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, RoomBytes));
  }

  /// SMs that ever shared a cluster are joined, until nothing joins any more.
  void findGpcs() {
    check(cudaFuncSetAttribute(
        noteSm, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    std::vector<unsigned> Of(Sms);
    std::iota(Of.begin(), Of.end(), 0u);
    for (unsigned Size : {2u, 4u, 8u, 16u})
      for (unsigned Repeat = 0; Repeat != 10; ++Repeat) {
        cudaLaunchAttribute Cluster{};
        Cluster.id = cudaLaunchAttributeClusterDimension;
        Cluster.val.clusterDim = {Size, 1, 1};
        cudaLaunchConfig_t Config{};
        Config.gridDim = dim3(Size * (16 + Repeat * 10));
        Config.blockDim = dim3(1024);
        Config.attrs = &Cluster;
        Config.numAttrs = 1;
        unsigned *Where;
        check(cudaMalloc(&Where, Config.gridDim.x * sizeof(unsigned)));
        check(cudaLaunchKernelEx(&Config, noteSm, Where));
        std::vector<unsigned> At(Config.gridDim.x);
        check(cudaMemcpy(At.data(), Where, At.size() * sizeof(unsigned),
                         cudaMemcpyDeviceToHost));
        check(cudaFree(Where));
        for (size_t I = 0; I != At.size(); ++I) {
          const unsigned From = Of[At[I]], To = Of[At[I / Size * Size]];
          for (unsigned &Group : Of)
            if (Group == From)
              Group = To;
        }
      }
    std::map<unsigned, std::vector<unsigned>> Found;
    for (unsigned Sm = 0; Sm != Sms; ++Sm)
      Found[Of[Sm]].push_back(Sm);
    for (const auto &[Group, Members] : Found)
      if (Members.size() >= 2 * MostAsks - 2)
        Gpcs.push_back(Members);
    std::sort(Gpcs.begin(), Gpcs.end());
    for (const auto &Members : Gpcs) {
      std::fprintf(stderr, "GPC:");
      for (unsigned Sm : Members)
        std::fprintf(stderr, " %u", Sm);
      std::fprintf(stderr, "\n");
    }
  }

  /// SMs ask in the order of the words, each from a TPC of its own as long as
  /// there are some, then from their neighbours; "t" takes the neighbour.
  Sequence parse(unsigned Gpc, unsigned OtherGpc, const std::string &Words,
                 unsigned Distance) const {
    Sequence S{};
    std::vector<unsigned> Used;
    size_t Begin = 0;
    while (Begin < Words.size()) {
      const size_t End = std::min(Words.find(' ', Begin), Words.size());
      Ask A{};
      unsigned From = Gpc, Least = 4, Most = 0;
      bool Neighbour = false;
      for (char C : Words.substr(Begin, End - Begin))
        if (C == 'b') {
          From = OtherGpc;
        } else if (C == 't') {
          Neighbour = true;
        } else if (C == 'c') {
          A.What = Access::LoadPastL1;
        } else if (C == 'w') {
          A.What = Access::WideLoad;
        } else if (C == 's') {
          A.What = Access::Store;
        } else if (C == 'a') {
          A.What = Access::Add;
        } else if (C == 'k' || C == 'm') {
          A.What = Access::Copy;
          A.Shared = C == 'm' ? SectorBytes : 0;
        } else {
          Least = std::min(Least, unsigned(C - '0'));
          Most = std::max(Most, unsigned(C - '0'));
        }
      const unsigned Bytes =
          A.What == Access::WideLoad || A.What == Access::Copy ? 16 : 4;
      A.Lanes = uint8_t((Most + 1 - Least) * SectorBytes / Bytes);
      A.First = uint8_t(Least * SectorBytes);
      A.Delay = S.Count * Distance;
      A.Sm = Neighbour ? Used.back() ^ 1u : freeSm(Gpcs[From], Used);
      Used.push_back(A.Sm);
      S.Asks[S.Count++] = A;
      Begin = End + 1;
    }
    return S;
  }

  static unsigned freeSm(const std::vector<unsigned> &Members,
                         const std::vector<unsigned> &Used) {
    const auto IsUsed = [&](unsigned Sm) {
      return std::find(Used.begin(), Used.end(), Sm) != Used.end();
    };
    for (unsigned Sm : Members)
      if (!IsUsed(Sm) && !IsUsed(Sm ^ 1u))
        return Sm;
    for (unsigned Sm : Members)
      if (!IsUsed(Sm))
        return Sm;
    std::fprintf(stderr, "too few SMs\n");
    std::exit(1);
  }

  void launchClocks() {
    check(cudaMemset(M, 0, sizeof(Meeting)));
    readClocks<<<Sms, 32, RoomBytes>>>(Pairs, M);
    check(cudaDeviceSynchronize());
  }

  /// SMs of a GPC have one clock, but do not count from the same time on. What
  /// lies between them is the least delay that a tick of the timer was seen
  /// with, or nearly: an edge is seen late by the time of a poll.
  void setOffsets(Sequence &S) {
    launchClocks();
    std::vector<uint64_t> Read(size_t(Sms) * Edges * 2);
    check(cudaMemcpy(Read.data(), Pairs, Read.size() * sizeof(uint64_t),
                     cudaMemcpyDeviceToHost));
    const uint64_t *First = &Read[size_t(S.Asks[0].Sm) * Edges * 2];
    const double Rate = double(First[2 * Edges - 1] - First[1]) /
                        double(First[2 * Edges - 2] - First[0]);
    const auto AheadOf = [&](unsigned Sm) {
      const uint64_t *P = &Read[size_t(Sm) * Edges * 2];
      std::vector<double> Late;
      for (unsigned I = 0; I != Edges; ++I)
        Late.push_back(double(int64_t(P[2 * I + 1] - First[1])) -
                       Rate * double(int64_t(P[2 * I] - First[0])));
      std::nth_element(Late.begin(), Late.begin() + Edges / 10, Late.end());
      return Late[Edges / 10];
    };
    const double Base = AheadOf(S.Asks[0].Sm);
    for (unsigned I = 0; I != S.Count; ++I)
      S.Asks[I].Offset = int(AheadOf(S.Asks[I].Sm) - Base);
  }

  unsigned Sms = 0;
  std::vector<std::vector<unsigned>> Gpcs;
  char *Lines = nullptr;
  Meeting *M = nullptr;
  uint64_t *Pairs = nullptr;
};

} // namespace

int main() {
  Probe P;
  const unsigned Count = unsigned(P.gpcs().size());
  if (Count < 2) {
    std::fprintf(stderr, "no two GPCs\n");
    return 1;
  }
  const unsigned Some[] = {0, Count / 2};
  for (unsigned Gpc : Some) {
    // How long a read can be joined.
    for (const char *Pair : {"0 0", "0123 0123", "0123 t0123"})
      for (unsigned Distance :
           {0, 16, 32, 48, 64, 80, 100, 150, 250, 350, 450, 550, 650, 800})
        P.run(Gpc, 0, Pair, Distance, false);
    // How many can join it. An SM polls its clock, and asks up to 25 cycles
    // late: so near to each other only equal requests come in any order.
    for (const char *Words :
         {"0 0 0", "0 0 0 0", "0 0 0 0 0", "0 0 0 0 0 0", "0 0 0 0 0 0 0 0",
          "0 0 0 0 0 0 0 0 0", "0123 0123 0123 0123 0123 0123"})
      P.run(Gpc, 0, Words, 8, false);
    for (unsigned Distance : {30, 40, 100}) {
      for (const char *Words :
           {"0", "0123", "0 t0", "0 0 0", "0 0 0 0", "0 0 0 0 0", "0 0 0 0 0 0",
            "0123 0123 0123 0123 0123 0123"})
        P.run(Gpc, 0, Words, Distance, false);
      // Other sectors of the line.
      for (const char *Words :
           {"0 1",         "0 2",           "01 23",
            "01 12",       "0 0123",        "0123 0",
            "0 1 0",       "0 2 0",         "0 1 1",
            "0 2 2",       "0 1 0 0",       "0 0 1 0",
            "0 1 0 1",     "0 2 0 2",       "0 1 0 1 0 1 0 1",
            "0 1 2 3",     "0 1 2 3 3",     "0 1 2 3 2",
            "0 1 2 0 1 2", "01 23 01",      "01 23 23",
            "01 23 01 23", "01 12 01",      "0 0123 0 0123",
            "012 3 012 3", "0 0 0 0 1 1",   "0 0 0 0 1 0",
            "0 t1 0",      "0 0 0 0 0 1 0", "0 0 1 1 0 0 1 1"})
        P.run(Gpc, 0, Words, Distance, false);
      // Stores and atomics.
      for (const char *Words :
           {"0 s0", "0 s0 0", "0 s0 0 0", "0 0 s0 0 0", "0 s1 0", "0 s1 s1 0",
            "0 s3 0", "0 s1 0 0", "0 0 s1 0 0", "0 s0123 0", "0123 s0 0123",
            "0123 s0123 0123", "s0 0", "s0 0 0", "0 ts0 0", "0 a0 0", "0 a1 0",
            "0123 a0 0123"})
        P.run(Gpc, 0, Words, Distance, false);
      // Other instructions.
      for (const char *Words :
           {"c0 c0", "0 c0", "0 1 c0", "w0123", "w0123 w0123", "0123 w0123",
            "k0123", "k0123 k0123", "0123 k0123", "m0123", "m0123 m0123",
            "0123 m0123"})
        P.run(Gpc, 0, Words, Distance, false);
    }
  }
  // Two GPCs.
  for (unsigned Other : {1u, Count - 1})
    for (const char *Words :
         {"0 0", "0 b0", "0 b0 0", "0 b0 b0 0", "0 b1", "0 1 0", "0 b1 0",
          "0 b1 0 0", "0 b1 b1", "b1 0 0", "0 s0 0", "0 bs0 0", "0 bs1 0",
          "0 ba0 0", "0123 0123", "0123 b0123", "0123 b0 0123", "0 b0123 0"})
      P.run(0, Other, Words, 80, true);
  return 0;
}

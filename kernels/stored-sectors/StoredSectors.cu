//===- StoredSectors.cu - What a store leaves in L1 -----------------------===//
//
// A warp stores to part of a line that was or was not in L1, waits, and times a
// load of what it stored: a hit or a trip to L2. Then the same with other
// accesses or time in between, which shows how long a stored sector lives. A
// store that another SM sees while the storing SM still runs went through L1.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"
#include "kernels/stored-sectors/StoreTraffic.cuh"
#include "profiler/inference/StoredSectors.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpwise::harness {
namespace {

constexpr unsigned WordsPerLine = 32;
constexpr unsigned TestedLines = 128; ///< of one launch of storeThenLoad
/// A word of the line's third sector.
constexpr unsigned NeighbourWord = 16;

enum class Before { Absent, Present, Neighbour };

/// A way to store and what is loaded then.
struct Case {
  const char *Name;
  Before Line;         ///< what of the line a load had brought into L1
  unsigned StoreBytes; ///< 0, 1 or a multiple of 4 up to the line, from byte 0
  unsigned ProbeWord;  ///< that is loaded and timed
  const char *Means;
};

constexpr Case LoadHit = {"", Before::Present, 0, 0, ""};
constexpr Case LoadMiss = {"", Before::Absent, 0, 0, ""};
constexpr Case StoreCases[] = {
    {"absent_byte", Before::Absent, 1, 0, "a byte, line not in L1"},
    {"absent_word", Before::Absent, 4, 0, "4 bytes, line not in L1"},
    {"absent_word_rest", Before::Absent, 4, 1,
     "4 bytes, line not in L1, another word of the sector loaded"},
    {"absent_half", Before::Absent, 16, 0, "16 bytes, line not in L1"},
    {"absent_sector", Before::Absent, 32, 0, "a sector, line not in L1"},
    {"absent_line", Before::Absent, 128, 0, "a line that was not in L1"},
    {"present_word", Before::Present, 4, 0, "4 bytes of a sector in L1"},
    {"present_word_rest", Before::Present, 4, 1,
     "4 bytes of a sector in L1, another word of it loaded"},
    {"present_sector", Before::Present, 32, 0, "a sector in L1"},
    {"neighbour_word", Before::Neighbour, 4, 0,
     "4 bytes, another sector of the line in L1"},
    {"neighbour_sector", Before::Neighbour, 32, 0,
     "a sector, another sector of the line in L1"},
};

__device__ __forceinline__ void wait(uint32_t Cycles) {
  const uint32_t From = clockNow();
  while (clockNow() - From < Cycles)
    ;
}

/// Lane l stores the l-th word; a single byte is lane 0's. All in one
/// instruction.
__device__ __forceinline__ void storeBytes(uint32_t *Line, unsigned Bytes,
                                           uint32_t Value) {
  const unsigned Lane = threadIdx.x;
  if (Bytes == 1) {
    if (Lane == 0)
      asm volatile("st.global.u8 [%0], %1;" ::"l"(Line), "r"(Value) : "memory");
  } else if (Lane * 4 < Bytes) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(Line + Lane), "r"(Value)
                 : "memory");
  }
  __syncwarp();
}

/// The time of one load of \p At; \p Value gets what was loaded.
__device__ __forceinline__ uint32_t timeLoad(const uint32_t *At,
                                             uint32_t &Value) {
  const uint32_t Begin = clockNow();
  Value = consume(load<Path::L1>(At));
  return clockNow() - Begin;
}

/// One warp goes through lines of zeros that L1 does not have. \p Latencies by
/// line; \p Wrong counts loads that did not see the store.
__global__ void storeThenLoad(uint32_t *Lines, Before State,
                              unsigned StoreBytes, unsigned ProbeWord,
                              uint32_t WaitCycles, uint32_t *Latencies,
                              uint32_t *Wrong) {
  __shared__ uint32_t Log[TestedLines];
  uint32_t Bad = 0;
#pragma unroll 1
  for (unsigned I = 0; I != TestedLines; ++I) {
    uint32_t *Line = Lines + I * WordsPerLine;
    if (State == Before::Present)
      consume(load<Path::L1>(Line));
    if (State == Before::Neighbour)
      consume(load<Path::L1>(Line + NeighbourWord));
    const uint32_t Stored = StoreBytes == 1 ? 0x5a : 0x10000 + I;
    storeBytes(Line, StoreBytes, Stored);
    wait(WaitCycles);
    uint32_t Value;
    const uint32_t Took = timeLoad(Line + ProbeWord, Value);
    const bool WasStored = ProbeWord * 4 < StoreBytes;
    Bad += Value != (WasStored ? Stored : 0);
    if (threadIdx.x == 0)
      Log[I] = Took;
  }
  __syncwarp();
  for (unsigned I = threadIdx.x; I < TestedLines; I += 32)
    Latencies[I] = Log[I];
  if (Bad != 0)
    atomicAdd(Wrong, Bad);
}

enum class Filler { Loads, Stores };
/// Other lines in between, up to twice the largest L1.
constexpr unsigned OtherCounts[] = {0,    32,   64,   128,  256,  512,
                                    768,  1024, 1280, 1536, 1664, 1792,
                                    1920, 2048, 2304, 2560, 3072, 4096};
constexpr unsigned MostOthers = 4096;
constexpr unsigned Probes = 8; ///< sectors that one launch of outlive follows

/// One warp stores (or loads) the first sector of some lines, then loads or
/// stores \p Others other lines, waits, and times a load of each of the first.
__global__ void outlive(uint32_t *Lines, bool StoreFirst, uint32_t *OtherLines,
                        Filler Between, unsigned Others, uint32_t WaitCycles,
                        uint32_t *Latencies) {
  for (unsigned P = 0; P != Probes; ++P)
    if (StoreFirst)
      storeBytes(Lines + P * WordsPerLine, 32, P);
    else
      consume(load<Path::L1>(Lines + P * WordsPerLine));
  wait(1000);
  uint32_t Sum = 0;
  for (unsigned I = threadIdx.x; I < Others; I += 32) {
    uint32_t *At = OtherLines + size_t(I) * WordsPerLine;
    if (Between == Filler::Loads)
      Sum |= load<Path::L1>(At);
    else
      asm volatile("st.global.u32 [%0], %1;" ::"l"(At), "r"(0) : "memory");
  }
  consume(Sum);
  __syncwarp();
  wait(WaitCycles);
  uint32_t Kept = 0;
  for (unsigned P = 0; P != Probes; ++P) {
    uint32_t Value;
    const uint32_t Took = timeLoad(Lines + P * WordsPerLine, Value);
    Kept = threadIdx.x == P ? Took : Kept;
  }
  if (threadIdx.x < Probes)
    Latencies[threadIdx.x] = Kept;
}

/// Block 0 stores to a line that its L1 holds and goes on running; block 1
/// polls L2 until it sees that. \p Times: of the store, of the sight (0:
/// never), then the SMs of both.
__global__ void watchStore(uint32_t *Word, uint32_t *Flags, uint64_t *Times) {
  constexpr uint64_t Patience = 1'000'000; // cycles
  const auto Until = [&](uint32_t *At, uint32_t Value) {
    const uint64_t From = clock64Now();
    while (*static_cast<volatile uint32_t *>(At) != Value)
      if (clock64Now() - From > Patience)
        return false;
    return true;
  };
  if (blockIdx.x == 0) {
    consume(load<Path::L1>(Word));
    Until(&Flags[0], 1);
    Times[0] = globalNanoseconds();
    asm volatile("st.global.u32 [%0], %1;" ::"l"(Word), "r"(1) : "memory");
    Until(&Flags[1], 1);
    Times[2] = smId();
  } else {
    atomicExch(&Flags[0], 1);
    const bool Seen = Until(Word, 1);
    Times[1] = Seen ? globalNanoseconds() : 0;
    Times[3] = smId();
    atomicExch(&Flags[1], 1);
  }
}

using Reference = inference::HitReference;

class StoreTests {
public:
  explicit StoreTests(const Device &D)
      : Lines(TestedLines * WordsPerLine), Latencies(TestedLines), Wrong(1),
        OtherLines(MostOthers * WordsPerLine),
        ThenLoad(requestCarveout(
            D, reinterpret_cast<const void *>(storeThenLoad), 0)),
        Outlive(
            requestCarveout(D, reinterpret_cast<const void *>(outlive), 0)) {
    Wrong.zero();
    OtherLines.zero();
  }

  /// Latencies of the load after the store, by line.
  std::vector<double> run(const Case &C, uint32_t WaitCycles = 1000) {
    Lines.zero();
    storeThenLoad<<<1, 32, ThenLoad>>>(Lines.get(), C.Line, C.StoreBytes,
                                       C.ProbeWord, WaitCycles, Latencies.get(),
                                       Wrong.get());
    finish();
    if (Wrong.download()[0] != 0)
      throw CudaFailure("a load did not see the store before it");
    const std::vector<uint32_t> Took = Latencies.download();
    return {Took.begin(), Took.end()};
  }

  /// Share of the sectors that are still in L1 after \p Others other lines and
  /// \p WaitCycles.
  double surviving(const Reference &Is, bool Stored, Filler Between,
                   unsigned Others, uint32_t WaitCycles) {
    constexpr unsigned Launches = 8;
    // Each launch tracks lines of its own, so that no set is special.
    for (unsigned L = 0; L != Launches; ++L)
      outlive<<<1, 32, Outlive>>>(Lines.get() + L * Probes * WordsPerLine,
                                  Stored, OtherLines.get(), Between, Others,
                                  WaitCycles, Latencies.get() + L * Probes);
    finish();
    double Hits = 0;
    for (uint32_t Took : Latencies.download(Launches * Probes))
      Hits += Is.isHit(Took);
    return Hits / (Launches * Probes);
  }

private:
  Buffer<uint32_t> Lines, Latencies, Wrong, OtherLines;
  unsigned ThenLoad, Outlive; ///< dynamic shared memory for the largest L1
};

/// The share of hits by case.
std::map<std::string_view, double>
recordStoreThenLoad(Session &S, StoreTests &Tests, const Reference &Is) {
  std::map<std::string_view, double> HitShare;
  std::vector<double> Hits;
  for (const Case &C : StoreCases) {
    const std::vector<double> Took = Tests.run(C);
    const double Share = Is.hitShare(Took);
    std::copy_if(Took.begin(), Took.end(), std::back_inserter(Hits),
                 [&](double T) { return Is.isHit(T); });
    HitShare[C.Name] = Share;
    S.trace(C.Name, {{"latency with bracket [clk]", Took}});
    const std::string Method =
        fmt::format("bracketed load 1000 cycles after a store of {}", C.Means);
    S.exact(fmt::format("levels.l1.stored.{}.hit_share", C.Name), "1", Share,
            Method, unsigned(Took.size()));
    S.measured(fmt::format("levels.l1.stored.{}.latency", C.Name), "clk",
               inference::estimate(Took),
               fmt::format("{}; a hit takes {:.0f} and a miss {:.0f} in this "
                           "bracket",
                           Method, Is.Hit, Is.Miss));
  }
  if (Hits.empty()) {
    S.notMeasurable(paths::levels_l1_store_hit_latency, "clk",
                    "no load of a stored word hits L1");
  } else {
    // The bracket's bias is what it adds to an ordinary hit.
    const double Bias = Is.Hit - S.need(paths::levels_l1_latency);
    inference::Estimate E = inference::estimate(Hits);
    E.Value -= Bias;
    E.Low -= Bias;
    E.High -= Bias;
    S.measured(paths::levels_l1_store_hit_latency, "clk", E,
               "load of a stored word that hits L1, less what the bracket adds "
               "to an ordinary hit");
  }
  return HitShare;
}

void recordAllocation(Session &S, std::map<std::string_view, double> HitShare) {
  const inference::AbsentStores Absent = {
      HitShare["absent_word"], HitShare["absent_word_rest"],
      HitShare["absent_sector"], HitShare["absent_line"]};
  const std::string Method = fmt::format(
      "share of loads that hit after a store to a line that L1 did not have: "
      "{:.2f} of a word, {:.2f} next to it, {:.2f} of a sector, {:.2f} of a "
      "line",
      Absent.Word, Absent.WordRest, Absent.Sector, Absent.Line);
  S.word(paths::levels_l1_write_allocate,
         std::string(inference::writeAllocation(Absent)), Method);
  S.word(paths::levels_l1_write_allocate_partial,
         std::string(inference::partialAllocation(Absent)), Method);
  S.word(paths::levels_l1_store_to_present,
         std::string(inference::storeToPresent(HitShare["present_word"],
                                               HitShare["present_word_rest"])),
         fmt::format("share of loads that hit after a store to a sector in L1: "
                     "{:.2f} of the word, {:.2f} next to it",
                     HitShare["present_word"], HitShare["present_word_rest"]));
}

/// One curve of survival and where it falls below one half.
void recordSurvival(Session &S, const std::string &Name, const char *X,
                    const char *Unit, double UnitsPerX,
                    const std::vector<std::array<double, 2>> &Points,
                    const std::string &Method) {
  S.curve("levels.l1.lifetime." + Name, X, "share still in L1", Points, Method);
  const std::string Path = fmt::format("levels.l1.lifetime.{}", Name);
  if (Points.front()[1] < 0.5) {
    S.notMeasurable(Path, Unit, "it is not in L1 in the first place");
    return;
  }
  if (std::optional<inference::Estimate> Half = inference::halfLife(Points)) {
    Half->Value *= UnitsPerX;
    Half->Low *= UnitsPerX;
    Half->High *= UnitsPerX;
    S.measured(Path, Unit, *Half, Method + ", until half of them are gone");
    return;
  }
  S.notMeasurable(
      Path, Unit,
      fmt::format("more than half are still there at the end, {:.0f} "
                  "{}",
                  Points.back()[0] * UnitsPerX, Unit));
}

void recordLifetime(Session &S, StoreTests &Tests, const Reference &Is) {
  const struct {
    const char *Name;
    bool Stored;
    Filler Between;
    const char *Means;
  } Kinds[] = {
      {"loaded_under_loads", false, Filler::Loads,
       "loaded, other lines loaded"},
      {"loaded_under_stores", false, Filler::Stores,
       "loaded, other lines stored to"},
      {"stored_under_loads", true, Filler::Loads, "stored, other lines loaded"},
      {"stored_under_stores", true, Filler::Stores,
       "stored, other lines stored to"},
  };
  for (const auto &K : Kinds) {
    std::vector<std::array<double, 2>> Points;
    for (unsigned Others : OtherCounts)
      Points.push_back({double(Others), Tests.surviving(Is, K.Stored, K.Between,
                                                        Others, 1000)});
    recordSurvival(
        S, K.Name, "other lines", "B", 128, Points,
        fmt::format("share of 64 sectors that a load hits after: {}", K.Means));
  }
  std::vector<std::array<double, 2>> Points;
  for (uint32_t Cycles : {0, 100, 300, 1000, 3000, 10'000, 30'000, 100'000})
    Points.push_back(
        {double(Cycles), Tests.surviving(Is, true, Filler::Loads, 0, Cycles)});
  recordSurvival(S, "stored_idle", "idle cycles", "clk", 1, Points,
                 "share of 64 stored sectors that a load hits after doing "
                 "nothing");
}

void recordWritePolicy(Session &S) {
  Buffer<uint32_t> Word(WordsPerLine), Flags(2 * WordsPerLine);
  Buffer<uint64_t> Times(4);
  std::vector<double> Delays;
  unsigned Unseen = 0;
  for (unsigned Repeat = 0; Repeat != 11; ++Repeat) {
    Word.zero();
    Flags.zero();
    watchStore<<<2, 1>>>(Word.get(), Flags.get(), Times.get());
    finish();
    const std::vector<uint64_t> T = Times.download();
    if (T[2] == T[3])
      throw Skip("two blocks run on one SM only");
    if (T[1] == 0)
      ++Unseen;
    else
      Delays.push_back(T[1] > T[0] ? double(T[1] - T[0]) : 0);
  }
  const std::string Method = "another SM polls L2 for a word that an SM stored "
                             "to a line in its L1 while it runs on, no fence";
  if (Unseen != 0) {
    S.word(paths::levels_l1_write_policy, "write-back",
           fmt::format("{}: {} of 11 stores were not seen in a million cycles",
                       Method, Unseen));
    return;
  }
  S.word(paths::levels_l1_write_policy, "write-through",
         Method + ": every store was seen");
  S.measured(paths::levels_l1_store_visible_after, "ns",
             inference::estimate(Delays), Method + ", by the global timer");
}

void run(Session &S) {
  StoreTests Tests(S.device());
  Reference Is;
  Is.Hit = inference::median(Tests.run(LoadHit));
  Is.Miss = inference::median(Tests.run(LoadMiss));
  if (!Is.tells())
    throw Skip(fmt::format("L1 hits ({:.0f} cycles) and misses ({:.0f}) cannot "
                           "be told apart",
                           Is.Hit, Is.Miss));
  recordAllocation(S, recordStoreThenLoad(S, Tests, Is));
  recordLifetime(S, Tests, Is);
  recordWritePolicy(S);
  recordStoreMerging(S);
  recordL2WritePolicy(S);
}

const Registration Registered({
    .Name = "stored-sectors",
    .Measures = "what stores leave in L1, and how they reach L2",
    .When = Stage::Geometry,
    .Provides = {{paths::levels_l1_write_policy, "name"},
                 {paths::levels_l1_write_allocate, "name"},
                 {paths::levels_l1_write_allocate_partial, "name"},
                 {paths::levels_l1_store_to_present, "name"},
                 {paths::levels_l1_store_hit_latency, "clk"},
                 {paths::levels_l1_store_visible_after, "ns"},
                 {paths::levels_l1_lifetime_loaded_under_loads, "B"},
                 {paths::levels_l1_lifetime_loaded_under_stores, "B"},
                 {paths::levels_l1_lifetime_stored_under_loads, "B"},
                 {paths::levels_l1_lifetime_stored_under_stores, "B"},
                 {paths::levels_l1_lifetime_stored_idle, "clk"},
                 {paths::levels_l2_write_policy, "name"},
                 {paths::concurrency_store_merge_speedup, "1"},
                 {paths::concurrency_store_merge_window, "clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

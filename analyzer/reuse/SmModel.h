//===- SmModel.h - One SM: its warps and its L1 -----------------*- C++ -*-===//
//
// Runs the warps of the resident blocks against L1, for a span of time that is
// shorter than an answer of L2 takes. What L2 has to do is collected on the
// way; its answers are given at the end of the span, and wake the warps.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_SMMODEL_H
#define WARPWISE_ANALYZER_REUSE_SMMODEL_H

#include "analyzer/reuse/Bits.h"
#include "analyzer/reuse/SectoredCache.h"
#include "analyzer/reuse/WarpTraces.h"

namespace warpwise::reuse {

class ReuseDistance;

/// Cycles since the launch began. The highest bit is used for loads whose
/// answer is not known yet.
using Cycle = uint32_t;
constexpr Cycle NeverCycle = ~Cycle(0) >> 1;

/// What an SM asks of L2. Two of them are one line of the host's cache.
struct L2Request {
  uint64_t FirstSector; ///< address / 32 of Sectors' lowest bit
  /// When it is sent; once L2 has served it, when a load is back or a store is
  /// taken.
  Cycle When;
  uint32_t Sectors;
  uint32_t Row; ///< where it is counted
  uint32_t L1Slot;
  uint16_t Sm;
  uint8_t Warp;
  LineAccess::Kind What;
};
static_assert(sizeof(L2Request) == 32);

/// A block as it starts on an SM.
struct ResidentBlock {
  uint32_t FirstRow = 0; ///< its sites are counted from here on
  std::vector<ResidentWarp> Warps;
};

class SmModel {
public:
  /// The most cycles that one run may cover, and so the least latency of L2.
  static constexpr Cycle MostSpan = 256;
  static constexpr unsigned MostWarps = WarpTraces::MostWarps;
  static constexpr unsigned LogLeads = 10; ///< of SharedBySms::Leads

  /// What all SMs of a simulation use, one after the other.
  struct SharedBySms {
    explicit SharedBySms(unsigned WarpLead);
    /// The warps that wake, by cycle of the span, and the cycles that have any.
    /// A run leaves none.
    std::array<uint64_t, MostSpan> Wakes = {};
    std::array<uint64_t, MostSpan / 64> WakeCycles = {};
    /// By chance, less than sm.lead. Each choice among warps begins somewhere.
    std::array<uint32_t, (1 << LogLeads) + MostWarps> Leads;
  };

  /// Counts in \p Rows, which all SMs share, as they do \p Common. \p Profile,
  /// if any, sees L1's accesses.
  SmModel(unsigned Number, const CacheOptions &Options, uint64_t L1Bytes,
          const SetIndex &L1Index, std::vector<Traffic> &Rows,
          SharedBySms &Common, PieceReader &Pieces, ReuseDistance *Profile);

  /// Leaves the later windows of traces out; what a window misses is counted
  /// \p RowsOfWindow rows after that of the one before. What a warp asks for is
  /// counted for the whole trace, with the first one.
  void leaveOut(TraceWindows Left, size_t RowsOfWindow) {
    Warps.leaveOut(Left, RowsOfWindow);
  }
  /// Each place for a warp has so much memory for its threads alone.
  void reserveLocalMemory(uint64_t Lines) { Warps.reserveLocalMemory(Lines); }
  /// Takes the warps out of \p Block, whose requests the caller counts; those
  /// of what follows in long traces are counted here, and what they miss.
  void start(ResidentBlock &Block, Cycle When);
  /// When something can happen next, or NeverCycle.
  Cycle nextEvent() const { return Ready != 0 ? Now : NextWake; }
  /// The memory of all SMs is more than the host's caches hold. In each step an
  /// SM fetches what it looks at to find what it has to fetch next, while
  /// others run. Without that GEMM takes 1.55 times as long, JACOBI2D 1.3
  /// times.
  static constexpr unsigned FetchSteps = 4;
  void fetch(unsigned Step, Cycle End);
  /// Runs until \p End, after all steps of fetch until then; nothing happens
  /// before \p Begin.
  void run(Cycle Begin, Cycle End);
  /// What was asked of L2 in the last run, by time. The caller replaces the
  /// times by those of L2's answers,
  std::vector<L2Request> &requests() { return Requests; }
  /// fetches what they change while another SM takes its own,
  void fetchAnswered() const;
  /// and says that they are there.
  void answer();
  struct EndedBlock {
    Cycle When;
    uint32_t FirstRow;
  };
  /// The blocks that ended, until the caller forgets them.
  std::vector<EndedBlock> &ended() { return Ended; }
  /// Lines that L1 made room for so far.
  uint64_t allocatedLines() const { return L1.allocated(); }

private:
  struct Block {
    uint64_t Alive = 0, Arrived = 0; ///< masks of warps
  };
  void findDue(Cycle SpanEnd);
  unsigned pick();
  unsigned pickAny(uint64_t Among);
  void issue(unsigned W);
  static uint64_t sectorOf(const RunningWarp &X, const PackedAccess &A);
  void prefetch(const RunningWarp &X, unsigned From, unsigned Count) const;
  template <typename Callable> void forEachAccess(RunningWarp &X, Callable Use);
  unsigned load(unsigned W, uint64_t FirstSector, uint32_t Sectors,
                uint32_t Row, bool Bypasses);
  unsigned loadLine(unsigned W, uint64_t Line, uint32_t Sectors, uint32_t Row,
                    bool Bypasses);
  void store(unsigned W, uint64_t FirstSector, uint32_t Sectors, uint32_t Row,
             bool PastL1);
  void storeLine(uint64_t Line, uint32_t Sectors, uint32_t Row);
  void ask(unsigned W, LineAccess::Kind What, uint64_t FirstSector,
           uint32_t Sectors, uint32_t Row, uint32_t Slot);
  bool missesFull(unsigned W);
  void wake(unsigned W, Cycle When);
  void waitForLoads(unsigned W);
  void arrive(unsigned W);
  void retire(unsigned W);
  void releaseBarrier(Block &B);
  void collectReady();

  const CacheOptions &Options;
  std::vector<Traffic> &Rows;
  SharedBySms &Common;
  ReuseDistance *Profile;
  SectoredCache L1;
  bool LoadsBypass, StoresBypass, GlobalBypasses;
  unsigned LinesPerCycle, MissLimit;

  // What is looked at in each span.
  uint64_t FreeWarps = ~uint64_t(0);
  uint64_t Ready = 0;          ///< can issue now
  uint64_t Later = 0;          ///< sleep beyond the end of the span
  uint64_t Due = 0;            ///< wake in the next span, and left Later
  uint64_t Waiting = 0;        ///< for answers that are not known yet
  uint64_t Unknown = 0;        ///< have loads whose answers are not known yet
  Cycle NextWake = NeverCycle; ///< the earliest of Later
  Cycle Now = 0, Begin = 0, End = 0;
  std::array<Cycle, MostWarps> WakeAt = {}; ///< of those that sleep
  std::array<Cycle, MostWarps> DoneAt = {}; ///< all loads with known answers
  std::array<uint32_t, MostWarps> IssuedOf = {}; ///< if any may be next

  WarpTraces Warps;
  std::vector<uint64_t> Ages; ///< of Warps: when they started
  std::vector<Block> Blocks;
  std::vector<uint64_t> SchedulerWarps;
  std::vector<unsigned> LastOf; ///< by scheduler
  unsigned LastScheduler = 0;
  uint64_t NextAge = 0;
  uint64_t Seed; ///< of the choice among warps
  uint16_t Number;

  std::vector<L2Request> Requests;
  /// Loads of sectors that are on their way in this span: warp and request.
  std::vector<std::pair<unsigned, uint32_t>> PendingHits;
  std::vector<Cycle> MissesUntil; ///< a heap, the earliest first
  unsigned UnknownMisses = 0;
  Cycle StoresUntil = 0; ///< when L2 has taken what was stored
  std::vector<EndedBlock> Ended;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SMMODEL_H

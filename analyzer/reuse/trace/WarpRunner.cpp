//===- WarpRunner.cpp - Runs a warp's lanes one after the other -----------===//

#include "analyzer/reuse/trace/WarpRunner.h"

#include "analyzer/execution/HostCalls.h"
#include "analyzer/reuse/trace/LaneShape.h"

#include <algorithm>
#include <sys/mman.h>

namespace warpwise::reuse {
namespace {

using execution::Register;

constexpr unsigned LanesOfWarp = 32;
constexpr uint64_t PositionMask = (1u << PositionBits) - 1;
/// Entries of a lane's stream: room for as many as would take 3.2 GiB if all
/// lanes had them, of which pages that are never written cost nothing.
constexpr uint64_t MostEntries = 12'500'000;
/// When all lanes run: 1.5 GiB in all.
constexpr uint64_t MostOfAll = 6'000'000;

} // namespace

WarpRunner::WarpRunner(const LaneCode &Code, const LaunchShape &Shape,
                       const AddressMap &Addresses,
                       std::vector<uint32_t> SiteOfPosition)
    : Code(Code), Shape(Shape), Addresses(Addresses),
      Sites(std::move(SiteOfPosition)), InnerLoops(Code.Loops.size()) {
  for (uint32_t L = 0; L != Code.Loops.size(); ++L)
    if (Code.Loops[L].Parent >= 0)
      InnerLoops[Code.Loops[L].Parent].push_back(L);
  for (Cursor &C : Cursors)
    C.Rounds.resize(Code.Loops.size());
  // Between two checks of the limit each position is passed once at most.
  const size_t Bytes = (MostEntries + Code.Points.size()) * sizeof(uint64_t);
  for (uint64_t *&Buffer : Buffers) {
    void *Mapping = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    Buffer = Mapping == MAP_FAILED ? nullptr : static_cast<uint64_t *>(Mapping);
  }
  std::copy(Shape.Block.begin(), Shape.Block.end(),
            Code.Context->Registers + unsigned(Register::NtidX));
  std::copy(Shape.Grid.begin(), Shape.Grid.end(),
            Code.Context->Registers + unsigned(Register::NctaidX));
  Code.Context->Registers[unsigned(Register::WarpSize)] = LanesOfWarp;
}

WarpRunner::~WarpRunner() {
  const size_t Bytes = (MostEntries + Code.Points.size()) * sizeof(uint64_t);
  for (uint64_t *Buffer : Buffers)
    if (Buffer)
      munmap(Buffer, Bytes);
}

bool WarpRunner::run(void **Arguments, const std::array<uint32_t, 3> &Block,
                     unsigned Warp, uint64_t LocalBase, WarpTrace &Out) {
  std::copy(Block.begin(), Block.end(),
            Code.Context->Registers + unsigned(Register::CtaidX));
  Coalescer Requests(Out, LocalBase);
  findRows(Warp);
  bool Stopped = false;
  if (Code.RowsAreAffine && runRows(Arguments, Warp, Stopped)) {
    ++AffineWarps;
    emitRows(Requests);
    return true;
  }
  if (Stopped)
    return false;
  return runAll(Arguments, Warp, Requests);
}

bool WarpRunner::runLane(void **Arguments, unsigned Warp, unsigned Lane,
                         uint64_t Most, Stream &Into) {
  ThreadContext &C = *Code.Context;
  const uint32_t Thread = Warp * LanesOfWarp + Lane;
  auto set = [&](Register Which, uint32_t Value) {
    C.Registers[unsigned(Which)] = Value;
  };
  set(Register::TidX, Thread % Shape.Block[0]);
  set(Register::TidY, Thread / Shape.Block[0] % Shape.Block[1]);
  set(Register::TidZ, Thread / Shape.Block[0] / Shape.Block[1]);
  set(Register::LaneId, Lane);
  set(Register::WarpId, Warp);
  const uint32_t Self = 1u << Lane;
  set(Register::MaskEqual, Self);
  set(Register::MaskLess, Self - 1);
  set(Register::MaskLessEqual, Self | (Self - 1));
  set(Register::MaskGreaterEqual, ~(Self - 1));
  set(Register::MaskGreater, ~(Self | (Self - 1)));
  C.Stopped = 0;
  C.Next = Buffers[Lane];
  C.Limit = Buffers[Lane] + Most;
  Code.Run(Arguments);
  Into = {Buffers[Lane], C.Next};
  return C.Stopped == 0;
}

/// Splits the warp where threadIdx.y changes.
void WarpRunner::findRows(unsigned Warp) {
  Rows.clear();
  const unsigned Begin = Warp * LanesOfWarp;
  const unsigned End = std::min(Begin + LanesOfWarp, Shape.threads());
  for (unsigned Thread = Begin; Thread != End;) {
    const unsigned Next =
        std::min(End, Thread - Thread % Shape.Block[0] + Shape.Block[0]);
    Rows.push_back({Thread - Begin, Next - Thread, {}, {}, {}});
    Thread = Next;
  }
}

/// True when the rows are affine and go the same way.
bool WarpRunner::runRows(void **Arguments, unsigned Warp, bool &Stopped) {
  for (Row &R : Rows) {
    auto runOne = [&](unsigned Lane, Stream &Into) {
      return runLane(Arguments, Warp, R.FirstLane + Lane, MostEntries, Into);
    };
    if (!runOne(0, R.First) || (R.Lanes > 1 && !runOne(1, R.Second)) ||
        (R.Lanes > 2 && !runOne(R.Lanes - 1, R.Last))) {
      Stopped = true;
      return false;
    }
    if (!isAffine(R))
      return false;
  }
  return takeSamePath();
}

bool WarpRunner::isAffine(const Row &R) {
  if (R.Lanes == 1)
    return true;
  const size_t Size = R.First.size();
  if (R.Second.size() != Size || (R.Lanes > 2 && R.Last.size() != Size))
    return false;
  const uint64_t *First = R.First.Begin, *Second = R.Second.Begin;
  const uint64_t *Last = R.Lanes > 2 ? R.Last.Begin : Second;
  const uint64_t Steps = R.Lanes - 1;
  uint64_t Paths = 0, Errors = 0;
  for (size_t N = 0; N != Size; ++N) {
    const uint64_t Step = Second[N] - First[N];
    Paths |= Step;
    Errors |= Last[N] - First[N] - Steps * Step;
  }
  return (Paths & PositionMask) == 0 && Errors == 0;
}

bool WarpRunner::takeSamePath() const {
  const Stream &One = Rows.front().First;
  return std::all_of(Rows.begin() + 1, Rows.end(), [&](const Row &R) {
    return std::equal(
        One.Begin, One.End, R.First.Begin, R.First.End,
        [](uint64_t A, uint64_t B) { return ((A ^ B) & PositionMask) == 0; });
  });
}

void WarpRunner::emitRows(Coalescer &Out) {
  const Stream &One = Rows.front().First;
  for (size_t N = 0; N != One.size(); ++N) {
    const uint32_t Position = One.Begin[N] & PositionMask;
    const StreamPoint &P = Code.Points[Position];
    if (P.What < StreamPoint::Kind::Access)
      continue;
    Together.clear();
    for (const Row &R : Rows) {
      LaneRow &L = Together.emplace_back();
      L.FirstLane = R.FirstLane;
      L.Lanes = R.Lanes;
      L.First = R.First.Begin[N] >> PositionBits;
      L.Stride = R.Lanes == 1 ? 0
                              : int64_t(R.Second.Begin[N] - R.First.Begin[N]) >>
                                    PositionBits;
    }
    emit(Out, P, Sites[Position]);
  }
}

/// The request of the lanes in Together.
void WarpRunner::emit(Coalescer &Out, const StreamPoint &P, uint32_t Site) {
  if (P.What == StreamPoint::Kind::Barrier)
    return Out.addBarrier(Site);
  Access Like;
  Like.Site = Site;
  Like.Local = P.Private;
  Like.PastL1 = P.PastL1;
  Like.What = kindOf(P.Op);
  if (!P.Private) {
    for (LaneRow &L : Together) {
      const std::optional<uint64_t> Device = Addresses.device(L.First);
      if (!Device)
        return;
      L.First = *Device;
    }
  }
  Out.add(Together.data(), Together.size(), P.Bytes, Like);
}

/// Which of two lanes' next events comes first: below 0, 0 for together, above
/// 0. Rounds of a loop go before what follows in it; see execution::order().
int WarpRunner::order(const Cursor &A, const Cursor &B) const {
  const uint32_t PositionA = *A.At & PositionMask;
  const uint32_t PositionB = *B.At & PositionMask;
  // The loops around each, outermost first; few are deeper.
  std::array<int32_t, 16> LoopsA, LoopsB;
  auto loopsAround = [&](uint32_t Position, std::array<int32_t, 16> &Into) {
    size_t Count = 0;
    for (int32_t L = Code.Points[Position].Loop; L >= 0 && Count != Into.size();
         L = Code.Loops[L].Parent)
      Into[Count++] = L;
    std::reverse(Into.begin(), Into.begin() + Count);
    return Count;
  };
  const size_t DepthA = loopsAround(PositionA, LoopsA);
  const size_t DepthB = loopsAround(PositionB, LoopsB);
  auto roundOf = [&](const Cursor &C, uint32_t Position, int32_t Loop) {
    return C.Rounds[Loop] + (Code.Loops[Loop].Header == Position);
  };
  for (size_t N = 0; N != std::min(DepthA, DepthB); ++N) {
    if (LoopsA[N] != LoopsB[N])
      return Code.Loops[LoopsA[N]].Header < Code.Loops[LoopsB[N]].Header ? -1
                                                                         : 1;
    const uint32_t RoundA = roundOf(A, PositionA, LoopsA[N]);
    const uint32_t RoundB = roundOf(B, PositionB, LoopsB[N]);
    if (RoundA != RoundB)
      return RoundA < RoundB ? -1 : 1;
  }
  // Where one is in a further loop, that loop's header counts.
  const uint32_t NextA =
      DepthA > DepthB ? Code.Loops[LoopsA[DepthB]].Header : PositionA;
  const uint32_t NextB =
      DepthB > DepthA ? Code.Loops[LoopsB[DepthA]].Header : PositionB;
  return NextA < NextB ? -1 : NextA > NextB;
}

void WarpRunner::enterRound(Cursor &C, int32_t Loop) {
  ++C.Rounds[Loop];
  for (uint32_t Inner : InnerLoops[Loop])
    C.Rounds[Inner] = 0;
}

bool WarpRunner::runAll(void **Arguments, unsigned Warp, Coalescer &Out) {
  const unsigned Lanes =
      std::min(LanesOfWarp, Shape.threads() - Warp * LanesOfWarp);
  for (unsigned L = 0; L != Lanes; ++L) {
    Stream S;
    if (!runLane(Arguments, Warp, L, MostOfAll, S))
      return false;
    Cursors[L].At = S.Begin;
    Cursors[L].End = S.End;
    std::fill(Cursors[L].Rounds.begin(), Cursors[L].Rounds.end(), 0);
  }
  for (Group G; findGroup(Lanes, G);)
    do
      step(G, Out);
    while (staysTogether(G));
  return true;
}

/// Skips witnesses. False at the end.
bool WarpRunner::hasNext(Cursor &C) {
  while (C.At != C.End && (*C.At & PositionMask) == WitnessPosition)
    ++C.At;
  return C.At != C.End;
}

/// The lanes with the earliest event, and the lane with the earliest event of
/// the others. False when all lanes are at their end.
bool WarpRunner::findGroup(unsigned Lanes, Group &G) {
  G.Lanes.clear();
  G.Waiting = nullptr;
  for (unsigned L = 0; L != Lanes; ++L) {
    Cursor &C = Cursors[L];
    if (!hasNext(C))
      continue;
    const int Order = G.Lanes.empty() ? 0 : order(C, Cursors[G.Lanes[0]]);
    if (Order < 0) {
      G.Waiting = &Cursors[G.Lanes[0]];
      G.Lanes.clear();
    } else if (Order > 0) {
      if (!G.Waiting || order(C, *G.Waiting) < 0)
        G.Waiting = &C;
      continue;
    }
    G.Lanes.push_back(uint8_t(L));
  }
  return !G.Lanes.empty();
}

/// True when the lanes of a group, which were in the same rounds of all loops,
/// have their next event together, too, and before all others.
bool WarpRunner::staysTogether(Group &G) {
  Cursor &First = Cursors[G.Lanes[0]];
  if (!hasNext(First))
    return false;
  for (uint8_t L : G.Lanes)
    if (!hasNext(Cursors[L]) || ((*Cursors[L].At ^ *First.At) & PositionMask))
      return false;
  return !G.Waiting || order(First, *G.Waiting) < 0;
}

/// The next event of a group.
void WarpRunner::step(const Group &G, Coalescer &Out) {
  const uint32_t Position = *Cursors[G.Lanes[0]].At & PositionMask;
  const StreamPoint &P = Code.Points[Position];
  if (P.What == StreamPoint::Kind::LoopRound) {
    for (uint8_t L : G.Lanes) {
      enterRound(Cursors[L], P.Loop);
      ++Cursors[L].At;
    }
    return;
  }
  Together.clear();
  for (uint8_t L : G.Lanes)
    appendLane(Together, L, *Cursors[L].At++ >> PositionBits);
  emit(Out, P, Sites[Position]);
}

} // namespace warpwise::reuse

//===- Proof.cpp - What holds for every value of what is unknown ----------===//

#include "analyzer/evaluate/proof/Proof.h"

#include "analyzer/evaluate/proof/ProofRun.h"
#include "analyzer/evaluate/proof/RequestBounds.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>
#include <map>

namespace warpwise::access::proof {
namespace {

/// The limits of CUDA (programming guide, "Technical Specifications").
constexpr Wide MostBlocksX = (Wide(1) << 31) - 1, MostBlocksYZ = 65535;

/// Bounds of one site, summed up over the runs. Requests that are made for
/// certain count like they are; any number of the others may be made, so the
/// mean lies between theirs and the most extreme of these. Of the others some
/// are made together, by all warps of a thread block or by none: their mean is
/// one such extreme.
class SiteSum {
  enum Number { Low, High, HighWhole, LowApart, LowFull, Lanes, Ideal, Count };
  using Numbers = std::array<double, Count>;
  /// Requests that are made all or none.
  struct Together {
    Numbers Sums{};
    double Weight = 0;

    void add(const Numbers &Values, double Blocks) {
      for (unsigned N = 0; N != Count; ++N)
        Sums[N] += Blocks * Values[N];
      Weight += Blocks;
    }
    Numbers means() const {
      Numbers Means = Sums;
      for (double &Sum : Means)
        Sum /= Weight;
      return Means;
    }
  };
  Together Always;
  /// By the part of the grid and the ways of the thread blocks in it.
  std::map<std::pair<unsigned, Ways>, Together> Some;
  /// The extremes of those that are made alone.
  struct Extremes {
    Numbers Least{}, Most{};
  };
  std::optional<Extremes> Alone;

  static void widen(std::optional<Extremes> &E, const Numbers &Values) {
    if (!E)
      E = {Values, Values};
    for (unsigned N = 0; N != Count; ++N) {
      E->Least[N] = std::min(E->Least[N], Values[N]);
      E->Most[N] = std::max(E->Most[N], Values[N]);
    }
  }

public:
  SiteProof Flags;
  /// OriginPlace bits of what the numbers hang on: where there are none, runs
  /// of single blocks (warps) would end up with the same.
  uint32_t Place = 0;

  /// \p Part of the grid has \p Blocks thread blocks; \p Taken as in ProofSink.
  void add(const RequestBounds &B, unsigned Active,
           const std::optional<Ways> &Taken, unsigned Part, double Blocks) {
    const Numbers Values = {double(B.Low),       double(B.High),
                            double(B.HighWhole), double(B.LowApart),
                            double(B.LowFull),   double(Active),
                            double(B.Ideal)};
    if (!Taken)
      widen(Alone, Values);
    else if (Taken->empty())
      Always.add(Values, Blocks);
    else
      Some[{Part, *Taken}].add(Values, Blocks);
  }

  SiteProof result() const {
    std::optional<Extremes> All = Alone;
    if (Always.Weight > 0)
      widen(All, Always.means());
    for (const auto &[Where, Made] : Some)
      widen(All, Made.means());
    SiteProof P = Flags;
    P.Holds = All.has_value();
    if (!All)
      return P;
    P.Low = All->Least[Low];
    P.High = All->Most[High];
    P.HighWhole = All->Most[HighWhole];
    P.LowApart = All->Least[LowApart];
    P.LowFull = All->Least[LowFull];
    P.LanesFull = All->Least[Lanes];
    P.IdealFull = All->Least[Ideal];
    return P;
  }
};

class Collector : public ProofSink {
  const Program &Code;
  const profile::RequestLaw &Law;
  struct KnownRequest {
    Form Address;
    uint32_t Active = 0, Sure = 0;
    RequestBounds Bounds;
    uint32_t Place = 0; ///< that they hang on
    unsigned Run = 0;   ///< whose symbols that is about
  };
  /// The last requests of a site that cost something else. In the rounds of a
  /// loop there often are few: the places of a byte in its sector.
  struct KnownRequests {
    static constexpr size_t Most = 32;
    std::vector<KnownRequest> All;
    size_t Oldest = 0;
  };
  std::vector<KnownRequests> Known;
  /// The requests of a run whose result a register may hold, by site: the last
  /// that is made for certain, and those after it that may be made.
  struct Loaded {
    Form Address;
    uint32_t Active = 0;
  };
  std::vector<std::vector<Loaded>> Held;
  /// More than so many may hold anything.
  static constexpr size_t MostHeld = 8;
  /// The last store of a run into global (0) and shared memory (1).
  struct LastStore {
    bool Valid = false;
    Form Address;
    uint32_t Active = 0;
    unsigned Bytes = 0;
  };
  std::array<LastStore, 2> Stores;
  unsigned Runs = 0;

public:
  std::vector<SiteSum> Sums;
  unsigned Part = 0; ///< of the grid that the run is about
  double Blocks = 1; ///< that are in it

  Collector(const Program &Code, const profile::RequestLaw &Law)
      : Code(Code), Law(Law), Known(Code.Sites.size()), Held(Code.Sites.size()),
        Sums(Code.Sites.size()) {}

  void startRun(unsigned PartOfGrid, double Count) {
    Part = PartOfGrid;
    Blocks = Count;
    ++Runs;
    for (std::vector<Loaded> &H : Held)
      H.clear();
    Stores = {};
  }

  void request(uint32_t Number, const Form &Address, const Symbols &Facts,
               uint32_t Active, uint32_t Sure,
               const std::optional<Ways> &Taken) override {
    bool MayBeKept = false; // in a register
    const Site &S = Code.Sites[Number];
    uint32_t &Place = Sums[Number].Place;
    // True when what is at one of the two may still be in a register.
    const auto mayBeHeld = [&](const Form &At, uint32_t Lanes) {
      if ((Active & ~Lanes) || !mayBeSame(At, Address, Active))
        return false;
      Place |= Facts.placeOfDifference(At, Address, Active);
      return true;
    };
    LastStore &Stored = Stores[S.Memory == Space::Shared];
    if (S.Op == Operation::Store) {
      Stored = {true, Address, Active, S.Bytes};
    } else if (S.Op == Operation::Load && S.Sort == Access::Kind::Plain) {
      // What was loaded or stored before may still be in a register.
      if (Stored.Valid && Stored.Bytes == S.Bytes &&
          mayBeHeld(Stored.Address, Stored.Active))
        MayBeKept = true;
      std::vector<Loaded> &Earlier = Held[Number];
      if (Earlier.size() > MostHeld ||
          std::any_of(Earlier.begin(), Earlier.end(), [&](const Loaded &E) {
            return mayBeHeld(E.Address, E.Active);
          }))
        MayBeKept = true;
      if (!MayBeKept && Taken && Taken->empty())
        Earlier.clear();
      if (Earlier.size() <= MostHeld)
        Earlier.push_back({Address, Active});
    }
    KnownRequest &Its = alike(Number, Address, Active, Sure);
    if (Its.Run != Runs) {
      Its.Place = placeOfBounds(S, Law, Address, Facts, Active);
      Its.Run = Runs;
    }
    Place |= Its.Place;
    SiteProof &Flags = Sums[Number].Flags;
    Flags.LanesVary |= Sure != Active;
    Flags.RowsMove |= Its.Bounds.HasRows;
    Flags.Apart |= Its.Bounds.Apart;
    Flags.IsScattered |= Its.Bounds.IsScattered;
    Flags.PointerMoves |= (Address.From & OriginPointer) != 0;
    Sums[Number].add(Its.Bounds, unsigned(std::popcount(Active)),
                     MayBeKept ? std::nullopt : Taken, Part, Blocks);
  }

private:
  /// A known request of site \p Number that costs the same, or the new one.
  KnownRequest &alike(uint32_t Number, const Form &Address, uint32_t Active,
                      uint32_t Sure) {
    const Site &S = Code.Sites[Number];
    KnownRequests &Its = Known[Number];
    const auto isAlike = [&](const KnownRequest &K) {
      return K.Active == Active && K.Sure == Sure &&
             K.Address.Top == Address.Top &&
             ((Address.Top & Active) == 0 ||
              (K.Address.LowBits == 0 && !K.Address.isBounded())) &&
             costTheSame(S, Law, K.Address, Address, Active & ~Address.Top);
    };
    const bool IsComparable =
        !Address.Torn && ((Address.Top & Active) == 0 ||
                          (Address.LowBits == 0 && !Address.isBounded()));
    if (IsComparable)
      if (const auto Found = llvm::find_if(Its.All, isAlike);
          Found != Its.All.end())
        return *Found;
    KnownRequest New = {Address, Active, Sure,
                        boundsOf(S, Law, Address, Active, Sure)};
    if (Its.All.size() < KnownRequests::Most)
      return Its.All.emplace_back(std::move(New));
    KnownRequest &Old = Its.All[Its.Oldest++ % KnownRequests::Most];
    return Old = std::move(New);
  }
};

class Prover {
  const Program &Code;
  const LaunchPlan &Plan;
  const profile::RequestLaw &Law;
  Environment Where;
  uint64_t Left;
  LaunchProof Result;

public:
  Prover(const Program &Code, const LaunchPlan &Plan,
         const profile::RequestLaw &Law, uint64_t Budget)
      : Code(Code), Plan(Plan), Law(Law),
        Where(Code, Plan.Shape, Plan.Arguments, MadeUp::Likely), Left(Budget) {
    Result.Sites.resize(Code.Sites.size());
  }

  LaunchProof prove() {
    // All at once, if that says all that can be said; else warp by warp, with
    // the edges of the grid apart from its inside.
    bool WarpByWarp = !hasSymbolicWarps(Plan.Shape.Block);
    uint32_t Place = attempt({wholeGrid()}, WarpByWarp);
    if (!WarpByWarp && (Place & OriginWarp)) {
      WarpByWarp = true;
      Place = attempt({wholeGrid()}, WarpByWarp);
    }
    if ((Place & OriginBlock) && Plan.Shape.Grid && Code.asksForBlock()) {
      Place = attempt(partsOfGrid(), WarpByWarp);
      if (!WarpByWarp && (Place & OriginWarp))
        attempt(partsOfGrid(), /*WarpByWarp=*/true);
    }
    return std::move(Result);
  }

private:
  using Box = std::array<Interval, 3>;

  Box wholeGrid() const {
    if (!Plan.Shape.Grid)
      return {Interval{0, MostBlocksX - 1}, Interval{0, MostBlocksYZ - 1},
              Interval{0, MostBlocksYZ - 1}};
    Box B;
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      B[Axis] = {0, Wide((*Plan.Shape.Grid)[Axis]) - 1};
    return B;
  }

  /// First, inside and last along each axis: where guards and clamps differ.
  std::vector<Box> partsOfGrid() const {
    std::vector<Box> Boxes{{}};
    for (unsigned Axis = 0; Axis != 3; ++Axis) {
      const Wide Count = (*Plan.Shape.Grid)[Axis];
      std::vector<Interval> Parts;
      if (!Code.AsksForBlock[Axis]) {
        Parts.push_back({0, Count - 1});
      } else {
        Parts.push_back({0, 0});
        if (Count > 2)
          Parts.push_back({1, Count - 2});
        if (Count > 1)
          Parts.push_back({Count - 1, Count - 1});
      }
      std::vector<Box> Next;
      for (const Box &B : Boxes)
        for (const Interval &P : Parts) {
          Next.push_back(B);
          Next.back()[Axis] = P;
        }
      Boxes = std::move(Next);
    }
    return Boxes;
  }

  /// Returns the OriginPlace bits of what the numbers that are left open hang
  /// on: what more could be found out of single blocks (warps).
  uint32_t attempt(const std::vector<Box> &Boxes, bool WarpByWarp) {
    const launch::Dim3 &B = Plan.Shape.Block;
    const unsigned Threads = B[0] * B[1] * B[2];
    const unsigned Warps =
        WarpByWarp ? (Threads + WarpLanes - 1) / WarpLanes : 1;
    Collector Sink(Code, Law);
    ProofRun Run(Code, Plan.Shape, Plan.Arguments, Where, Sink);
    uint32_t Place = 0;
    for (size_t N = 0; N != Boxes.size(); ++N) {
      double Blocks = 1;
      for (const Interval &I : Boxes[N])
        Blocks *= double(I.High - I.Low + 1);
      for (unsigned W = 0; W != Warps; ++W) {
        Range Which{Boxes[N], std::nullopt};
        uint32_t Lanes = ~0u;
        if (WarpByWarp) {
          Which.Warp = W;
          const unsigned Rest = Threads - W * WarpLanes;
          Lanes = Rest >= WarpLanes ? ~0u : (1u << Rest) - 1;
        }
        Sink.startRun(unsigned(N), Blocks);
        const uint64_t Runs = (Boxes.size() - N) * Warps - W;
        const bool Complete =
            Run.run(Which, Lanes, std::max<uint64_t>(500, Left / Runs));
        Left -= std::min(Left, Run.steps());
        Result.Steps += Run.steps();
        if (!Complete)
          return OriginPlace;
        Place |= Run.place();
      }
    }
    bool IsSettled = true;
    for (size_t N = 0; N != Result.Sites.size(); ++N) {
      const SiteProof Its = Sink.Sums[N].result();
      improve(Result.Sites[N], Its);
      // No run was left before its end.
      Result.Sites[N].IsUnreached |= !Its.Holds;
      if (!Result.Sites[N].isPoint()) {
        IsSettled = false;
        Place |= Sink.Sums[N].Place;
      }
    }
    return IsSettled ? 0 : Place;
  }

  /// Both intervals hold; the narrower one says more.
  static void improve(SiteProof &Known, const SiteProof &New) {
    if (New.Holds &&
        (!Known.Holds || New.High - New.Low < Known.High - Known.Low))
      Known = New;
  }
};

} // namespace

LaunchProof prove(const Program &Code, const LaunchPlan &Plan,
                  const profile::RequestLaw &Law, uint64_t Budget) {
  return Prover(Code, Plan, Law, Budget).prove();
}

} // namespace warpwise::access::proof

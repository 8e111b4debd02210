//===- WarpPieces.cpp - A warp's trace piece by piece ---------------------===//

#include "analyzer/reuse/trace/WarpPieces.h"

#include <algorithm>

namespace warpwise::reuse {

/// 32 lanes take about so much longer than three, step by step.
static constexpr uint64_t DearerTogether = 8;

WarpRunner::Pieces::Pieces(WarpRunner &Warps, const WarpPlace &Warp)
    : Warps(Warps), Warp(Warp), Lanes(Warps.Runner.lanes(Warp.Warp)),
      Rounds(Warps.Runner.code().Loops.size()) {
  if (!Warps.Runner.code().IsAffine.Rows)
    runOthers();
}

std::string WarpRunner::Pieces::next(WarpTrace &Out) {
  Out.clear();
  RequestWriter Requests(Warps.Kinds, Warps.Addresses, Out);
  const TraceLimits &Limits = Warps.Runner.limits();
  Into = &Out;
  Idle = Written = 0;
  while (!AtEnd && Out.empty()) {
    bool Affine = !Merge;
    if (Affine)
      AtEnd = runRows(Affine);
    if (Affine) {
      Warps.Rows.write(Requests);
      Warps.Rows.countRounds(Warps.Loops, Rounds);
      Passed += Warps.Rows.size();
      Warps.AffineWarps += AtEnd;
    } else {
      if (!Merge)
        runOthers();
      AtEnd = !Merge->run(Requests, Limits.RowEntries, this);
    }
    if (Endless || Idle > Limits.MostIdle) {
      Out.clear();
      AtEnd = true;
      return Warps.endless();
    }
  }
  if (AtEnd)
    Warps.WasLong = Lanes[0].Entries > Limits.WholeEntries;
  return "";
}

/// The next piece of three lanes of each row; their end. \p Affine: they tell
/// what the others do.
bool WarpRunner::Pieces::runRows(bool &Affine) {
  LaneRows &Rows = Warps.Rows;
  Rows.split(Warps.Runner, Warp.Warp);
  bool SomeEnd = false, SomeGoOn = false;
  for (LaneRows::Row &R : Rows)
    for (unsigned N = 0; N != R.runs(); ++N) {
      LaneProgress &Lane = Lanes[R.lane(N)];
      Endless |= !Warps.Runner.runPiece(
          Warp, R.lane(N), Warps.Runner.limits().RowEntries, Lane, R.Pieces[N]);
      Idle += R.Pieces[N].size();
      (Lane.Ended ? SomeEnd : SomeGoOn) = true;
    }
  Affine = !(SomeEnd && SomeGoOn) &&
           std::all_of(Rows.begin(), Rows.end(), LaneRows::isAffine) &&
           Rows.takeSamePath();
  return !SomeGoOn;
}

/// From now on all lanes run. Those that ran have a piece that was not used.
void WarpRunner::Pieces::runOthers() {
  Merge = std::make_unique<LaneMerge>(Warps.Loops);
  Merge->begin(unsigned(Lanes.size()), Rounds);
  Unused.resize(Lanes.size());
  auto keep = [&](unsigned Lane, LanePiece Left) {
    Unused[Lane].assign(Left.Begin, Left.End);
    Merge->set(
        Lane, {Unused[Lane].data(), Unused[Lane].data() + Unused[Lane].size()});
  };
  if (Passed == 0 && Lanes[0].Entries == 0)
    return;
  for (const LaneRows::Row &R : Warps.Rows)
    for (unsigned N = 0; N != R.runs(); ++N)
      keep(R.lane(N), R.Pieces[N]);
  for (unsigned L = 0; L != Lanes.size(); ++L) {
    LaneProgress &Lane = Lanes[L];
    for (LanePiece P; Lane.Entries < Passed && !Lane.Ended && !Endless;) {
      Endless |= !Warps.Runner.runPiece(
          Warp, L, Warps.Runner.limits().RowEntries, Lane, P);
      if (Lane.Entries > Passed)
        keep(L, {P.End - (Lane.Entries - Passed), P.End});
    }
  }
}

LanePiece WarpRunner::Pieces::refill(unsigned Lane) {
  LanePiece P;
  Endless |= !Warps.Runner.runPiece(
      Warp, Lane, Warps.Runner.limits().LaneEntries, Lanes[Lane], P);
  Endless |=
      Lanes[Lane].Entries > Warps.Runner.limits().MostEntries / DearerTogether;
  if (Into->size() != Written)
    Idle = 0;
  Written = Into->size();
  Idle += P.size();
  if (Endless || Idle > Warps.Runner.limits().MostIdle)
    return {};
  // Not assigned: what was left when the lanes parted was longer.
  Unused[Lane] = std::vector<uint64_t>(P.Begin, P.End);
  return {Unused[Lane].data(), Unused[Lane].data() + Unused[Lane].size()};
}

} // namespace warpwise::reuse

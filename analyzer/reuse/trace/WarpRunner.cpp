//===- WarpRunner.cpp - Runs a warp's lanes one after the other -----------===//

#include "analyzer/reuse/trace/WarpRunner.h"

#include "analyzer/reuse/trace/WarpPieces.h"

#include <limits>

namespace warpwise::reuse {

WarpRunner::WarpRunner(const LaneCode &Code, const LaunchShape &Shape,
                       const AddressMap &Addresses,
                       const std::vector<uint32_t> &Sites, uint64_t FrameBytes,
                       const TraceLimits &Limits, std::string Name)
    : Runner(Code, Shape, FrameBytes, Limits), Addresses(Addresses),
      Kinds(requestKinds(Code.Points, Sites)), Loops(Code),
      Name(std::move(Name)), AllLanes(Loops), Models(Kinds, Addresses),
      Boxes(Shape, Models) {}

std::string WarpRunner::run(const WarpPlace &Warp, WarpTrace &Out,
                            std::unique_ptr<WarpStream> &Rest,
                            LikeTraces *Likes) {
  Rest = nullptr;
  if (!WasLong) {
    if (runWhole(Warp, Out, Likes))
      return "";
    WasLong = true;
  }
  auto Made = std::make_unique<Pieces>(*this, Warp);
  std::string Problem = Made->next(Out);
  if (!Made->atEnd())
    Rest = std::move(Made);
  return Problem;
}

std::string WarpRunner::endless() const {
  return "kernel '" + Name +
         "': a thread makes more accesses than can be traced, or a loop has no "
         "end";
}

/// False when a lane is too long.
bool WarpRunner::runWhole(const WarpPlace &Warp, WarpTrace &Out,
                          LikeTraces *Likes) {
  if (!Likes) {
    if (!runLanes(Warp))
      return false;
    write(Warp, Out);
    return true;
  }
  if (Boxes.find(Warp, *Likes))
    return true;
  if (!runLanes(Warp))
    return false;
  if (!Models.find(Ran, Warp, *Likes)) {
    write(Warp, Out);
    Models.add(Ran, Warp, Out, *Likes);
  }
  if (Runner.code().IsAffine.Blocks)
    Boxes.grow(Warp, Ran, *Likes,
               [&](const WarpPlace &Other) { return runLanes(Other); });
  return true;
}

/// Sets Ran to what decides the warp's trace. False when a lane is too long.
bool WarpRunner::runLanes(const WarpPlace &Warp) {
  Runner.enterWarp(Warp);
  Ran.clear();
  RanRows = false;
  if (Runner.code().IsAffine.Rows) {
    bool IsLong = false;
    Rows.split(Runner, Warp.Warp);
    RanRows = runRows(Warp, IsLong);
    if (RanRows) {
      // Two lanes of a row tell the others.
      for (const LaneRows::Row &R : Rows)
        for (unsigned N = 0; N != std::min(R.Lanes, 2u); ++N)
          Ran.push_back({R.FirstLane, R.Lanes, R.Pieces[N]});
      return true;
    }
    if (IsLong)
      return false;
  }
  const unsigned Lanes = Runner.lanes(Warp.Warp);
  for (unsigned L = 0; L != Lanes; ++L) {
    LanePiece Entries;
    if (!Runner.runWhole(Warp, L, Entries))
      return false;
    Ran.push_back({L, 1, Entries});
  }
  return true;
}

/// Puts the lanes that ran together.
void WarpRunner::write(const WarpPlace &Warp, WarpTrace &Out) {
  RequestWriter Requests(Kinds, Addresses, Out);
  if (RanRows) {
    ++AffineWarps;
    Rows.write(Requests);
    return;
  }
  AllLanes.begin(Runner.lanes(Warp.Warp), {});
  for (const WarpLanes &Lane : Ran)
    AllLanes.set(Lane.First, Lane.Entries);
  AllLanes.run(Requests, std::numeric_limits<size_t>::max(), nullptr);
}

/// True when the rows are affine and go the same way.
bool WarpRunner::runRows(const WarpPlace &Warp, bool &IsLong) {
  for (LaneRows::Row &R : Rows) {
    for (unsigned N = 0; N != R.runs(); ++N)
      if (!Runner.runWhole(Warp, R.lane(N), R.Pieces[N])) {
        IsLong = true;
        return false;
      }
    if (!LaneRows::isAffine(R))
      return false;
  }
  return Rows.takeSamePath();
}

} // namespace warpwise::reuse

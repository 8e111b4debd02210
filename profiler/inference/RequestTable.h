//===- RequestTable.h - What limits the loads in flight ---------*- C++ -*-===//
//
// Lashgar et al. (HEART 2015) tell two designs apart by what they are full of.
// Miss status holding registers (MSHR) have an entry for each unique line or
// sector, which takes a limited number of requests for it; a pending request
// table (PRT) has an entry for each load of a warp, however many lines that
// needs. If Thread-Latency curves of different loads per thread and merging
// saturate at equal numbers of unique requests, it is the former, if at equal
// numbers of warp loads, the latter: they found 128 MSHRs of 8 merges on a
// Tesla M2070 and a PRT of 44 entries on a K20.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_REQUESTTABLE_H
#define WARPWISE_PROFILER_INFERENCE_REQUESTTABLE_H

#include "profiler/inference/ThreadLatency.h"

#include <array>
#include <optional>
#include <string>

namespace warpwise::inference {

enum class RequestTableKind {
  None,     ///< no curve saturates, as far as it could be seen
  Mshr,     ///< entries are lines or sectors
  Prt,      ///< entries are loads of warps
  Undecided ///< some curves saturate, but no single count explains them
};
/// "none", "MSHR", "PRT", "undecided".
std::string_view requestTableName(RequestTableKind Kind);

/// How well a table whose entries are counted in Axis explains the knees.
struct TableFit {
  InFlight Axis = InFlight::Lines;
  uint64_t Low = 0, High = 0; ///< entries on which most knees agree
  unsigned Knees = 0;         ///< curves that saturate
  unsigned Explained = 0;     ///< of those, in agreement
  unsigned Violated = 0;      ///< curves that had more in flight unhindered
  /// Requests that an entry takes, as far as the knees show it.
  unsigned MergesLow = 1;
  std::optional<unsigned> MergesHigh;

  int score() const { return int(Explained) - int(Violated); }
};

struct RequestTable {
  RequestTableKind Kind = RequestTableKind::None;
  /// The fit behind Mshr and Prt. Where lines and sectors explain the knees
  /// alike (one sector of each line was read), it is lines; where warp loads of
  /// the SM and of a scheduler do, those of the SM. Summary names the other.
  std::optional<TableFit> Table;
  std::vector<TableFit> Fits;      ///< one for each axis, for the report
  std::vector<SeriesShape> Shapes; ///< one for each curve
  /// Of an undisturbed request, cycles.
  double RoundTrip = 0;
  /// Loads that one warp can have in flight, by the latency of one warp against
  /// its loads; nothing if there was no such limit up to LoadsTried.
  std::optional<std::array<unsigned, 2>> LoadsPerWarp;
  unsigned LoadsTried = 0;
  /// The most of each axis that were surely in flight together without a table
  /// in the way, in the order of AllAxes. A curve whose latency grows to twice
  /// the round trip had only half of its requests in flight.
  std::array<uint64_t, std::size(AllAxes)> SeenUpTo{};
  std::string Summary; ///< one sentence
};

/// From curves of the same SM. At least two curves that differ in loads,
/// merging or step have to saturate for a decision.
RequestTable inferRequestTable(std::span<const ThreadLatencySeries> Series,
                               const SmShape &Sm = {});

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_REQUESTTABLE_H

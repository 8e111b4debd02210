//===- L2Facts.h - From L2 latencies to sides and terms ---------*- C++ -*-===//
//
// The arithmetic behind the L2 map; plain C++. Latencies in cycles.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_L2_MAP_L2FACTS_H
#define WARPWISE_KERNELS_L2_MAP_L2FACTS_H

#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace warpwise::harness {

/// Per SM: the averaged latency of a chase, and that of each of its loads.
struct L2ByLine {
  std::vector<double> Averaged;
  std::vector<std::vector<double>> Cycles;
};

inline double spread(const std::vector<double> &Values) {
  const auto [Least, Most] = std::minmax_element(Values.begin(), Values.end());
  return *Most - *Least;
}

/// Cell = Mean + OfRow + OfColumn + rest.
struct AdditiveModel {
  double Mean = 0;
  std::vector<double> OfRow, OfColumn;
  double Rms = 0;       ///< of the rest
  double Explained = 0; ///< share of the variance without the rest
};

/// By least squares, which for a full matrix are the means of rows and columns.
inline AdditiveModel
fitAdditive(const std::vector<std::vector<double>> &Cells) {
  AdditiveModel M;
  const size_t Rows = Cells.size(), Columns = Cells.front().size();
  M.OfColumn.assign(Columns, 0);
  for (const auto &Row : Cells) {
    M.OfRow.push_back(inference::mean(Row));
    for (size_t C = 0; C != Columns; ++C)
      M.OfColumn[C] += Row[C] / double(Rows);
  }
  M.Mean = inference::mean(M.OfRow);
  for (double &Term : M.OfRow)
    Term -= M.Mean;
  for (double &Term : M.OfColumn)
    Term -= M.Mean;
  double Rest = 0, Total = 0;
  for (size_t R = 0; R != Rows; ++R)
    for (size_t C = 0; C != Columns; ++C) {
      const double Off = Cells[R][C] - M.Mean;
      const double Left = Off - M.OfRow[R] - M.OfColumn[C];
      Total += Off * Off;
      Rest += Left * Left;
    }
  M.Rms = std::sqrt(Rest / double(Rows * Columns));
  M.Explained = Total > 0 ? 1 - Rest / Total : 1;
  return M;
}

/// One SM's reads of lines that another SM had brought into L2: for the first
/// time and again, line by line.
struct FirstTouch {
  std::vector<double> First, Again;

  /// How much longer each first read took.
  std::vector<double> extra() const {
    std::vector<double> D;
    for (size_t I = 0; I != First.size(); ++I)
      D.push_back(First[I] - Again[I]);
    return D;
  }
};

/// Which side of L2 each SM is on, as far as lines show it.
class L2Sides {
public:
  explicit L2Sides(size_t SmCount) : Side(SmCount) {}

  std::optional<unsigned> firstUnassigned() const {
    for (unsigned Sm = 0; Sm != Side.size(); ++Sm)
      if (!Side[Sm])
        return Sm;
    return std::nullopt;
  }

  /// Puts \p Owner, and every unassigned SM that found few of its lines far, on
  /// side \p Number.
  void assign(unsigned Number, unsigned Owner,
              const std::vector<FirstTouch> &Found) {
    std::vector<double> All, Again;
    for (const FirstTouch &T : Found) {
      const std::vector<double> Extra = T.extra();
      All.insert(All.end(), Extra.begin(), Extra.end());
      Again.insert(Again.end(), T.Again.begin(), T.Again.end());
    }
    const std::optional<double> Threshold =
        inference::parting(All, 0.1 * inference::median(Again));
    if (Threshold && !Step)
      Step = Threshold;
    std::vector<double> Shares;
    for (const FirstTouch &T : Found) {
      size_t Far = 0;
      for (double Extra : T.extra())
        Far += Threshold && Extra > *Threshold;
      Shares.push_back(double(Far) / double(T.First.size()));
    }
    // The far side finds the lines far that have their home at the owner's.
    const double Limit = std::max(0.05, inference::quantile(Shares, 0.95) / 2);
    for (size_t Sm = 0; Sm != Side.size(); ++Sm)
      if (!Side[Sm] && (Sm == Owner || Shares[Sm] < Limit))
        Side[Sm] = Number;
    Sides = Number + 1;
  }

  unsigned count() const { return Sides; }
  unsigned of(size_t Sm) const { return Side[Sm].value_or(Sides); }
  /// Extra cycles from which on a first read was far; nothing: there were none.
  std::optional<double> farStep() const { return Step; }

private:
  std::vector<std::optional<unsigned>> Side;
  std::optional<double> Step;
  unsigned Sides = 0;
};

struct TouchLatencies {
  std::vector<double> FirstSameSide, FirstOtherSide, Again, Far;
  double FarShare = 0; ///< of the first reads from another side
  bool Copied = false; ///< lines that were far are near when read again
};

/// \p Touches are those of the lines of side 0.
inline TouchLatencies touchLatencies(const std::vector<FirstTouch> &Touches,
                                     const L2Sides &Sides) {
  TouchLatencies L;
  std::vector<double> AgainOfFar;
  size_t FarElsewhere = 0;
  for (size_t Sm = 0; Sm != Touches.size(); ++Sm) {
    const FirstTouch &T = Touches[Sm];
    const bool Same = Sides.of(Sm) == 0;
    auto &First = Same ? L.FirstSameSide : L.FirstOtherSide;
    First.insert(First.end(), T.First.begin(), T.First.end());
    L.Again.insert(L.Again.end(), T.Again.begin(), T.Again.end());
    for (size_t I = 0; I != T.First.size(); ++I)
      if (Sides.farStep() && T.First[I] - T.Again[I] > *Sides.farStep()) {
        L.Far.push_back(T.First[I]);
        AgainOfFar.push_back(T.Again[I]);
        FarElsewhere += !Same;
      }
  }
  if (!L.FirstOtherSide.empty())
    L.FarShare = double(FarElsewhere) / double(L.FirstOtherSide.size());
  if (!AgainOfFar.empty())
    L.Copied = inference::median(AgainOfFar) <
               inference::median(L.Again) + *Sides.farStep() / 2;
  return L;
}

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_L2_MAP_L2FACTS_H

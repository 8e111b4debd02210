//===- L2Sides.cpp - From L2 latencies to sides and terms -----------------===//

#include "profiler/inference/L2Sides.h"

#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace warpwise::inference {

double spread(const std::vector<double> &Values) {
  const auto [Least, Most] = std::minmax_element(Values.begin(), Values.end());
  return *Most - *Least;
}

AdditiveModel fitAdditive(const std::vector<std::vector<double>> &Cells) {
  assert(!Cells.empty() && !Cells.front().empty() && "no cells");
  AdditiveModel M;
  const size_t Rows = Cells.size(), Columns = Cells.front().size();
  M.OfColumn.assign(Columns, 0);
  for (const auto &Row : Cells) {
    M.OfRow.push_back(mean(Row));
    for (size_t C = 0; C != Columns; ++C)
      M.OfColumn[C] += Row[C] / double(Rows);
  }
  M.Mean = mean(M.OfRow);
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

std::vector<double> FirstTouch::extra() const {
  assert(First.size() == Again.size() && "a line that was read once");
  std::vector<double> D;
  for (size_t I = 0; I != First.size(); ++I)
    D.push_back(First[I] - Again[I]);
  return D;
}

std::optional<unsigned> L2Sides::firstUnassigned() const {
  for (unsigned Sm = 0; Sm != Side.size(); ++Sm)
    if (!Side[Sm])
      return Sm;
  return std::nullopt;
}

void L2Sides::assign(unsigned Number, unsigned Owner,
                     const std::vector<FirstTouch> &Found) {
  std::vector<double> All, Again;
  for (const FirstTouch &T : Found) {
    const std::vector<double> Extra = T.extra();
    All.insert(All.end(), Extra.begin(), Extra.end());
    Again.insert(Again.end(), T.Again.begin(), T.Again.end());
  }
  const std::optional<double> Threshold = parting(All, 0.1 * median(Again));
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
  const double Limit = std::max(0.05, quantile(Shares, 0.95) / 2);
  for (size_t Sm = 0; Sm != Side.size(); ++Sm)
    if (!Side[Sm] && (Sm == Owner || Shares[Sm] < Limit))
      Side[Sm] = Number;
  Sides = Number + 1;
}

TouchLatencies touchLatencies(const std::vector<FirstTouch> &Touches,
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
    L.Copied = median(AgainOfFar) < median(L.Again) + *Sides.farStep() / 2;
  return L;
}

} // namespace warpwise::inference

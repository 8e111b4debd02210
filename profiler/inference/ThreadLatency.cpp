//===- ThreadLatency.cpp - Where a Thread-Latency curve saturates ---------===//
//
// Forward scan: a baseline is fitted to the points so far; the first three
// points in a row that lie clearly above its continuation are the sign of a
// knee. Then the change point is fitted around it, with the interval that the
// residuals allow.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/ThreadLatency.h"

#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

/// A rise below this share of a round trip is no sign of anything.
constexpr double LeastRise = 0.1;
/// How far growth after a knee may be from whole round trips: RoundTrip is the
/// shortest, and under load it may be twice as long.
constexpr double LeastRoundTrips = 0.6, MostRoundTrips = 2;
/// Rise before a table is full, in round trips: less than one, and what their
/// length under load adds.
constexpr double MostRiseBefore = 1.5;
/// Growth is looked at up to this multiple of a knee, just before the next
/// step.
constexpr double BeforeNextStep = 1.9;
/// Points in a row that have to lie above the baseline.
constexpr size_t Sustained = 3;
/// Points that a baseline needs.
constexpr size_t LeastBaseline = 3;
/// The 95 % quantile of chi squared with one degree of freedom.
constexpr double ChiSquared95 = 3.84;
/// Variance of a latency in whole cycles; no residual is trusted below it.
constexpr double ClockVariance = 0.25;

struct Curve {
  std::vector<double> X, Y;
  size_t size() const { return X.size(); }
};

/// Medians of five remove lone outliers and pairs, and keep steps where they
/// are.
Curve smoothed(const ThreadLatencySeries &S) {
  Curve C;
  const size_t N = S.Points.size();
  for (size_t I = 0; I != N; ++I) {
    const size_t Half = std::min({I, N - 1 - I, size_t(2)});
    std::vector<double> Around;
    for (size_t J = I - Half; J <= I + Half; ++J)
      Around.push_back(S.Points[J].Cycles);
    C.X.push_back(S.Points[I].Threads);
    C.Y.push_back(median(Around));
  }
  // An end has one neighbour only: it may not stick out above it.
  if (N > 2) {
    C.Y.front() = std::min(C.Y.front(), C.Y[1]);
    C.Y.back() = std::min(C.Y.back(), C.Y[N - 2]);
  }
  return C;
}

/// 1.48 medians of the absolute deviation are one standard deviation.
double deviation(std::vector<double> Residuals) {
  for (double &R : Residuals)
    R = std::abs(R);
  return Residuals.empty() ? 0 : 1.4826 * median(Residuals);
}

/// Noise of the points, whatever the curve does: from second differences, whose
/// variance is six times that of a point.
double noiseOf(const ThreadLatencySeries &S) {
  std::vector<double> Bends;
  for (size_t I = 1; I + 1 < S.Points.size(); ++I)
    Bends.push_back(S.Points[I - 1].Cycles - 2 * S.Points[I].Cycles +
                    S.Points[I + 1].Cycles);
  return deviation(std::move(Bends)) / std::sqrt(6);
}

/// Constant, slope, and another slope within the first warp, whose lanes are
/// issued one after the other.
std::vector<std::vector<double>> baselineColumns(const Curve &C, size_t Begin,
                                                 size_t End) {
  std::vector<std::vector<double>> Columns(2);
  Columns[0].assign(End - Begin, 1);
  Columns[1].assign(C.X.begin() + Begin, C.X.begin() + End);
  const auto InWarp = std::count_if(Columns[1].begin(), Columns[1].end(),
                                    [](double X) { return X <= WarpSize; });
  const auto Beyond = Columns[1].size() - InWarp;
  if (InWarp >= 2 && Beyond >= 2) {
    Columns.push_back(Columns[1]);
    for (double &X : Columns.back())
      X = std::min<double>(X, WarpSize);
  }
  return Columns;
}

double predict(const std::vector<double> &Coefficients, double X) {
  double Y = Coefficients[0] + Coefficients[1] * X;
  if (Coefficients.size() > 2)
    Y += Coefficients[2] * std::min<double>(X, WarpSize);
  return Y;
}

/// Where the continuation of a baseline is left: the knee lies in [Begin, End)
/// of the curve.
struct Departure {
  size_t BaselineEnd = 0;
  size_t End = 0;
};

/// Extends the baseline from \p Begin, by a sixteenth at a time, until the
/// curve at the end of a horizon half as long as the baseline lies above its
/// continuation. The horizon makes soft bends visible, which a baseline would
/// follow.
std::optional<Departure> firstDeparture(const Curve &C, size_t Begin,
                                        double RoundTrip, double Noise) {
  for (size_t I = Begin + LeastBaseline; I + Sustained <= C.size();
       I += 1 + (I - Begin) / 16) {
    const std::span Y(C.Y.data() + Begin, I - Begin);
    const auto Baseline = leastSquares(baselineColumns(C, Begin, I), Y);
    if (!Baseline)
      continue;
    std::vector<double> Residuals;
    for (size_t J = Begin; J != I; ++J)
      Residuals.push_back(C.Y[J] - predict(Baseline->Coefficients, C.X[J]));
    const double Tolerance =
        std::max(5 * std::max(deviation(std::move(Residuals)), Noise),
                 LeastRise * RoundTrip);
    const size_t End =
        std::min(C.size(), I + std::max(Sustained, (I - Begin) / 2));
    bool Above = true;
    for (size_t J = End - Sustained; J != End; ++J)
      Above &= C.Y[J] > predict(Baseline->Coefficients, C.X[J]) + Tolerance;
    if (Above)
      return Departure{I, End};
  }
  return std::nullopt;
}

/// Squared residuals of a baseline with a step and a new slope at \p Knee, and
/// the height of the step.
struct SplitFit {
  double Squares = 0;
  double Step = 0;
  size_t Parameters = 0;
};
std::optional<SplitFit> fitSplit(const Curve &C, size_t Begin, size_t Knee,
                                 size_t End) {
  auto Columns = baselineColumns(C, Begin, End);
  const size_t StepColumn = Columns.size();
  Columns.resize(StepColumn + 2, std::vector<double>(End - Begin, 0));
  for (size_t I = Knee; I != End; ++I) {
    Columns[StepColumn][I - Begin] = 1;
    Columns[StepColumn + 1][I - Begin] = C.X[I] - C.X[Knee];
  }
  const auto Fit =
      leastSquares(Columns, std::span(C.Y.data() + Begin, End - Begin));
  if (!Fit)
    return std::nullopt;
  SplitFit Split{0, Fit->Coefficients[StepColumn], Columns.size()};
  for (size_t I = Begin; I != End; ++I) {
    double Residual = C.Y[I];
    for (size_t K = 0; K != Columns.size(); ++K)
      Residual -= Fit->Coefficients[K] * Columns[K][I - Begin];
    Split.Squares += Residual * Residual;
  }
  return Split;
}

struct Knee {
  size_t Low = 0, High = 0; ///< interval of the first index that is full
  double Step = 0;
};

/// The change point of a departure, by profile likelihood.
std::optional<Knee> locate(const Curve &C, size_t Begin, const Departure &At,
                           double RoundTrip) {
  // A step next to the end needs points behind it.
  const size_t End = std::min(C.size(), At.End + Sustained);
  const size_t Most = std::min(At.End, End - 1);
  std::vector<std::pair<size_t, SplitFit>> Fits;
  for (size_t I = Begin + 2; I <= Most; ++I)
    if (const auto Fit = fitSplit(C, Begin, I, End);
        Fit && Fit->Step > -LeastRise * RoundTrip)
      Fits.emplace_back(I, *Fit);
  if (Fits.empty())
    return std::nullopt;
  const auto &[Best, BestFit] =
      *std::min_element(Fits.begin(), Fits.end(), [](auto &A, auto &B) {
        return A.second.Squares < B.second.Squares;
      });
  const size_t Points = End - Begin;
  const double Variance =
      Points > BestFit.Parameters + 1
          ? std::max(BestFit.Squares / (Points - BestFit.Parameters - 1),
                     ClockVariance)
          : ClockVariance;
  Knee K{Best, Best, BestFit.Step};
  for (const auto &[I, Fit] : Fits)
    if (Fit.Squares <= BestFit.Squares + ChiSquared95 * Variance) {
      K.Low = std::min(K.Low, I);
      K.High = std::max(K.High, I);
    }
  return K;
}

/// Whether the knee can be that of a table: nothing has come back before it is
/// full, and nearly doubling the threads costs one round trip more.
bool isTable(const Curve &C, const Knee &K, double RoundTrip) {
  const size_t Last = K.Low - 1;
  if (C.Y[Last] - C.Y.front() > MostRiseBefore * RoundTrip)
    return false;
  const double Full = C.X[Last];
  size_t End = Last;
  while (End + 1 < C.size() && C.X[End + 1] <= BeforeNextStep * Full)
    ++End;
  const double Grown = C.Y[End] - C.Y[Last];
  return Grown >= LeastRoundTrips * RoundTrip * (C.X[End] / Full - 1) &&
         Grown <= MostRoundTrips * RoundTrip;
}

uint64_t distinctBlocks(uint64_t Groups, uint64_t StepBytes,
                        uint64_t BlockBytes) {
  if (Groups == 0 || StepBytes >= BlockBytes)
    return Groups;
  return (Groups - 1) * StepBytes / BlockBytes + 1;
}

uint64_t divideUp(uint64_t A, uint64_t B) { return (A + B - 1) / B; }

} // namespace

std::string_view inference::axisName(InFlight Axis) {
  switch (Axis) {
  case InFlight::Lines:
    return "unique lines";
  case InFlight::Sectors:
    return "unique sectors";
  case InFlight::WarpLoads:
    return "warp loads";
  case InFlight::WarpLoadsPerScheduler:
    return "warp loads per scheduler";
  }
  return "";
}

uint64_t inference::countInFlight(const ThreadLatencySeries &S,
                                  unsigned Threads, InFlight Axis,
                                  const SmShape &Sm) {
  const uint64_t Loads = S.LoadsPerThread;
  const uint64_t Groups = divideUp(Threads, S.Merge);
  const uint64_t Warps = divideUp(Threads, WarpSize);
  switch (Axis) {
  case InFlight::Lines:
    return Loads * distinctBlocks(Groups, S.StepBytes, Sm.LineBytes);
  case InFlight::Sectors:
    return Loads * distinctBlocks(Groups, S.StepBytes, Sm.SectorBytes);
  case InFlight::WarpLoads:
    return Loads * Warps;
  case InFlight::WarpLoadsPerScheduler:
    return Loads * divideUp(Warps, Sm.Schedulers);
  }
  return 0;
}

std::vector<double> inference::varianceCurve(const ThreadLatencySeries &S) {
  std::vector<double> Variance(S.Points.size(), 0);
  for (size_t I = 1; I + 1 < S.Points.size(); ++I) {
    const double Around[] = {S.Points[I - 1].Cycles, S.Points[I].Cycles,
                             S.Points[I + 1].Cycles};
    const double Mean = mean(Around);
    for (double Cycles : Around)
      Variance[I] += (Cycles - Mean) * (Cycles - Mean) / 2;
  }
  return Variance;
}

SeriesShape inference::shapeOf(const ThreadLatencySeries &S, double RoundTrip) {
  SeriesShape Shape;
  const Curve C = smoothed(S);
  if (C.size() < LeastBaseline + Sustained)
    return Shape;
  const auto Variance = varianceCurve(S);
  Shape.SpikeAfter =
      S.Points[std::max_element(Variance.begin(), Variance.end()) -
               Variance.begin()]
          .Threads;
  Shape.Rise = C.Y.back() - C.Y.front();
  Shape.Form = Shape.Rise < LeastRise * RoundTrip ? Growth::Flat : Growth::Ramp;

  // What bends without being a table is passed; the scan goes on behind it.
  const double Noise = noiseOf(S);
  for (size_t Begin = 0;;) {
    const auto Left = firstDeparture(C, Begin, RoundTrip, Noise);
    const auto At = Left ? locate(C, Begin, *Left, RoundTrip) : std::nullopt;
    if (!At)
      return Shape;
    const bool Table = isTable(C, *At, RoundTrip);
    if (Table || Shape.Form == Growth::Ramp) {
      Shape.Form = Table ? Growth::Saturates : Growth::Bends;
      Shape.LastFree = S.Points[At->Low - 1].Threads;
      Shape.FirstFull = S.Points[At->High].Threads;
      Shape.Step = At->Step;
    }
    if (Table)
      return Shape;
    Begin = std::max(Left->BaselineEnd, At->High);
  }
}

//===- Axis.cpp - Scales and their ticks ----------------------------------===//

#include "profiler/charts/Axis.h"

#include <algorithm>
#include <cmath>

using namespace warpwise;
using namespace warpwise::charts;

namespace {

constexpr size_t MostTicks = 7;

/// A step of 1, 2, 2.5 or 5 times a power of ten so that \p Span has about
/// \p Intervals of them; for bytes a power of two.
double roundStep(double Span, double Intervals, bool Binary) {
  const double Raw = Span / Intervals;
  if (Binary)
    return std::exp2(std::ceil(std::log2(Raw) - 0.5));
  const double Decade = std::pow(10, std::floor(std::log10(Raw)));
  for (double Factor : {1.0, 2.0, 2.5, 5.0})
    // 25 and 250 are round, 2.5 is none for a count.
    if (Raw <= Factor * Decade * 1.0001 && (Factor != 2.5 || Decade >= 10))
      return Factor * Decade;
  return 10 * Decade;
}

std::string tickText(double Value, const AxisLabel &Label) {
  return Label.Unit == "B" ? bytes(Value) : number(Value);
}

void linearTicks(Axis &A, double Step, const AxisLabel &Label) {
  const double Slack = 1e-9 * (A.High - A.Low);
  const double First = std::ceil((A.Low - Slack) / Step);
  // Counted, because next to huge values a step may be no step.
  for (int K = 0; K != 3 * int(MostTicks); ++K)
    if (const double At = (First + K) * Step; At <= A.High + Slack)
      A.Ticks.push_back({At, tickText(At, Label)});
}

/// Ticks at powers of \p Base, at each or at every second, third, ...
void powerTicks(Axis &A, double Base, const AxisLabel &Label) {
  const double Scale = std::log(Base);
  const int First = int(std::ceil(std::log(A.Low) / Scale - 1e-9));
  const int Last = int(std::floor(std::log(A.High) / Scale + 1e-9));
  const int Every = 1 + (Last - First) / int(MostTicks);
  for (int Power = First; Power <= Last; Power += Every)
    A.Ticks.push_back(
        {std::pow(Base, Power), tickText(std::pow(Base, Power), Label)});
}

/// Whether sorted positive \p Values are spaced rather by factors than by
/// differences: is their median nearer to the middle of the logarithms?
bool spacedByFactors(const std::vector<double> &Values) {
  const double Low = Values.front(), High = Values.back();
  const double Median = Values[Values.size() / 2];
  return std::fabs(std::log(Median / std::sqrt(Low * High))) <
         std::fabs(std::log(Median / ((Low + High) / 2)));
}

/// Only values to plot, sorted; never empty.
void tidy(std::vector<double> &Values) {
  std::erase_if(Values, [](double V) { return !plottable(V); });
  std::sort(Values.begin(), Values.end());
  if (Values.empty())
    Values = {0, 1};
}

/// A range that is not a point.
void widen(Axis &A) {
  if (A.Low < A.High)
    return;
  const double By = A.Low == 0 ? 1 : std::fabs(A.Low) * 0.5;
  A.Low -= By;
  A.High += By;
}

} // namespace

bool charts::plottable(double Value) {
  return Value == 0 || (std::fabs(Value) > 1e-100 && std::fabs(Value) < 1e100);
}

double Axis::place(double Value) const {
  if (Logarithmic)
    return std::log(std::max(Value, Low) / Low) / std::log(High / Low);
  return (Value - Low) / (High - Low);
}

Axis charts::horizontalAxis(std::vector<double> Values,
                            const AxisLabel &Label) {
  tidy(Values);
  // Each place once: a dense sweep must not decide alone.
  Values.erase(std::unique(Values.begin(), Values.end()), Values.end());
  Axis A{Values.front(), Values.back(), false, {}};
  const bool Bytes = Label.Unit == "B";
  A.Logarithmic =
      A.Low > 0 && A.High / A.Low >= 8 && (Bytes || spacedByFactors(Values));
  if (A.Logarithmic) {
    powerTicks(A, 2, Label);
    return A;
  }
  widen(A);
  // Labels of bytes are wide.
  linearTicks(A, roundStep(A.High - A.Low, Bytes ? 4 : 6, Bytes), Label);
  return A;
}

Axis charts::verticalAxis(std::vector<double> Values, const AxisLabel &Label) {
  tidy(Values);
  Axis A{Values.front(), Values.back(), false, {}};
  if (A.Low > 0 && A.High / A.Low > 100 && A.High / A.Low < 1e6) {
    A.Logarithmic = true;
    A.Low = std::pow(10, std::floor(std::log10(A.Low)));
    A.High = std::pow(10, std::ceil(std::log10(A.High)));
    powerTicks(A, 10, Label);
    return A;
  }
  if (A.Low >= 0 && A.Low < 0.6 * A.High)
    A.Low = 0;
  widen(A);
  const double Step = roundStep(A.High - A.Low, 4, Label.Unit == "B");
  A.Low = std::floor(A.Low / Step + 1e-9) * Step;
  A.High = std::ceil(A.High / Step - 1e-9) * Step;
  linearTicks(A, Step, Label);
  return A;
}

Axis charts::barAxis(std::vector<double> Values) {
  tidy(Values);
  Axis A{
      std::min(0.0, Values.front()), std::max(0.0, Values.back()), false, {}};
  if (A.Low == A.High)
    A.High = 1;
  linearTicks(A, roundStep(A.High - A.Low, 4, false), {});
  return A;
}

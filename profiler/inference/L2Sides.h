//===- L2Sides.h - From L2 latencies to sides and terms ---------*- C++ -*-===//
//
// The arithmetic behind the L2 map. Latencies in cycles.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_L2SIDES_H
#define WARPWISE_PROFILER_INFERENCE_L2SIDES_H

#include <cstddef>
#include <optional>
#include <vector>

namespace warpwise::inference {

/// From the least to the largest.
double spread(const std::vector<double> &Values);

/// Cell = Mean + OfRow + OfColumn + rest.
struct AdditiveModel {
  double Mean = 0;
  std::vector<double> OfRow, OfColumn;
  double Rms = 0;       ///< of the rest
  double Explained = 0; ///< share of the variance without the rest
};

/// By least squares, which for a full matrix are the means of rows and columns.
AdditiveModel fitAdditive(const std::vector<std::vector<double>> &Cells);

/// One SM's reads of lines that another SM had brought into L2: for the first
/// time and again, line by line.
struct FirstTouch {
  std::vector<double> First, Again;

  /// How much longer each first read took.
  std::vector<double> extra() const;
};

/// Which side of L2 each SM is on, as far as lines show it.
class L2Sides {
public:
  explicit L2Sides(size_t SmCount) : Side(SmCount) {}

  std::optional<unsigned> firstUnassigned() const;

  /// Puts \p Owner, and every unassigned SM that found few of its lines far, on
  /// side \p Number.
  void assign(unsigned Number, unsigned Owner,
              const std::vector<FirstTouch> &Found);

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
TouchLatencies touchLatencies(const std::vector<FirstTouch> &Touches,
                              const L2Sides &Sides);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_L2SIDES_H

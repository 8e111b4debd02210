//===- Sums.h - Sums from which a covariance follows ------------*- C++ -*-===//
//
// Steps S2 and S4. The covariance of whole numbers is computed from sums that
// are exact, so it does not matter in which order, on how many threads or on
// what machine they were added: (n * sum xy - sum x * sum y) / (n * (n - 1)).
// Floats have no such sums; theirs are of doubles, of the samples less the
// first one of their band, so that a large mean does not eat the digits.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_SERIAL_SUMS_H
#define WARPWISE_MNF_CASE_STUDY_SERIAL_SUMS_H

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace mnf {

struct Statistics {
  Eigen::VectorXd Means;
  Eigen::MatrixXd Covariance;
};

/// \p Sum is int64_t or double.
template <typename Sum> struct Sums {
  size_t Bands;
  size_t Pixels = 0;
  /// What the samples of a band were taken less of; zero for whole numbers.
  std::vector<Sum> Pivots;
  std::vector<Sum> OfBands;
  /// Bands x Bands; row <= column is what counts.
  std::vector<Sum> OfProducts;

  explicit Sums(size_t Bands)
      : Bands(Bands), Pivots(Bands), OfBands(Bands), OfProducts(Bands * Bands) {
  }

  Statistics statistics() const;
};

/// A member, as Noise.h explains.
template <typename Sample> struct WideOf {
  using Type =
      std::conditional_t<std::is_floating_point_v<Sample>, double, int64_t>;
};
template <typename Sample> using SumOf = typename WideOf<Sample>::Type;

/// Adds \p Pixels of each band; \p Planes lie \p Pitch samples apart. Runs on
/// one core.
template <typename Sample>
void addPlanes(const Sample *Planes, size_t Pitch, size_t Pixels,
               Sums<SumOf<Sample>> &To);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_SERIAL_SUMS_H

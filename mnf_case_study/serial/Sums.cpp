//===- Sums.cpp -----------------------------------------------------------===//

#include "mnf_case_study/serial/Sums.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace mnf {
namespace {

/// Pixels that are multiplied while they lie in the cache: 224 bands of them
/// are 448 KiB in 16 bits.
constexpr size_t Block = 1024;

/// What the samples of a block are copied to. int16_t x int16_t into int32_t is
/// one instruction for a pair on x86-64.
template <typename Sample>
using CopyOf = std::conditional_t<
    std::is_floating_point_v<Sample>, double,
    std::conditional_t<std::is_same_v<Sample, uint8_t>, int16_t, Sample>>;

__extension__ using Wide = __int128;

/// n * SumXY - SumX * SumY without loss for whole numbers.
double centred(int64_t Count, int64_t SumXY, int64_t SumX, int64_t SumY) {
  return double(Wide(Count) * SumXY - Wide(SumX) * SumY);
}
double centred(double Count, double SumXY, double SumX, double SumY) {
  return Count * SumXY - SumX * SumY;
}

/// Adds the products of the first \p Count samples of all pairs of rows.
/// \p Product holds the sum of a block of them.
template <typename Product, typename Copy, typename Sum>
void addProducts(const std::vector<Copy> &Rows, size_t Count, Sums<Sum> &To) {
  for (size_t A = 0; A < To.Bands; ++A) {
    const Copy *Left = &Rows[A * Block];
    for (size_t B = A; B < To.Bands; ++B) {
      const Copy *Right = &Rows[B * Block];
      Product Of = 0;
      for (size_t I = 0; I < Count; ++I)
        Of += Product(Left[I]) * Product(Right[I]);
      To.OfProducts[A * To.Bands + B] += Of;
    }
  }
}

} // namespace

template <typename Sample>
void addPlanes(const Sample *Planes, size_t Pitch, size_t Pixels,
               Sums<SumOf<Sample>> &To) {
  using Copy = CopyOf<Sample>;
  using Sum = SumOf<Sample>;
  const size_t Bands = To.Bands;
  if (std::is_floating_point_v<Sample> && To.Pixels == 0 && Pixels > 0)
    for (size_t Band = 0; Band < Bands; ++Band)
      To.Pivots[Band] = Sum(Planes[Band * Pitch]);

  std::vector<Copy> Rows(Bands * Block);
  for (size_t First = 0; First < Pixels; First += Block) {
    const size_t Count = std::min(Block, Pixels - First);
    Sum Largest = 0;
    for (size_t Band = 0; Band < Bands; ++Band) {
      const Sample *From = Planes + Band * Pitch + First;
      Copy *Row = &Rows[Band * Block];
      Sum OfRow = 0;
      for (size_t I = 0; I < Count; ++I) {
        Row[I] = Copy(Sum(From[I]) - To.Pivots[Band]);
        OfRow += Row[I];
        Largest = std::max(Largest, std::abs(Sum(Row[I])));
      }
      To.OfBands[Band] += OfRow;
    }
    // Noise is small, whatever its type could hold.
    if constexpr (std::is_floating_point_v<Sample>)
      addProducts<double>(Rows, Count, To);
    else if (Largest * Largest <=
             std::numeric_limits<int32_t>::max() / int64_t(Block))
      addProducts<int32_t>(Rows, Count, To);
    else
      addProducts<int64_t>(Rows, Count, To);
  }
  To.Pixels += Pixels;
}

template <typename Sum> Statistics Sums<Sum>::statistics() const {
  const Eigen::Index Size = Eigen::Index(Bands);
  Statistics Result{Eigen::VectorXd(Size), Eigen::MatrixXd(Size, Size)};
  const double Count = double(Pixels);
  for (size_t A = 0; A < Bands; ++A) {
    Result.Means[Eigen::Index(A)] =
        double(Pivots[A]) + double(OfBands[A]) / Count;
    for (size_t B = A; B < Bands; ++B) {
      const double Value = centred(Sum(Pixels), OfProducts[A * Bands + B],
                                   OfBands[A], OfBands[B]) /
                           (Count * (Count - 1));
      Result.Covariance(Eigen::Index(A), Eigen::Index(B)) = Value;
      Result.Covariance(Eigen::Index(B), Eigen::Index(A)) = Value;
    }
  }
  return Result;
}

template struct Sums<int64_t>;
template struct Sums<double>;

template void addPlanes(const uint8_t *, size_t, size_t, Sums<int64_t> &);
template void addPlanes(const int16_t *, size_t, size_t, Sums<int64_t> &);
template void addPlanes(const uint16_t *, size_t, size_t, Sums<int64_t> &);
template void addPlanes(const int32_t *, size_t, size_t, Sums<int64_t> &);
template void addPlanes(const float *, size_t, size_t, Sums<double> &);

} // namespace mnf

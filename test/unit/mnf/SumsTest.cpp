//===- SumsTest.cpp -------------------------------------------------------===//

#include "mnf_case_study/serial/Sums.h"

#include "gtest/gtest.h"

#include <random>

using namespace mnf;

namespace {

template <typename Sample>
std::vector<Sample> randomPlanes(size_t Bands, size_t Pixels, int Least,
                                 int Most) {
  std::mt19937 Random(7);
  std::uniform_int_distribution<int> Any(Least, Most);
  std::vector<Sample> Planes(Bands * Pixels);
  for (Sample &S : Planes)
    S = Sample(Any(Random));
  return Planes;
}

/// The definition: means first, then centred products.
template <typename Sample>
double covarianceOf(const std::vector<Sample> &Planes, size_t Pixels, size_t A,
                    size_t B) {
  const auto Mean = [&](size_t Band) {
    long double Sum = 0;
    for (size_t I = 0; I < Pixels; ++I)
      Sum += Planes[Band * Pixels + I];
    return Sum / Pixels;
  };
  const long double OfA = Mean(A), OfB = Mean(B);
  long double Sum = 0;
  for (size_t I = 0; I < Pixels; ++I)
    Sum += (Planes[A * Pixels + I] - OfA) * (Planes[B * Pixels + I] - OfB);
  return double(Sum / (Pixels - 1));
}

template <typename Sample> void check(int Least, int Most, double Tolerance) {
  constexpr size_t Bands = 3, Pixels = 2500;
  const auto Planes = randomPlanes<Sample>(Bands, Pixels, Least, Most);
  Sums<SumOf<Sample>> All(Bands), Parts(Bands);
  addPlanes(Planes.data(), Pixels, Pixels, All);
  addPlanes(Planes.data(), Pixels, 1100, Parts);
  addPlanes(Planes.data() + 1100, Pixels, Pixels - 1100, Parts);
  if constexpr (std::is_integral_v<Sample>) {
    EXPECT_EQ(All.OfProducts, Parts.OfProducts);
    EXPECT_EQ(All.OfBands, Parts.OfBands);
  }
  for (const auto &S : {All.statistics(), Parts.statistics()})
    for (size_t A = 0; A < Bands; ++A)
      for (size_t B = 0; B < Bands; ++B) {
        const double Expected = covarianceOf(Planes, Pixels, A, B);
        EXPECT_NEAR(S.Covariance(Eigen::Index(A), Eigen::Index(B)), Expected,
                    Tolerance * double(Most - Least) * double(Most - Least));
      }
}

} // namespace

TEST(Sums, GiveTheCovariance) {
  check<uint8_t>(0, 255, 1e-14);
  check<int16_t>(-32768, 32767, 1e-14);
  check<int16_t>(-300, 300, 1e-14);
  check<uint16_t>(0, 65535, 1e-14);
  check<int32_t>(-65535, 65535, 1e-14);
}

TEST(Sums, OfFloatsSurviveALargeMean) {
  check<float>(0, 255, 1e-13);
  check<float>(1000000, 1000010, 1e-12);
}

TEST(Sums, OfTheLargestSamplesDoNotOverflow) {
  const std::vector<uint8_t> Planes(2 * 5000, 255);
  Sums<int64_t> Of(2);
  addPlanes(Planes.data(), 5000, 5000, Of);
  EXPECT_EQ(Of.OfProducts[1], 5000LL * 255 * 255);
  EXPECT_EQ(Of.statistics().Covariance(0, 1), 0);
}

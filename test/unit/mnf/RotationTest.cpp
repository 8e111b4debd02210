//===- RotationTest.cpp ---------------------------------------------------===//

#include "mnf_case_study/serial/Rotation.h"
#include "mnf_case_study/scene/Scene.h"
#include "mnf_case_study/serial/Noise.h"

#include "gtest/gtest.h"

using namespace mnf;

namespace {

constexpr size_t Bands = 12, Lines = 40, Samples = 50;

struct Solved {
  Statistics Noise, Image;
  Rotation By;
};

Solved solveScene(double NoiseOfScene) {
  const Scene From = {{Bands, Lines, Samples}, 255, NoiseOfScene, 3};
  std::vector<uint8_t> Planes(From.Size.size());
  std::vector<int16_t> Noise(From.Size.size());
  const size_t Pixels = From.Size.pixels();
  for (size_t Band = 0; Band < Bands; ++Band) {
    From.fill(Band, &Planes[Band * Pixels]);
    estimateNoise(&Planes[Band * Pixels], Lines, Samples, 0, Lines,
                  NoiseEstimate::Median, &Noise[Band * Pixels]);
  }
  Sums<int64_t> OfNoise(Bands), OfImage(Bands);
  addPlanes(Noise.data(), Pixels, Pixels, OfNoise);
  addPlanes(Planes.data(), Pixels, Pixels, OfImage);
  Solved Result{OfNoise.statistics(), OfImage.statistics(), {}};
  auto By = solve(Result.Noise, Result.Image);
  EXPECT_EQ(By.reason(), "");
  Result.By = *By;
  return Result;
}

} // namespace

TEST(Rotation, MakesTheNoiseWhiteAndTheComponentsUncorrelated) {
  const Solved S = solveScene(0.02);
  const Eigen::MatrixXd &T = S.By.Transformation;
  EXPECT_TRUE((T.transpose() * S.Noise.Covariance * T)
                  .isApprox(Eigen::MatrixXd::Identity(Bands, Bands), 1e-9));
  const Eigen::MatrixXd OfComponents = T.transpose() * S.Image.Covariance * T;
  EXPECT_TRUE(OfComponents.isApprox(
      Eigen::MatrixXd(S.By.Eigenvalues.asDiagonal()), 1e-9));
  for (Eigen::Index K = 1; K < Eigen::Index(Bands); ++K)
    EXPECT_GE(S.By.Eigenvalues[K - 1], S.By.Eigenvalues[K]);
  EXPECT_TRUE((S.By.inverse() * T.transpose())
                  .isApprox(Eigen::MatrixXd::Identity(Bands, Bands), 1e-9));
}

TEST(Rotation, FindsTheMaterialsOfAScene) {
  // Six materials that add up to one: five components are signal.
  const Solved S = solveScene(0.01);
  EXPECT_GT(S.By.Eigenvalues[1], 10);
  EXPECT_LT(S.By.Eigenvalues[6], 2);
}

TEST(Rotation, IsTheSameAfterJson) {
  const Solved S = solveScene(0.02);
  auto Again = fromJson(toJson(S.By, "median"));
  ASSERT_EQ(Again.reason(), "");
  EXPECT_EQ(Again->Eigenvalues, S.By.Eigenvalues);
  EXPECT_EQ(Again->Means, S.By.Means);
  EXPECT_EQ(Again->Transformation, S.By.Transformation);
}

TEST(Rotation, RefusesNoiseWithoutAnInverse) {
  Solved S = solveScene(0.02);
  S.Noise.Covariance.row(3) = S.Noise.Covariance.row(2);
  S.Noise.Covariance.col(3) = S.Noise.Covariance.col(2);
  EXPECT_EQ(solve(S.Noise, S.Image).reason(),
            "the covariance of the noise is singular: the noise of some bands "
            "is that of others");
  S.Noise.Covariance.row(3).setZero();
  S.Noise.Covariance.col(3).setZero();
  EXPECT_EQ(solve(S.Noise, S.Image).reason(),
            "the covariance of the noise is singular: band 4 has no noise");
}

TEST(Rotation, RefusesJsonThatIsNone) {
  EXPECT_NE(fromJson("[1").reason(), "");
  EXPECT_NE(fromJson(R"({"schema": "other"})").reason(), "");
  EXPECT_EQ(fromJson(R"({"schema": "mnf-rotation/1", "means": [1, 2],
                         "eigenvalues": [1]})")
                .reason(),
            "'eigenvalues' is no list of 2 numbers");
  EXPECT_EQ(fromJson(R"({"schema": "mnf-rotation/1", "means": [1],
                         "eigenvalues": [1], "transformation": [["x"]]})")
                .reason(),
            "'transformation' [0] is no list of 1 numbers");
}

TEST(Transform, AddsWeightedBands) {
  const std::vector<uint16_t> Planes = {1, 2, 3, 0, 10, 20, 30, 0};
  const std::vector<float> Weights = {1, 0.5f, -1, 2};
  std::vector<float> Result(6);
  transform(Planes.data(), 4, 3, 2, Weights.data(), 2, Result.data(), 3);
  EXPECT_EQ(Result, (std::vector<float>{-9, -18, -27, 20.5f, 41, 61.5f}));
}

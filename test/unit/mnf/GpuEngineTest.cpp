//===- GpuEngineTest.cpp - The GPU's engine beside the serial one ---------===//
//
// Skipped where there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "mnf_case_study/app/Engine.h"
#include "mnf_case_study/device/Versions.h"
#include "mnf_case_study/scene/Scene.h"
#include "test/unit/io/TemporaryFolder.h"

using namespace mnf;

namespace {

class GpuEngineTest : public warpwise::io::test::InFolder {
protected:
  /// A scene, or samples of any size and noise to match.
  template <typename Sample>
  EnviImage image(SampleType Type, const Shape &Size, bool Wild) const {
    Scene From;
    From.Size = Size;
    From.Brightest = Type == SampleType::UInt8 ? 255 : 10000;
    EnviHeader Header;
    Header.Size = Size;
    Header.Type = Type;
    auto To = ImageWriter::create(at("image"), Header);
    EXPECT_EQ(To.reason(), "");
    std::vector<Sample> Plane(Size.pixels());
    for (size_t Band = 0; Band < Size.Bands; ++Band) {
      From.fill(Band, Plane.data());
      if (Wild)
        for (size_t I = 0; I < Plane.size(); ++I)
          Plane[I] =
              Sample(uint32_t(uint32_t(Plane[I]) + I) * 2654435761u >> 9);
      const size_t Bytes = Plane.size() * sizeof(Sample);
      EXPECT_EQ(To->write(Plane.data(), Bytes, Band * Bytes), "");
    }
    EXPECT_EQ(To->finish(), "");
    auto Image = EnviImage::open(at("image"));
    EXPECT_EQ(Image.reason(), "");
    return std::move(*Image);
  }

  static Moments measured(Engine &By, const EnviImage &Image,
                          NoiseEstimate Noise) {
    Times Spent;
    Progress Shown(true);
    auto Result = By.measure(Image, Noise, Spent, Shown);
    EXPECT_EQ(Result.reason(), "");
    return *Result;
  }

  static void expectSame(const Statistics &A, const Statistics &B) {
    EXPECT_EQ(A.Means, B.Means);
    EXPECT_EQ(A.Covariance, B.Covariance);
  }

  /// Whether there is a GPU; each way has the sums of the CPU to the last bit.
  bool compare(const EnviImage &Image, const std::vector<GpuWay> &Ways,
               NoiseEstimate Noise = NoiseEstimate::Median) {
    const Moments Right = measured(*makeSerialEngine(1 << 20), Image, Noise);
    for (const GpuWay &Way : Ways) {
      auto Made = makeGpuEngine(Way, Image, Noise, 5);
      if (!Made) {
        Why = Made.reason();
        return false;
      }
      SCOPED_TRACE((*Made)->name());
      const Moments Got = measured(**Made, Image, Noise);
      expectSame(Got.Image, Right.Image);
      expectSame(Got.Noise, Right.Noise);
    }
    return true;
  }

  static std::vector<GpuWay> allWays() {
    std::vector<GpuWay> Ways(1);
    Ways[0].Cublas = true;
    for (int Version = 0; Version <= LastVersion; ++Version) {
      GpuWay Way;
      Way.Version = Version;
      Ways.push_back(Way);
    }
    return Ways;
  }

  std::string Why;
};

TEST_F(GpuEngineTest, SumsAreThoseOfTheCpu) {
  const EnviImage Image =
      image<uint8_t>(SampleType::UInt8, {224, 37, 61}, false);
  if (!compare(Image, allWays()))
    GTEST_SKIP() << Why;
}

TEST_F(GpuEngineTest, SumsOfWildSamplesAreThoseOfTheCpu) {
  const EnviImage Image = image<uint8_t>(SampleType::UInt8, {50, 45, 83}, true);
  if (!compare(Image, allWays()))
    GTEST_SKIP() << Why;
}

TEST_F(GpuEngineTest, SumsOfHalfwordsAreThoseOfTheCpu) {
  const std::vector<GpuWay> Best(1);
  for (bool Wild : {false, true})
    for (size_t Bands : {224, 100, 3}) {
      const Shape Size = {Bands, 37, 61};
      if (!compare(image<uint16_t>(SampleType::UInt16, Size, Wild), Best) ||
          !compare(image<int16_t>(SampleType::Int16, Size, Wild), Best))
        GTEST_SKIP() << Why;
    }
}

TEST_F(GpuEngineTest, StripsOfHalfwordsDoNotMatter) {
  const EnviImage Image =
      image<int16_t>(SampleType::Int16, {24, 1500, 64}, true);
  std::vector<GpuWay> Ways(1);
  Ways[0].Bytes = 20 << 20;
  if (!compare(Image, Ways))
    GTEST_SKIP() << Why;
}

/// What is allowed holds a few lines of this image.
TEST_F(GpuEngineTest, StripsDoNotMatter) {
  const EnviImage Image =
      image<uint8_t>(SampleType::UInt8, {24, 1500, 64}, false);
  std::vector<GpuWay> Ways = allWays();
  for (GpuWay &Way : Ways)
    Way.Bytes = Way.Cublas ? 9 << 19 : 1 << 19;
  // Their partial sums alone take 17 and 9 MiB.
  for (size_t Last : {1, 2})
    Ways[Ways.size() - Last].Bytes = 37 << 19;
  if (!compare(Image, Ways))
    GTEST_SKIP() << Why;
}

TEST_F(GpuEngineTest, EigenvaluesAreThoseOfTheCpu) {
  const EnviImage Image =
      image<uint8_t>(SampleType::UInt8, {100, 90, 120}, false);
  auto Made = makeGpuEngine({}, Image, NoiseEstimate::Median, 5);
  if (!Made)
    GTEST_SKIP() << Made.reason();
  Times Spent;
  const Moments Of = measured(**Made, Image, NoiseEstimate::Median);
  auto Right = makeSerialEngine(1 << 20)->solve(Of, Spent);
  auto Got = (*Made)->solve(Of, Spent);
  ASSERT_EQ(Got.reason(), "");
  const Eigen::ArrayXd Error =
      Got->Eigenvalues.array() / Right->Eigenvalues.array() - 1;
  EXPECT_LT(Error.abs().maxCoeff(), 1e-9);
  EXPECT_LT((Got->Transformation - Right->Transformation)
                .leftCols(5)
                .cwiseAbs()
                .maxCoeff(),
            1e-9 * Right->Transformation.cwiseAbs().maxCoeff());
}

TEST_F(GpuEngineTest, SaysWhatIsSingularAndWhatDoesNotFit) {
  const EnviImage Image =
      image<uint8_t>(SampleType::UInt8, {40, 20, 5000}, false);
  GpuWay Small;
  Small.Version = 0;
  Small.Bytes = 1 << 19;
  auto Made = makeGpuEngine(Small, Image, NoiseEstimate::Median, 5);
  if (!Made)
    GTEST_SKIP() << Made.reason();
  Times Spent;
  Progress Shown(true);
  EXPECT_EQ(
      (*Made)->measure(Image, NoiseEstimate::Median, Spent, Shown).reason(),
      "'" + Image.file() +
          "': the covariance of a line needs 2 MiB of the GPU's memory, "
          "of which 0 MiB may be used");
  Moments Of = {{Eigen::VectorXd::Zero(2), Eigen::MatrixXd::Zero(2, 2)},
                {Eigen::VectorXd::Zero(2), Eigen::MatrixXd::Identity(2, 2)}};
  EXPECT_EQ((*Made)->solve(Of, Spent).reason(),
            "the covariance of the noise is singular: band 1 has no noise");
  Of.Noise.Covariance << 1, 1, 1, 1;
  EXPECT_EQ((*Made)->solve(Of, Spent).reason(), "the covariance of the noise "
                                                "is singular: the noise of "
                                                "some bands is that of others");
}

} // namespace

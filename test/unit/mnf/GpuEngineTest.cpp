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
  /// A scene, or samples of any size and noise to match; \p More in each.
  template <typename Sample>
  EnviImage image(SampleType Type, const Shape &Size, bool Wild,
                  Sample More = 0) const {
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
      for (Sample &Each : Plane)
        Each = Sample(Each + More);
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

  /// Sums of doubles depend on their order.
  static void expectNear(const Statistics &A, const Statistics &B) {
    const Eigen::ArrayXd Deviations = B.Covariance.diagonal().cwiseSqrt();
    EXPECT_LT(((A.Means - B.Means).array().abs() / Deviations).maxCoeff(),
              1e-9);
    const Eigen::ArrayXXd Scales =
        Deviations.matrix() * Deviations.matrix().transpose();
    EXPECT_LT(((A.Covariance - B.Covariance).array().abs() / Scales).maxCoeff(),
              1e-11);
  }

  /// Whether there is a GPU; each way has the sums of the CPU, those of whole
  /// numbers to the last bit.
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
      const bool IsExact = Image.header().Type != SampleType::Float32;
      (IsExact ? expectSame : expectNear)(Got.Image, Right.Image);
      (IsExact ? expectSame : expectNear)(Got.Noise, Right.Noise);
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

  /// Compares all types of samples and estimates of noise, by the way that is
  /// chosen for them and in doubles.
  bool compareAll(const Shape &Size, std::optional<size_t> Bytes = {}) {
    std::vector<GpuWay> Ways(2);
    Ways[1].Doubles = true;
    // V8's partial sums alone take more than doubles need.
    if (Bytes)
      Ways = {{{}, false, false, *Bytes}, {{}, false, true, *Bytes / 3}};
    for (SampleType Type : {SampleType::UInt8, SampleType::Int16,
                            SampleType::UInt16, SampleType::Float32})
      for (bool Wild : {false, true}) {
        SCOPED_TRACE(::testing::Message()
                     << nameOf(Type) << (Wild ? ", wild, " : ", ") << Size.Bands
                     << " x " << Size.Lines << " x " << Size.Samples);
        const EnviImage Image = visitSamples(Type, [&](auto Sample) {
          return image<decltype(Sample)>(Type, Size, Wild);
        });
        for (NoiseEstimate Noise :
             {NoiseEstimate::Mean, NoiseEstimate::Median, NoiseEstimate::Shift})
          if (!compare(Image, Ways, Noise))
            return false;
      }
    return true;
  }

  std::string Why;
};

TEST_F(GpuEngineTest, TakesAllTypesAndEstimates) {
  for (const Shape &Size :
       {Shape{224, 37, 61}, Shape{20, 67, 83}, Shape{70, 21, 17},
        Shape{33, 128, 64}, Shape{4, 50, 2}, Shape{5, 41, 3}, Shape{1, 2, 5}})
    if (!compareAll(Size))
      GTEST_SKIP() << Why;
}

TEST_F(GpuEngineTest, TakesMoreBandsThanTheVersions) {
  if (!compareAll({241, 19, 23}))
    GTEST_SKIP() << Why;
}

/// What is allowed holds a few hundred lines of this image.
TEST_F(GpuEngineTest, StripsDoNotMatterToAnyTypeOrEstimate) {
  if (!compareAll({24, 1500, 64}, size_t(20) << 20))
    GTEST_SKIP() << Why;
}

TEST_F(GpuEngineTest, LargeMeansDoNotEatTheDigitsOfFloats) {
  const EnviImage Image =
      image<float>(SampleType::Float32, {40, 61, 67}, false, 5e6f);
  for (NoiseEstimate Noise :
       {NoiseEstimate::Mean, NoiseEstimate::Median, NoiseEstimate::Shift})
    if (!compare(Image, std::vector<GpuWay>(1), Noise))
      GTEST_SKIP() << Why;
}

/// Sums of a block of pixels, and of its products, at the largest numbers that
/// there are: 16 bits, and noise of 17.
TEST_F(GpuEngineTest, DoublesHoldTheLargestSums) {
  const Shape Size = {2, 2048, 2049};
  EnviHeader Header;
  Header.Size = Size;
  Header.Type = SampleType::UInt16;
  auto To = ImageWriter::create(at("image"), Header);
  ASSERT_EQ(To.reason(), "");
  std::vector<uint16_t> Plane(Size.pixels());
  for (size_t Band = 0; Band < Size.Bands; ++Band) {
    for (size_t I = 0; I < Plane.size(); ++I)
      Plane[I] = I % 2 ? 65535 - uint16_t(I % 7 * Band) : uint16_t(I % 5);
    const size_t Bytes = Plane.size() * sizeof(uint16_t);
    ASSERT_EQ(To->write(Plane.data(), Bytes, Band * Bytes), "");
  }
  ASSERT_EQ(To->finish(), "");
  auto Image = EnviImage::open(at("image"));
  ASSERT_EQ(Image.reason(), "");
  std::vector<GpuWay> Ways(1);
  Ways[0].Doubles = true;
  if (!compare(*Image, Ways, NoiseEstimate::Shift))
    GTEST_SKIP() << Why;
}

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

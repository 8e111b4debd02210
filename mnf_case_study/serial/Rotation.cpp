//===- Rotation.cpp -------------------------------------------------------===//

#include "mnf_case_study/serial/Rotation.h"

#include "profiler/io/JsonDepth.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace mnf {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static const char *const Schema = "mnf-rotation/1";

/// An eigenvalue that is smaller than this part of the largest one is what
/// rounding leaves of zero.
static constexpr double LeastPart = 1e-12;

MatrixXd Rotation::inverse() const {
  return Transformation.transpose().partialPivLu().inverse();
}

std::string whyNoNoise(const Statistics &Noise) {
  for (Index Band = 0; Band < Noise.Means.size(); ++Band)
    if (!(Noise.Covariance(Band, Band) > 0))
      return fmt::format("the covariance of the noise is singular: band {} has "
                         "no noise",
                         Band + 1);
  return "";
}

bool isSingular(const VectorXd &Rising) {
  return !(Rising[0] > LeastPart * Rising[Rising.size() - 1]);
}

Rotation rotationOf(const VectorXd &Means, const VectorXd &Rising,
                    const MatrixXd &Columns) {
  Rotation Result;
  Result.Means = Means;
  Result.Eigenvalues = Rising.reverse();
  Result.Transformation = Columns.rowwise().reverse();
  for (Index K = 0; K < Result.Transformation.cols(); ++K) {
    Index Largest = 0;
    Result.Transformation.col(K).cwiseAbs().maxCoeff(&Largest);
    if (Result.Transformation(Largest, K) < 0)
      Result.Transformation.col(K) *= -1;
  }
  return Result;
}

Expected<Rotation> solve(const Statistics &Noise, const Statistics &Image) {
  if (std::string Why = whyNoNoise(Noise); !Why.empty())
    return Failure{Why};
  const Eigen::SelfAdjointEigenSolver<MatrixXd> OfNoise(Noise.Covariance); // S3
  const VectorXd &Values = OfNoise.eigenvalues(); // Rising.
  if (OfNoise.info() != Eigen::Success || isSingular(Values))
    return Failure{NoiseIsSingular};
  const MatrixXd Whitening =
      OfNoise.eigenvectors() * Values.cwiseSqrt().cwiseInverse().asDiagonal();

  const Eigen::SelfAdjointEigenSolver<MatrixXd> OfImage( // S5, S6
      Whitening.transpose() * Image.Covariance * Whitening);
  if (OfImage.info() != Eigen::Success)
    return Failure{ImageDoesNotConverge};
  return rotationOf(Image.Means, OfImage.eigenvalues(), // S7
                    Whitening * OfImage.eigenvectors());
}

template <typename Sample>
void transform(const Sample *Planes, size_t Pitch, size_t Pixels, size_t Bands,
               const float *Weights, size_t Components, float *Result,
               size_t ResultPitch) {
  // Pixels whose sums stay in the first cache.
  constexpr size_t Block = 1024;
  for (size_t First = 0; First < Pixels; First += Block) {
    const size_t Count = std::min(Block, Pixels - First);
    for (size_t Component = 0; Component < Components; ++Component) {
      float *To = Result + Component * ResultPitch + First;
      std::fill_n(To, Count, 0.0f);
      for (size_t Band = 0; Band < Bands; ++Band) {
        const float Weight = Weights[Band * Components + Component];
        const Sample *From = Planes + Band * Pitch + First;
        for (size_t I = 0; I < Count; ++I)
          To[I] += Weight * float(From[I]);
      }
    }
  }
}

template void transform(const uint8_t *, size_t, size_t, size_t, const float *,
                        size_t, float *, size_t);
template void transform(const int16_t *, size_t, size_t, size_t, const float *,
                        size_t, float *, size_t);
template void transform(const uint16_t *, size_t, size_t, size_t, const float *,
                        size_t, float *, size_t);
template void transform(const float *, size_t, size_t, size_t, const float *,
                        size_t, float *, size_t);

std::string toJson(const Rotation &R, std::string_view NoiseEstimate) {
  const auto Numbers = [](const auto &V) {
    return std::vector<double>(V.begin(), V.end());
  };
  nlohmann::ordered_json Root;
  Root["schema"] = Schema;
  Root["noise"] = NoiseEstimate;
  Root["bands"] = R.Means.size();
  Root["means"] = Numbers(R.Means);
  Root["eigenvalues"] = Numbers(R.Eigenvalues);
  for (Index K = 0; K < R.Transformation.cols(); ++K)
    Root["transformation"].push_back(Numbers(R.Transformation.col(K)));
  return Root.dump(1) + "\n";
}

Expected<Rotation> fromJson(const std::string &Text) {
  if (warpwise::io::isNestedDeeperThan(Text))
    return Failure{"it is no rotation: its JSON is nested too deep"};
  const auto Root = nlohmann::json::parse(Text, nullptr, false);
  if (!Root.is_object() || Root.value("schema", nlohmann::json()) != Schema)
    return Failure{fmt::format("it is no rotation: no JSON object whose "
                               "'schema' is '{}'",
                               Schema)};
  const auto Numbers = [&](const nlohmann::json &From, size_t Count,
                           VectorXd &To) {
    if (!From.is_array() || From.size() != Count)
      return false;
    To.resize(Index(Count));
    for (size_t I = 0; I < Count; ++I) {
      if (!From[I].is_number())
        return false;
      To[Index(I)] = From[I].get<double>();
    }
    return true;
  };

  Rotation Result;
  const nlohmann::json Nothing;
  const auto Field = [&](const char *Name) {
    return Root.contains(Name) ? Root[Name] : Nothing;
  };
  const size_t Bands = Field("means").size();
  const nlohmann::json Columns = Field("transformation");
  if (Bands == 0 || !Numbers(Field("means"), Bands, Result.Means))
    return Failure{"'means' is no list of numbers"};
  if (!Numbers(Field("eigenvalues"), Bands, Result.Eigenvalues))
    return Failure{
        fmt::format("'eigenvalues' is no list of {} numbers", Bands)};
  if (!Columns.is_array() || Columns.size() != Bands)
    return Failure{
        fmt::format("'transformation' is no list of {} lists", Bands)};
  Result.Transformation.resize(Index(Bands), Index(Bands));
  for (size_t K = 0; K < Bands; ++K) {
    VectorXd Column;
    if (!Numbers(Columns[K], Bands, Column))
      return Failure{fmt::format(
          "'transformation' [{}] is no list of {} numbers", K, Bands)};
    Result.Transformation.col(Index(K)) = Column;
  }
  return Result;
}

} // namespace mnf

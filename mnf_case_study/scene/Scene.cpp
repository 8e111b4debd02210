//===- Scene.cpp ----------------------------------------------------------===//

#include "mnf_case_study/scene/Scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace mnf {
namespace {

constexpr size_t Materials = 6;

/// SplitMix64's mixing step: neighbouring counters give unrelated numbers.
uint64_t mix(uint64_t X) {
  X += 0x9e3779b97f4a7c15;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9;
  X = (X ^ (X >> 27)) * 0x94d049bb133111eb;
  return X ^ (X >> 31);
}

/// In [0, 1), one for each \p Key.
double uniform(uint64_t Seed, uint64_t Key) {
  return double(mix(Seed * 1000003 + Key) >> 11) * 0x1p-53;
}

/// Nearly Gaussian, deviation 1: the sum of four 16-bit uniforms. Its tails end
/// at 3.5, which a detector's do, too, and it costs one multiplication.
float gaussian(uint64_t Bits) {
  const int64_t Sum = int64_t(Bits & 0xffff) + int64_t(Bits >> 16 & 0xffff) +
                      int64_t(Bits >> 32 & 0xffff) + int64_t(Bits >> 48);
  return float(Sum - 2 * 0xffff) * float(1.7320508 / 0x1p16);
}

/// Reflectance between 0 and 1: a slope, a hump and an absorption band.
double reflectance(const Scene &S, size_t Material, size_t Band) {
  const auto Random = [&](uint64_t Which) {
    return uniform(S.Seed, 1000 + 10 * Material + Which);
  };
  const double At = double(Band) / double(S.Size.Bands);
  const auto Bell = [&](double Center, double Width) {
    return std::exp(-std::pow((At - Center) / Width, 2));
  };
  const double Value =
      0.25 + 0.35 * Random(0) + 0.3 * (Random(1) - 0.5) * (2 * At - 1) +
      0.3 * Random(2) * Bell(Random(3), 0.1 + 0.2 * Random(4)) -
      0.25 * Bell(Random(5), 0.02 + 0.05 * Random(6));
  return std::clamp(Value, 0.02, 0.9);
}

/// How much of a material is in a pixel: bounded waves over the scene.
struct Waves {
  std::array<double, 3> AlongLine, AlongSample, Phase;

  Waves(const Scene &S, size_t Material) {
    for (size_t I = 0; I < 3; ++I) {
      const auto Random = [&](uint64_t Which) {
        return uniform(S.Seed, 5000 + 100 * Material + 10 * I + Which);
      };
      const double Frequency = 6.28 * (1.0 + 3.0 * double(I));
      AlongLine[I] = Frequency * (Random(0) - 0.5) * 2 / double(S.Size.Lines);
      AlongSample[I] =
          Frequency * (Random(1) - 0.5) * 2 / double(S.Size.Samples);
      Phase[I] = 6.28 * Random(2);
    }
  }

  double at(size_t Line, size_t Sample) const {
    double Sum = 0;
    for (size_t I = 0; I < 3; ++I)
      Sum += std::sin(AlongLine[I] * double(Line) +
                      AlongSample[I] * double(Sample) + Phase[I]);
    return Sum * Sum;
  }
};

/// Abundances on every eighth pixel; between them they are interpolated. A
/// material is smooth, and its sines would be most of the time.
constexpr size_t Step = 8;

template <typename Sample> Sample rounded(float Value) {
  if constexpr (std::is_floating_point_v<Sample>) {
    return Value;
  } else {
    using Limits = std::numeric_limits<Sample>;
    return Sample(std::clamp(std::lround(Value), long(Limits::min()),
                             long(Limits::max())));
  }
}

} // namespace

double Scene::deviation(size_t Band) const {
  // Weak light at both ends of the spectrum and a few bad detectors.
  const double At = 2 * double(Band) / double(Size.Bands) - 1;
  const double Bad = uniform(Seed, 7 * Band) < 0.03 ? 3 : 1;
  return Noise * Brightest * Bad *
         (0.6 + 0.5 * At * At + 0.3 * uniform(Seed, 7 * Band + 1));
}

template <typename Sample> void Scene::fill(size_t Band, Sample *Plane) const {
  std::array<double, Materials> Spectrum;
  std::vector<Waves> Abundance;
  for (size_t M = 0; M < Materials; ++M) {
    Spectrum[M] = reflectance(*this, M, Band);
    Abundance.emplace_back(*this, M);
  }
  const auto Signal = [&](size_t Line, size_t Column) {
    double Sum = 0, Light = 0;
    for (size_t M = 0; M < Materials; ++M) {
      const double Share = Abundance[M].at(Line, Column) + 0.01;
      Sum += Share;
      Light += Share * Spectrum[M];
    }
    return Light / Sum * 0.95 * Brightest;
  };

  const float Deviation = float(deviation(Band));
  const size_t Knots = Size.Samples / Step + 2;
  std::vector<float> Above(Knots), Below(Knots);
  const auto FillKnots = [&](size_t Line, std::vector<float> &Row) {
    for (size_t K = 0; K < Knots; ++K)
      Row[K] = float(Signal(Line, K * Step));
  };
  FillKnots(0, Below);
  for (size_t Line = 0; Line < Size.Lines; ++Line) {
    if (Line % Step == 0) {
      Above.swap(Below);
      FillKnots(Line + Step, Below);
    }
    const float Down = float(Line % Step) / Step;
    uint64_t Key = mix(Seed) + (Band * Size.Lines + Line) * Size.Samples;
    for (size_t Column = 0; Column < Size.Samples; ++Column) {
      const size_t K = Column / Step;
      const float Right = float(Column % Step) / Step;
      const float Left = Above[K] + Down * (Below[K] - Above[K]);
      const float Next = Above[K + 1] + Down * (Below[K + 1] - Above[K + 1]);
      Plane[Line * Size.Samples + Column] = rounded<Sample>(
          Left + Right * (Next - Left) + Deviation * gaussian(mix(Key++)));
    }
  }
}

template void Scene::fill(size_t, uint8_t *) const;
template void Scene::fill(size_t, int16_t *) const;
template void Scene::fill(size_t, uint16_t *) const;
template void Scene::fill(size_t, float *) const;

} // namespace mnf

//===- Ladder.cu - Every version of every step, side by side --------------===//
//
// Checks all versions against the CPU on small scenes, then times them on the
// paper's three images in turns, so that a GPU that slows down slows all of
// them down, and prints medians as CSV. report.py makes tables of
// them.
//
//===----------------------------------------------------------------------===//

#include "mnf_case_study/device/Cublas.h"
#include "mnf_case_study/gpu/DeviceImage.h"
#include "mnf_case_study/gpu/covariance/Covariance.h"
#include "mnf_case_study/gpu/doubles/Doubles.h"
#include "mnf_case_study/gpu/fused/Fused.h"
#include "mnf_case_study/gpu/noise_filter/NoiseFilter.h"
#include "mnf_case_study/gpu/overlapped/Overlapped.h"
#include "mnf_case_study/gpu/transformation/Transformation.h"
#include "mnf_case_study/scene/Scene.h"
#include "mnf_case_study/serial/Noise.h"
#include "mnf_case_study/serial/Rotation.h"
#include "mnf_case_study/serial/Sums.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace mnf;

namespace {

constexpr int Bands = 224, Components = 20;

template <typename T> std::vector<T> hostOf(const Buffer<T> &On) {
  std::vector<T> Host(On.bytes() / sizeof(T));
  On.download(Host.data());
  return Host;
}

/// A scene as it lies on the device, and on the host for the small ones.
struct Image {
  int Samples, Lines, Pixels, Pitch, Margin;
  std::vector<uint8_t> Host; ///< Planes without margins.
  Buffer<uint8_t> Memory;

  Image(int Samples, int Lines, bool Random)
      : Samples(Samples), Lines(Lines), Pixels(Samples * Lines),
        Pitch(pitchOf(Samples, Lines)), Margin(marginOf(Samples)),
        Host(size_t(Bands) * Pixels), Memory(size_t(Bands) * Pitch) {
    Scene From;
    From.Size = {Bands, size_t(Lines), size_t(Samples)};
    std::atomic<int> Next = 0;
    const auto Fill = [&] {
      for (int Band; (Band = Next++) < Bands;) {
        uint8_t *Plane = &Host[size_t(Band) * Pixels];
        From.fill(Band, Plane);
        // Noise that does not fit a byte takes another way through the code.
        if (Random)
          for (int I = 0; I < Pixels; ++I)
            Plane[I] = uint8_t((Plane[I] * 2654435761u + I * 40503u) >> 9);
      }
    };
    std::vector<std::thread> Threads;
    for (unsigned I = 0; I < std::max(1u, std::thread::hardware_concurrency());
         ++I)
      Threads.emplace_back(Fill);
    for (std::thread &T : Threads)
      T.join();
    const auto Copy = [&](int Line, int Count, int FromLine) {
      require(cudaMemcpy2D(data() + Line * Samples, Pitch,
                           Host.data() + size_t(FromLine) * Samples, Pixels,
                           size_t(Count) * Samples, Bands,
                           cudaMemcpyHostToDevice),
              "upload");
    };
    Copy(-1, 1, 0);
    Copy(0, Lines, 0);
    Copy(Lines, 1, Lines - 1);
  }

  uint8_t *data() const { return Memory + Margin; }
};

struct Version {
  std::string Step, Name;
  std::function<void()> Run;
  /// Whether what Run left is right.
  std::function<bool()> Check;
};

/// Times of each version, taken in turns.
class Race {
public:
  explicit Race(const char *Image) : Image(Image) {
    require(cudaEventCreate(&Start), "cudaEventCreate");
    require(cudaEventCreate(&Stop), "cudaEventCreate");
  }

  bool run(const std::vector<Version> &Versions) {
    bool Right = true;
    std::vector<std::vector<float>> Times(Versions.size());
    std::vector<int> Batch(Versions.size());
    std::vector<bool> Passed;
    for (size_t I = 0; I < Versions.size(); ++I) {
      time(Versions[I], 1); // Loads the code and grows what grows.
      float First = time(Versions[I], 1);
      Passed.push_back(Versions[I].Check());
      Right &= Passed.back();
      Batch[I] = std::clamp(int(2.0f / First), 1, 20);
      if (First > 50) // Slow ones have said enough.
        Times[I] = {First, time(Versions[I], 1), time(Versions[I], 1)};
    }
    for (int Round = 0; Round < 15; ++Round)
      for (size_t I = 0; I < Versions.size(); ++I)
        if (Times[I].size() != 3 || Batch[I] > 1)
          Times[I].push_back(time(Versions[I], Batch[I]));
    for (size_t I = 0; I < Versions.size(); ++I) {
      std::vector<float> &T = Times[I];
      std::sort(T.begin(), T.end());
      std::printf("%s,%s,%s,%.4f,%.4f,%.4f,%zu,%s\n", Image,
                  Versions[I].Step.c_str(), Versions[I].Name.c_str(),
                  T[T.size() / 2], T.front(), T.back(), T.size(),
                  Passed[I] ? "right" : "WRONG");
    }
    std::fflush(stdout);
    return Right;
  }

private:
  /// Milliseconds of one of \p Count runs.
  float time(const Version &V, int Count) {
    float Milliseconds = 0;
    require(cudaEventRecord(Start), "cudaEventRecord");
    for (int I = 0; I < Count; ++I)
      V.Run();
    require(cudaGetLastError(), V.Name.c_str());
    require(cudaEventRecord(Stop), "cudaEventRecord");
    require(cudaEventSynchronize(Stop), V.Name.c_str());
    require(cudaEventElapsedTime(&Milliseconds, Start, Stop), "time");
    return Milliseconds / float(Count);
  }

  const char *Image;
  cudaEvent_t Start, Stop;
};

/// The image with its margins as floats.
__global__ void toFloats(const uint8_t *From, float *To, size_t Count) {
  size_t I = 4 * (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
  if (I >= Count) // A multiple of 128.
    return;
  uchar4 Samples = *reinterpret_cast<const uchar4 *>(From + I);
  *reinterpret_cast<float4 *>(To + I) =
      make_float4(Samples.x, Samples.y, Samples.z, Samples.w);
}

/// Row <= column. \p A may be doubles, which hold such sums without loss.
template <typename Sum>
bool sameHalf(const std::vector<Sum> &A, const std::vector<int64_t> &B) {
  for (int Row = 0; Row < Bands; ++Row)
    for (int Column = Row; Column < Bands; ++Column)
      if (int64_t(A[Row * Bands + Column]) != B[Row * Bands + Column])
        return false;
  return true;
}

/// \p Tolerance in parts of the geometric mean of the diagonal.
bool nearHalf(const std::vector<float> &A, const std::vector<int64_t> &B,
              double Tolerance) {
  for (int Row = 0; Row < Bands; ++Row)
    for (int Column = Row; Column < Bands; ++Column) {
      double Scale = std::sqrt(double(B[Row * Bands + Row]) *
                               double(B[Column * Bands + Column]));
      if (!(std::abs(A[Row * Bands + Column] -
                     double(B[Row * Bands + Column])) <= Tolerance * Scale))
        return false;
    }
  return true;
}

/// The CSV's lines of the serial version.
std::string runSerial(const char *Name, const Image &Of,
                      const std::vector<float> &Weights) {
  std::string Lines;
  const size_t Pixels = Of.Pixels;
  const auto Time = [&](const char *Step, auto Run) {
    auto Start = std::chrono::steady_clock::now();
    Run();
    double Milliseconds = std::chrono::duration<double, std::milli>(
                              std::chrono::steady_clock::now() - Start)
                              .count();
    char Line[200];
    std::snprintf(Line, sizeof(Line), "%s,%s,serial,%.4f,%.4f,%.4f,1,right\n",
                  Name, Step, Milliseconds, Milliseconds, Milliseconds);
    Lines += Line;
  };
  std::vector<int16_t> Noise(Of.Host.size());
  Sums<int64_t> OfNoise(Bands), OfImage(Bands);
  std::vector<float> Result(Components * Pixels);
  Time("noise", [&] {
    for (int Band = 0; Band < Bands; ++Band)
      estimateNoise(&Of.Host[Band * Pixels], Of.Lines, Of.Samples, 0, Of.Lines,
                    NoiseEstimate::Median, &Noise[Band * Pixels]);
  });
  Time("noise covariance",
       [&] { addPlanes(Noise.data(), Pixels, Pixels, OfNoise); });
  Time("image covariance",
       [&] { addPlanes(Of.Host.data(), Pixels, Pixels, OfImage); });
  Time("transformation", [&] {
    transform(Of.Host.data(), Pixels, Pixels, Bands, Weights.data(), Components,
              Result.data(), Pixels);
  });
  return Lines;
}

/// What every version has to give; on small scenes from the CPU, on large ones
/// from the plainest versions, which the small ones have shown to be right.
struct Expected {
  std::vector<int16_t> Noise; ///< With margins, as on the device.
  std::vector<int64_t> OfImage, OfNoise, ImageBands, NoiseBands;
  std::vector<float> Transformed;
};

bool race(const char *Name, int Samples, int Lines, bool Random, bool Small) {
  Image Of(Samples, Lines, Random);
  const int Pixels = Of.Pixels, Pitch = Of.Pitch,
            ResultPitch = (Pixels + 511) / 512 * 512;
  const uint8_t *Data = Of.data();
  Buffer<int16_t> NoiseMemory(size_t(Bands) * Pitch);
  int16_t *Noise = NoiseMemory + Of.Margin;
  // Sums of the noise or of one step, and of the image, side by side.
  constexpr size_t Squares = size_t(Bands) * Bands;
  Buffer<int64_t> Sums(2 * (Squares + Bands));
  int64_t *Products = Sums, *OfBands = Products + Squares,
          *ImageProducts = OfBands + Bands,
          *ImageBands = ImageProducts + Squares;
  Buffer<float> Weights(Bands * Components),
      Result(size_t(Components) * ResultPitch);
  const int BytesPitch = (noisePixels(Samples, Lines) + 127) / 128 * 128;
  Buffer<int8_t> NoiseBytes(size_t(Bands) * BytesPitch);
  Buffer<char> Wide(overlappedListBytes(Samples, Lines));
  const auto FilterV5 = [&] {
    filterNoiseV5(Data, NoiseBytes, reinterpret_cast<WideChunks *>(+Wide),
                  Samples, Lines, Bands, Pitch, BytesPitch);
  };
  Buffer<char> Scratch(
      std::max({scratchBytesV7(BytesPitch), scratchBytesV8(BytesPitch),
                noiseScratchBytes(Samples, Lines),
                overlappedScratchBytes(Samples, Lines)}));

  std::vector<float> HostWeights(Bands * Components);
  for (int I = 0; I < Bands * Components; ++I)
    HostWeights[I] = std::cos(I * 0.37f) / Bands;
  require(cudaMemcpy(Weights, HostWeights.data(), HostWeights.size() * 4,
                     cudaMemcpyHostToDevice),
          "upload");

  const auto Zero = [&] {
    cudaMemsetAsync(Sums, 0, sizeof(int64_t) * (Squares + Bands));
  };
  const auto ZeroAll = [&] { cudaMemsetAsync(Sums, 0, Sums.bytes()); };
  const auto SumsOf = [&](const int64_t *From, size_t Count) {
    std::vector<int64_t> Host(Count);
    require(cudaMemcpy(Host.data(), From, Count * sizeof(int64_t),
                       cudaMemcpyDeviceToHost),
            "download");
    return Host;
  };
  const auto Inner = [&](const std::vector<int16_t> &All) {
    std::vector<int16_t> Planes;
    for (int Band = 0; Band < Bands; ++Band) {
      auto First = All.begin() + ptrdiff_t(Band) * Pitch + Of.Margin;
      Planes.insert(Planes.end(), First, First + Pixels);
    }
    return Planes;
  };

  Expected Right;
  if (Small) {
    std::vector<int16_t> Planes(Of.Host.size());
    for (int Band = 0; Band < Bands; ++Band)
      estimateNoise(&Of.Host[size_t(Band) * Pixels], Lines, Samples, 0, Lines,
                    NoiseEstimate::Median, &Planes[size_t(Band) * Pixels]);
    mnf::Sums<int64_t> OfImage(Bands), OfNoise(Bands);
    addPlanes(Of.Host.data(), Pixels, Pixels, OfImage);
    addPlanes(Planes.data(), Pixels, Pixels, OfNoise);
    Right = {Planes,          OfImage.OfProducts, OfNoise.OfProducts,
             OfImage.OfBands, OfNoise.OfBands,    {}};
  } else {
    filterNoiseV1(Data, Noise, Samples, Lines, Bands, Pitch);
    Right.Noise = Inner(hostOf(NoiseMemory));
    Zero();
    addProductsV4(Data, Products, Bands, Pixels, Pitch);
    Right.OfImage = SumsOf(Products, Squares);
    Zero();
    addProductsV4(Noise, Products, Bands, Pixels, Pitch);
    Right.OfNoise = SumsOf(Products, Squares);
  }
  transformV0(Data, Weights, Result, Bands, Components, Pixels, Pitch,
              ResultPitch);
  Right.Transformed = hostOf(Result);

  std::vector<Version> Versions;
  const auto Add = [&](const char *Step, const char *Which, auto Run,
                       auto Check) {
    Versions.push_back({Step, Which, Run, Check});
  };
  const auto NoiseIsRight = [&] {
    return Inner(hostOf(NoiseMemory)) == Right.Noise;
  };
  using Filter = void(const uint8_t *, int16_t *, int, int, int, int);
  const auto AddFilter = [&](const char *Which, Filter *Run) {
    Add(
        "noise", Which,
        [&, Run] { Run(Data, Noise, Samples, Lines, Bands, Pitch); },
        NoiseIsRight);
  };
  AddFilter("V0", filterNoiseV0);
  Add(
      "noise", "V1 mean",
      [&] { filterNoiseV1Mean(Data, Noise, Samples, Lines, Bands, Pitch); },
      [] { return true; });
  AddFilter("V1", filterNoiseV1);
  AddFilter("V2", filterNoiseV2);
  AddFilter("V3", filterNoiseV3);
  AddFilter("V4", filterNoiseV4);
  // Whether it is right, its covariance says.
  Add("noise", "V5", FilterV5, [] { return true; });

  const auto ImageIsRight = [&] {
    return sameHalf(SumsOf(Products, Squares), Right.OfImage);
  };
  using OfImage = void(const uint8_t *, int64_t *, int, int, int);
  const auto AddOfImage = [&](const char *Which, OfImage *Run) {
    Add(
        "image covariance", Which,
        [&, Run] {
          Zero();
          Run(Data, Products, Bands, Pixels, Pitch);
        },
        ImageIsRight);
  };
  AddOfImage("V0", addProductsV0<uint8_t>);
  AddOfImage("V1", addProductsV1<uint8_t>);
  AddOfImage("V2", addProductsV2<uint8_t>);
  AddOfImage("V3", addProductsV3<uint8_t>);
  AddOfImage("V4", addProductsV4<uint8_t>);
  AddOfImage("V5", addProductsV5);
  Add(
      "image covariance", "V6",
      [&] {
        Zero();
        addProductsV6(Data, Products, OfBands, Bands, Pixels, Pitch);
      },
      [&] {
        return ImageIsRight() &&
               (!Small || SumsOf(OfBands, Bands) == Right.ImageBands);
      });

  Add(
      "image covariance", "V7",
      [&] {
        Zero();
        addProductsV7(Data, Products, OfBands, Bands, Pixels, Pitch, Scratch);
      },
      [&] {
        return ImageIsRight() &&
               (!Small || SumsOf(OfBands, Bands) == Right.ImageBands);
      });

  Add(
      "image covariance", "V8",
      [&] {
        Zero();
        addProductsV8(JobV8{Data, false, Products, OfBands, Pixels, Pitch},
                      Bands, Scratch);
      },
      [&] {
        return ImageIsRight() &&
               (!Small || SumsOf(OfBands, Bands) == Right.ImageBands);
      });

  using OfNoise = void(const int16_t *, int64_t *, int, int, int);
  const auto NoiseSumsAreRight = [&] {
    return sameHalf(SumsOf(Products, Squares), Right.OfNoise);
  };
  const auto AddOfNoise = [&](const char *Which, OfNoise *Run) {
    Add(
        "noise covariance", Which,
        [&, Run] {
          Zero();
          Run(Noise, Products, Bands, Pixels, Pitch);
        },
        NoiseSumsAreRight);
  };
  AddOfNoise("V0", addProductsV0<int16_t>);
  AddOfNoise("V1", addProductsV1<int16_t>);
  AddOfNoise("V2", addProductsV2<int16_t>);
  AddOfNoise("V3", addProductsV3<int16_t>);
  AddOfNoise("V4", addProductsV4<int16_t>);
  const auto OfNoiseIsRight = [&] {
    return NoiseSumsAreRight() &&
           (!Small || SumsOf(OfBands, Bands) == Right.NoiseBands);
  };
  const auto OfNoiseBytes = [&] {
    Zero();
    addProductsV7<int8_t>(NoiseBytes, Products, OfBands, Bands,
                          noisePixels(Samples, Lines), BytesPitch, Scratch);
    correctProducts(Data, reinterpret_cast<const WideChunks *>(+Wide), Products,
                    OfBands, Samples, Lines, Bands, Pitch);
  };
  FilterV5();
  Add("noise covariance", "V7", OfNoiseBytes, OfNoiseIsRight);
  const JobV8 NoiseJob = {
      NoiseBytes, true, Products, OfBands, noisePixels(Samples, Lines),
      BytesPitch};
  const auto Correct = [&] {
    correctProducts(Data, reinterpret_cast<const WideChunks *>(+Wide), Products,
                    OfBands, Samples, Lines, Bands, Pitch);
  };
  const auto OfNoiseV8 = [&] {
    Zero();
    addProductsV8(NoiseJob, Bands, Scratch);
    Correct();
  };
  Add("noise covariance", "V8", OfNoiseV8, OfNoiseIsRight);
  Add(
      "noise + covariance", "V5 V7",
      [&] {
        FilterV5();
        OfNoiseBytes();
      },
      OfNoiseIsRight);
  Add(
      "noise + covariance", "V5 V8",
      [&] {
        FilterV5();
        OfNoiseV8();
      },
      OfNoiseIsRight);
  Add(
      "noise + covariance", "fused",
      [&] {
        Zero();
        addNoiseProducts(Data, Products, OfBands, Samples, Lines, Bands, Pitch,
                         Scratch);
      },
      OfNoiseIsRight);

  const SumsOfBands NoiseSums = {Products, OfBands},
                    ImageSums = {ImageProducts, ImageBands};
  const auto Overlap = [&](const SumsOfBands *OfImage) {
    addOverlapped(Data, NoiseBytes, reinterpret_cast<WideChunks *>(+Wide),
                  NoiseSums, OfImage, Samples, Lines, Bands, Pitch, BytesPitch,
                  Scratch);
  };
  Add(
      "noise + covariance", "overlapped",
      [&] {
        Zero();
        Overlap(nullptr);
      },
      OfNoiseIsRight);
  const auto BothAreRight = [&] {
    return OfNoiseIsRight() &&
           sameHalf(SumsOf(ImageProducts, Squares), Right.OfImage) &&
           (!Small || SumsOf(ImageBands, Bands) == Right.ImageBands);
  };
  const auto InTurns = [&] {
    ZeroAll();
    FilterV5();
    addProductsV8(
        {{Data, false, ImageProducts, ImageBands, Pixels, Pitch}, NoiseJob},
        Bands, Scratch);
    Correct();
  };
  const auto AtOnce = [&] {
    ZeroAll();
    Overlap(&ImageSums);
  };
  Add("noise + both covariances", "V5 V8", InTurns, BothAreRight);
  Add("noise + both covariances", "overlapped", AtOnce, BothAreRight);

  const auto TransformIsRight = [&] {
    std::vector<float> Got = hostOf(Result);
    for (int K = 0; K < Components; ++K)
      for (int I = 0; I < Pixels; ++I) {
        float Difference = Got[size_t(K) * ResultPitch + I] -
                           Right.Transformed[size_t(K) * ResultPitch + I];
        if (!(std::abs(Difference) <= 1e-3f)) // of up to 255
          return false;
      }
    return true;
  };
  using Transform =
      void(const uint8_t *, const float *, float *, int, int, int, int, int);
  const auto AddTransform = [&](const char *Which, Transform *Run) {
    Add(
        "transformation", Which,
        [&, Run] {
          Run(Data, Weights, Result, Bands, Components, Pixels, Pitch,
              ResultPitch);
        },
        TransformIsRight);
  };
  AddTransform("V0", transformV0);
  AddTransform("V1", transformV1);
  AddTransform("V2", transformV2);
  AddTransform("V3", transformV3);
  AddTransform("V4", transformV4);
  AddTransform("V5", transformV5);

  // What takes every type and estimate, with bytes and with the same as floats,
  // whose sums are whole numbers here, too.
  const int FloatPitch = (Pixels + 127) / 128 * 128;
  Buffer<float> Floats(size_t(Bands) * Pitch),
      FloatNoise(size_t(Bands) * FloatPitch), NoPivots(Bands);
  Buffer<double> SumsOfFloats(Squares + Bands);
  Buffer<char> DoublesScratch(doubles::scratchBytes(Bands, Pixels));
  toFloats<<<unsigned((Of.Memory.bytes() / 4 + 255) / 256), 256>>>(
      Of.Memory, Floats, Of.Memory.bytes());
  const auto AddDoubles = [&](const char *Which, const auto *Image, auto *To,
                              auto *ToBands, auto SumsAre) {
    // Whether it is right, its covariance says.
    Add(
        "noise", Which,
        [&, Image] {
          doubles::estimateNoise(Image, +FloatNoise, doubles::Signal::Median,
                                 Samples, Lines, Bands, Pitch, FloatPitch, 0);
        },
        [] { return true; });
    const auto AddSums = [&, To, ToBands](const auto *From, int Apart) {
      cudaMemsetAsync(To, 0, sizeof(*To) * Squares);
      cudaMemsetAsync(ToBands, 0, sizeof(*ToBands) * Bands);
      doubles::addProducts(From, +NoPivots, To, ToBands, Bands, Pixels, Apart,
                           +DoublesScratch);
    };
    Add(
        "noise covariance", Which,
        [&, AddSums] { AddSums(+FloatNoise, FloatPitch); },
        [&, SumsAre] { return SumsAre(Right.OfNoise, Right.NoiseBands); });
    Add(
        "image covariance", Which,
        [&, AddSums, Image] { AddSums(Image, Pitch); },
        [&, SumsAre] { return SumsAre(Right.OfImage, Right.ImageBands); });
    Add(
        "transformation", Which,
        [&, Image] {
          doubles::transform(Image, +Weights, +Result, Bands, Components,
                             Pixels, Pitch, ResultPitch, 0);
        },
        TransformIsRight);
  };
  using Whole = const std::vector<int64_t> &;
  AddDoubles("doubles of bytes", Data, Products, OfBands,
             [&](Whole OfPairs, Whole EachBand) {
               return sameHalf(SumsOf(Products, Squares), OfPairs) &&
                      (!Small || SumsOf(OfBands, Bands) == EachBand);
             });
  AddDoubles("doubles of floats", Floats + Of.Margin, +SumsOfFloats,
             SumsOfFloats + Squares, [&](Whole OfPairs, Whole EachBand) {
               const std::vector<double> Got = hostOf(SumsOfFloats);
               return sameHalf(Got, OfPairs) &&
                      (!Small || std::equal(EachBand.begin(), EachBand.end(),
                                            Got.begin() + Squares));
             });

  // Yardsticks. What cuBLAS multiplies was copied by the version before.
  Cublas Blas(Bands, Samples, Lines);
  Buffer<float> FloatProducts(Bands * Bands);
  Buffer<uint8_t> Copy(size_t(Bands) * Pitch);
  const auto IsNotChecked = [] { return true; };
  const auto ImageSumsAreRight = [&] {
    return ImageIsRight() &&
           (!Small || SumsOf(OfBands, Bands) == Right.ImageBands);
  };
  Add(
      "yardstick", "copy of the image",
      [&] {
        cudaMemcpyAsync(Copy, Of.Memory, size_t(Bands) * Pitch,
                        cudaMemcpyDeviceToDevice);
      },
      IsNotChecked);
  Add(
      "yardstick", "convert to float",
      [&] { Blas.makeFloats(Data, Pixels, Pitch); }, IsNotChecked);
  Add(
      "image covariance", "cublasSgemm",
      [&] { Blas.multiplyFloats(FloatProducts, false); },
      [&] { return nearHalf(hostOf(FloatProducts), Right.OfImage, 2e-3); });
  Add(
      "image covariance", "cublasGemmEx TF32",
      [&] { Blas.multiplyFloats(FloatProducts, true); },
      [&] { return nearHalf(hostOf(FloatProducts), Right.OfImage, 2e-3); });
  Add(
      "transformation", "cublasSgemm",
      [&] { Blas.transformFloats(Weights, Components, Result, ResultPitch); },
      TransformIsRight);
  Add(
      "yardstick", "convert to half",
      [&] { Blas.makeHalves(Data, Pixels, Pitch); }, IsNotChecked);
  Add(
      "transformation", "cublasGemmEx of halves",
      [&] { Blas.transformHalves(Weights, Components, Result, ResultPitch); },
      TransformIsRight);
  Add(
      "yardstick", "convert to signed bytes",
      [&] { Blas.makeSigned(Data, Pixels, Pitch); }, IsNotChecked);
  Add(
      "image covariance", "cublasGemmEx int8 in exact parts",
      [&] {
        Zero();
        Blas.addProducts(Products, OfBands);
      },
      ImageSumsAreRight);
  Add(
      "yardstick", "noise as signed bytes",
      [&] { Blas.makeNoise(Data, Samples, Lines, Pitch); }, IsNotChecked);
  Add(
      "noise covariance", "cublasGemmEx int8 in exact parts",
      [&] {
        Zero();
        Blas.addProducts(Products, OfBands);
      },
      OfNoiseIsRight);

  // S1, S2, S4 and S8 one after the other, from the image on the device.
  const auto ChainIsRight = [&] {
    return BothAreRight() && TransformIsRight();
  };
  const auto Transform5 = [&] {
    transformV5(Data, Weights, Result, Bands, Components, Pixels, Pitch,
                ResultPitch);
  };
  Add(
      "chain", "V5 V7 V4",
      [&] {
        ZeroAll();
        FilterV5();
        addProductsV7<int8_t>(NoiseBytes, Products, OfBands, Bands,
                              noisePixels(Samples, Lines), BytesPitch, Scratch);
        Correct();
        addProductsV7(Data, ImageProducts, ImageBands, Bands, Pixels, Pitch,
                      Scratch);
        transformV4(Data, Weights, Result, Bands, Components, Pixels, Pitch,
                    ResultPitch);
      },
      ChainIsRight);
  // Without tensor cores: the design of what the advisor knows.
  Add(
      "chain", "ordinary cores",
      [&] {
        ZeroAll();
        filterNoiseV4(Data, Noise, Samples, Lines, Bands, Pitch);
        addProductsV4(Noise, Products, Bands, Pixels, Pitch);
        addProductsV5(Data, ImageProducts, Bands, Pixels, Pitch);
        transformV3(Data, Weights, Result, Bands, Components, Pixels, Pitch,
                    ResultPitch);
      },
      [&] {
        return NoiseSumsAreRight() &&
               sameHalf(SumsOf(ImageProducts, Squares), Right.OfImage) &&
               TransformIsRight();
      });
  Add(
      "chain", "V5 V8 V5",
      [&] {
        InTurns();
        Transform5();
      },
      ChainIsRight);
  Add(
      "chain", "best",
      [&] {
        AtOnce();
        Transform5();
      },
      ChainIsRight);
  Add(
      "chain", "cuBLAS",
      [&] {
        ZeroAll();
        Blas.makeNoise(Data, Samples, Lines, Pitch);
        Blas.addProducts(Products, OfBands);
        Blas.makeSigned(Data, Pixels, Pitch);
        Blas.addProducts(ImageProducts, ImageBands);
        Blas.makeHalves(Data, Pixels, Pitch);
        Blas.transformHalves(Weights, Components, Result, ResultPitch);
      },
      ChainIsRight);
  if (Small)
    return Race(Name).run(Versions);

  // One core of the CPU meanwhile; the GPU does not notice.
  std::string OfSerial;
  std::thread Serial([&] { OfSerial = runSerial(Name, Of, HostWeights); });
  bool Passed = Race(Name).run(Versions);
  Serial.join();
  std::fputs(OfSerial.c_str(), stdout);
  return Passed;
}

int measure(int Count, char **Arguments) {
  std::puts("image,step,version,median_ms,least_ms,most_ms,rounds,result");
  bool Right = race("small", 61, 37, false, true) &
               race("small random", 101, 61, true, true);
  if (Count > 1 && !std::strcmp(Arguments[1], "--small"))
    return Right ? 0 : 1;
  Right &= race("614x1087", 614, 1087, false, false);
  if (Count > 1 && !std::strcmp(Arguments[1], "--first"))
    return Right ? 0 : 1;
  Right &= race("753x1924", 753, 1924, false, false);
  Right &= race("781x6955", 781, 6955, false, false);
  return Right ? 0 : 1;
}

} // namespace

int main(int Count, char **Arguments) {
  try {
    return measure(Count, Arguments);
  } catch (const CudaError &Error) {
    std::fprintf(stderr, "error: %s\n", Error.what());
    return 1;
  }
}

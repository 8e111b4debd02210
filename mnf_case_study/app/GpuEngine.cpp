//===- GpuEngine.cpp - The steps on the device ----------------------------===//
//
// An image goes to the device in strips, as few as its memory allows; if it is
// one, it stays there from the covariances to the transformation. Between file
// and device it passes two pieces of pinned memory, of which one is filled
// while the other one is copied.
//
//===----------------------------------------------------------------------===//

#include "mnf_case_study/app/Engine.h"
#include "mnf_case_study/device/Cuda.h"
#include "mnf_case_study/device/Eigenproblems.h"
#include "mnf_case_study/device/Route.h"
#include "mnf_case_study/gpu/DeviceImage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <future>

namespace mnf {
namespace {

/// Pinned memory, and whether a copy still uses it.
class Piece {
public:
  explicit Piece(size_t Bytes) {
    require(cudaMallocHost(&Data, Bytes), "pinned memory");
    Copied.record();
  }
  Piece(const Piece &) = delete;
  Piece &operator=(const Piece &) = delete;
  ~Piece() { cudaFreeHost(Data); }

  /// Waits for the copy.
  void *data() {
    Copied.wait();
    return Data;
  }
  /// Between start() and stop() a copy from or to the piece begins.
  void start() { Begin.record(); }
  void stop() { Copied.record(); }
  /// What the last copy took.
  double milliseconds() {
    Copied.wait();
    return Copied.since(Begin);
  }

private:
  void *Data = nullptr;
  Event Begin, Copied;
};

class GpuEngine : public Engine {
public:
  /// For images of so many bands, whose lines have \p LineBytes.
  GpuEngine(std::unique_ptr<Route> By, std::string Device, size_t Memory,
            size_t Bands, size_t LineBytes)
      : By(std::move(By)), Device(std::move(Device)), Memory(Memory),
        PieceBytes(std::max(LineBytes, size_t(16) << 20)),
        Pieces{Piece(PieceBytes), Piece(PieceBytes)},
        Warm(std::async(std::launch::async, [this, Bands] {
          const auto Any = Eigen::Index(Bands);
          const Statistics Plain = {Eigen::VectorXd::Zero(Any),
                                    Eigen::MatrixXd::Identity(Any, Any)};
          (void)Solver.solve(Plain, Plain);
        })) {}

  std::string name() const override {
    return fmt::format("{} on {}", By->name(), Device);
  }

  Expected<Moments> measure(const EnviImage &Image, NoiseEstimate, Times &Spent,
                            Progress &Shown) override {
    try {
      return Image.header().Type == SampleType::Float32
                 ? measureStrips<double>(Image, Spent, Shown)
                 : measureStrips<int64_t>(Image, Spent, Shown);
    } catch (const CudaError &Error) {
      return Failure{because(Error)};
    }
  }

  Expected<Rotation> solve(const Moments &Of, Times &Spent) override {
    try {
      return Spent.measure("S3 S5-S7 eigenvalues", [&] {
        if (Warm.valid())
          Warm.get();
        return Solver.solve(Of.Noise, Of.Image);
      });
    } catch (const CudaError &Error) {
      return Failure{because(Error)};
    }
  }

  std::string transform(const EnviImage &Image, const Rotation &Rotated,
                        size_t Components, ImageWriter &To, Times &Spent,
                        Progress &Shown) override {
    try {
      return transformStrips(Image, Rotated, Components, To, Spent, Shown);
    } catch (const CudaError &Error) {
      return because(Error);
    }
  }

private:
  static std::string because(const CudaError &Error) {
    return fmt::format("the GPU failed: {}", Error.what());
  }

  static Shape stripOf(const EnviImage &Image, size_t Lines) {
    return {Image.shape().Bands, Lines, Image.shape().Samples};
  }
  static size_t bytesOfImage(const EnviImage &Image, size_t Lines) {
    return Image.shape().Bands * bytesOf(Image.header().Type) *
           size_t(pitchOf(int(Image.shape().Samples), int(Lines)));
  }
  /// Samples of a component of a strip, with room behind the last one.
  static size_t resultPitch(const Shape &Strip) {
    return (Strip.pixels() + 511) / 512 * 512;
  }

  /// The lines of a strip for which \p Needed bytes are there, at most all.
  template <typename Callable>
  Expected<size_t> linesOfStrip(const EnviImage &Image, const char *Step,
                                Callable &&Needed) const {
    // The kernels count the pixels of a strip, and of its margins, in an int,
    // and CUDA counts 65,535 rows of blocks of eight lines.
    constexpr size_t MostPixels = size_t(1) << 30, Highest = size_t(1) << 18;
    const auto [Bands, All, Samples] = Image.shape();
    size_t Fits = 0;
    size_t TooMany = std::min({All, MostPixels / Samples, Highest}) + 1;
    while (TooMany - Fits > 1) {
      const size_t Half = (Fits + TooMany) / 2;
      (Needed(Half) <= Memory ? Fits : TooMany) = Half;
    }
    if (Fits > 0)
      return Fits;
    return Failure{fmt::format(
        "'{}': the {} of a line needs {} MiB of the GPU's memory, of which {} "
        "MiB may be used",
        Image.file(), Step, (Needed(1) >> 20) + 1, Memory >> 20)};
  }

  /// Sums of an image or of its noise, where they are added up.
  template <typename Sum> struct Adding {
    Buffer<Sum> Products, OfBands;
    Buffer<float> Pivots;
    explicit Adding(size_t Bands)
        : Products(Bands * Bands), OfBands(Bands), Pivots(Bands) {}
    Sums<Sum> download(size_t Bands, size_t Pixels) const {
      Sums<Sum> Result(Bands);
      Products.download(Result.OfProducts.data());
      OfBands.download(Result.OfBands.data());
      std::vector<float> First(Bands);
      Pivots.download(First.data());
      std::copy(First.begin(), First.end(), Result.Pivots.begin());
      Result.Pixels = Pixels;
      return Result;
    }
  };

  void measureStrip(const Strip &Of, const Adding<int64_t> &Noise,
                    const Adding<int64_t> &Image, DeviceTimes &Spent) {
    By->measure(Of, {Noise.Products, Noise.OfBands},
                {Image.Products, Image.OfBands}, Spent);
  }
  void measureStrip(const Strip &Of, const Adding<double> &Noise,
                    const Adding<double> &Image, DeviceTimes &Spent) {
    By->measureFloats(Of, {Noise.Products, Noise.OfBands, Noise.Pivots},
                      {Image.Products, Image.OfBands, Image.Pivots}, Spent);
  }

  template <typename Sum>
  Expected<Moments> measureStrips(const EnviImage &Image, Times &Spent,
                                  Progress &Shown) {
    const auto [Bands, Lines, Samples] = Image.shape();
    auto Most = linesOfStrip(Image, "covariance", [&](size_t Count) {
      return bytesOfImage(Image, Count) +
             By->bytesToMeasure(stripOf(Image, Count));
    });
    if (!Most)
      return Failure{Most.reason()};
    DeviceTimes OnDevice(Spent);
    const Adding<Sum> AddingNoise(Bands), AddingImage(Bands);
    Spent.measure("memory of the GPU", [&] {
      makeRoom(Image, *Most);
      By->prepareToMeasure(stripOf(Image, *Most));
    });
    for (size_t First = 0; First < Lines; First += *Most) {
      Shown.show("covariances", First, Lines);
      const size_t Count = std::min(*Most, Lines - First);
      upload(Image, First, Count, Spent);
      measureStrip(on(Image, Count), AddingNoise, AddingImage, OnDevice);
    }
    Sums<Sum> OfNoise(Bands), OfImage(Bands);
    OnDevice.measure("download", [&] {
      OfNoise = AddingNoise.download(Bands, Image.shape().pixels());
      OfImage = AddingImage.download(Bands, Image.shape().pixels());
    });
    if constexpr (std::is_same_v<Sum, int64_t>) {
      takeOff(OfNoise, By->noiseOffset());
      takeOff(OfImage, offsetOf(Image.header().Type));
    }
    return Moments{OfNoise.statistics(), OfImage.statistics()};
  }

  /// Makes sums of samples that are held \p Less larger those of the samples.
  static void takeOff(Sums<int64_t> &From, int64_t Less) {
    const int64_t Pixels = int64_t(From.Pixels);
    for (size_t A = 0; A < From.Bands; ++A)
      for (size_t B = A; B < From.Bands; ++B)
        From.OfProducts[A * From.Bands + B] +=
            Less * (Less * Pixels - From.OfBands[A] - From.OfBands[B]);
    for (int64_t &OfBand : From.OfBands)
      OfBand -= Less * Pixels;
  }

  std::string transformStrips(const EnviImage &Image, const Rotation &Rotated,
                              size_t Components, ImageWriter &To, Times &Spent,
                              Progress &Shown) {
    const auto [Bands, Lines, Samples] = Image.shape();
    auto Most = linesOfStrip(Image, "transformation", [&](size_t Count) {
      const Shape Strip = stripOf(Image, Count);
      return bytesOfImage(Image, Count) + By->bytesToTransform(Strip) +
             Components * resultPitch(Strip) * sizeof(float);
    });
    if (!Most)
      return Most.reason();
    const std::vector<float> HostWeights = weightsOf(Rotated, Components);
    Buffer<float> Weights(HostWeights.size());
    std::optional<Buffer<float>> Result;
    Spent.measure("memory of the GPU", [&] {
      // Stays where it is if it is there as a whole.
      if (*Most < Lines || There < Lines)
        makeRoom(Image, *Most);
      By->prepareToTransform(stripOf(Image, *Most));
      Result.emplace(Components * resultPitch(stripOf(Image, *Most)));
    });
    DeviceTimes OnDevice(Spent);
    OnDevice.measure("upload", [&] { Weights.upload(HostWeights.data()); });
    for (size_t First = 0; First < Lines; First += *Most) {
      Shown.show("transformation", First, Lines);
      const size_t Count = std::min(*Most, Lines - First);
      const size_t Pitch = resultPitch(stripOf(Image, Count));
      upload(Image, First, Count, Spent);
      By->transform(on(Image, Count), Weights, int(Components), *Result,
                    int(Pitch), offsetOf(Image.header().Type), OnDevice);
      for (size_t K = 0; K < Components; ++K)
        if (std::string Why = write(*Result + K * Pitch, Count * Samples,
                                    (K * Lines + First) * Samples, To, Spent);
            !Why.empty())
          return Why;
    }
    return "";
  }

  /// Room for strips of up to \p Lines.
  void makeRoom(const EnviImage &Image, size_t Lines) {
    OnDevice.reset();
    OnDevice.emplace(bytesOfImage(Image, Lines));
    There = 0;
  }

  Strip on(const EnviImage &Image, size_t Lines) const {
    const auto [Bands, All, Samples] = Image.shape();
    const int Pitch = pitchOf(int(Samples), int(Lines));
    const size_t Margin =
        size_t(marginOf(int(Samples))) * bytesOf(Image.header().Type);
    return {*OnDevice + Margin, int(Samples), int(Lines), int(Bands), Pitch};
  }

  /// Lines as planes of what the device has.
  static void readLines(const EnviImage &Image, size_t First, size_t Count,
                        void *To) {
    visitSamples(Image.header().Type, [&](auto Sample) {
      Image.readLines(First, Count, static_cast<decltype(Sample) *>(To));
    });
    const auto Less = uint16_t(offsetOf(Image.header().Type));
    if (Less == 0)
      return;
    auto *Samples = static_cast<uint16_t *>(To);
    for (size_t I = 0; I < Count * Image.shape().Bands * Image.shape().Samples;
         ++I)
      Samples[I] = uint16_t(Samples[I] + Less);
  }

  /// Brings lines [First, First + Count) and their neighbours to the device,
  /// unless they are there.
  void upload(const EnviImage &Image, size_t First, size_t Count,
              Times &Spent) {
    if (There == Count && FirstThere == First)
      return;
    const auto [Bands, Lines, Samples] = Image.shape();
    const Strip To = on(Image, Count);
    const SampleType Type = Image.header().Type;
    const size_t LineBytes = Samples * bytesOf(Type);
    // To a line of the strip, counted from the one above it, from pinned lines.
    const auto Copy = [&](size_t Line, size_t Count, const char *From,
                          size_t Apart) {
      char *Above =
          static_cast<char *>(const_cast<void *>(To.Image)) - LineBytes;
      require(cudaMemcpy2DAsync(Above + Line * LineBytes,
                                size_t(To.Pitch) * bytesOf(Type), From, Apart,
                                Count * LineBytes, size_t(To.Bands),
                                cudaMemcpyHostToDevice),
              "upload");
    };
    const size_t Begin = First == 0 ? 0 : First - 1;
    const size_t End = std::min(First + Count + 1, Lines);
    const size_t AtOnce = PieceBytes / (Bands * LineBytes);
    size_t Which = 0;
    std::array<bool, 2> Used = {};
    for (size_t Line = Begin; Line < End; Line += AtOnce, Which ^= 1) {
      Piece &Through = Pieces[Which];
      if (Used[Which])
        Spent.add("upload", Through.milliseconds());
      Used[Which] = true;
      const size_t Read = std::min(AtOnce, End - Line);
      auto *Data = static_cast<char *>(Through.data());
      Spent.measure("read", [&] { readLines(Image, Line, Read, Data); });
      Through.start();
      Copy(Line + 1 - First, Read, Data, Read * LineBytes);
      // Beyond the image its first and last line stand again.
      if (First == 0 && Line == 0)
        Copy(0, 1, Data, Read * LineBytes);
      if (First + Count == Lines && Line + Read == Lines)
        Copy(Count + 1, 1, Data + (Read - 1) * LineBytes, Read * LineBytes);
      Through.stop();
    }
    for (size_t I = 0; I < 2; ++I)
      if (Used[I])
        Spent.add("upload", Pieces[I].milliseconds());
    FirstThere = First;
    There = Count;
  }

  /// Writes samples of the device from sample \p At of the file on.
  std::string write(const float *From, size_t Count, size_t At, ImageWriter &To,
                    Times &Spent) {
    const size_t AtOnce = PieceBytes / sizeof(float);
    const auto Start = [&](size_t First, size_t Which) {
      if (First >= Count)
        return;
      Piece &Through = Pieces[Which];
      void *Data = Through.data();
      Through.start();
      require(cudaMemcpyAsync(Data, From + First,
                              std::min(AtOnce, Count - First) * sizeof(float),
                              cudaMemcpyDeviceToHost),
              "download");
      Through.stop();
    };
    Start(0, 0);
    size_t Which = 0;
    for (size_t First = 0; First < Count; First += AtOnce, Which ^= 1) {
      Start(First + AtOnce, Which ^ 1);
      Spent.add("download", Pieces[Which].milliseconds());
      const size_t Bytes = std::min(AtOnce, Count - First) * sizeof(float);
      const std::string Why = Spent.measure("write", [&] {
        return To.write(Pieces[Which].data(), Bytes,
                        (At + First) * sizeof(float));
      });
      if (!Why.empty())
        return Why;
    }
    return "";
  }

  std::unique_ptr<Route> By;
  std::string Device;
  size_t Memory;
  Eigenproblems Solver;
  size_t PieceBytes;
  std::array<Piece, 2> Pieces;
  std::optional<Buffer<uint8_t>> OnDevice;
  /// The lines that are on the device.
  size_t FirstThere = 0, There = 0;
  /// cuSOLVER loads its code at its first call, which takes longer than all
  /// steps; so it is called once while the image is read.
  std::future<void> Warm;
};

/// The route that is asked for, or the fastest one that can do the image, or
/// why there is none.
Expected<std::unique_ptr<Route>> findRoute(const GpuWay &Way,
                                           const EnviImage &Image,
                                           NoiseEstimate Noise,
                                           size_t Components) {
  const SampleType Type = Image.header().Type;
  const auto Versioned = [&](int Version) {
    const bool IsWide = Type == SampleType::UInt16 || Type == SampleType::Int16;
    return IsWide && Version == HalfwordVersion ? makeHalfwordRoute()
                                                : makeLadderRoute(Version);
  };
  const auto WhyNot = [&](const Route &By) {
    return By.whyNot(Image.header(), Noise, Components);
  };
  std::unique_ptr<Route> By;
  if (Way.Version) {
    By = Versioned(*Way.Version);
  } else if (Way.Cublas) {
    By = makeCublasRoute();
  } else if (Way.Doubles) {
    By = makeDoublesRoute(Type, Noise);
  } else {
    By = Versioned(LastVersion);
    if (!WhyNot(*By).empty())
      By = Versioned(HalfwordVersion);
    if (!WhyNot(*By).empty())
      By = makeDoublesRoute(Type, Noise);
  }
  if (const std::string Why = WhyNot(*By); !Why.empty())
    return Failure{fmt::format("'{}': {} {}", Image.file(), By->name(), Why)};
  return By;
}

} // namespace

Expected<std::unique_ptr<Engine>> makeGpuEngine(const GpuWay &Way,
                                                const EnviImage &Image,
                                                NoiseEstimate Noise,
                                                size_t Components) {
  auto By = findRoute(Way, Image, Noise, Components);
  if (!By)
    return Failure{By.reason()};
  int Count = 0;
  cudaError_t Error = cudaGetDeviceCount(&Count);
  if (Error != cudaSuccess || Count == 0)
    return Failure{
        fmt::format("there is no GPU that CUDA can use ({}); --serial needs "
                    "none",
                    cudaGetErrorString(Error ? Error : cudaErrorNoDevice))};
  try {
    cudaDeviceProp Properties = {};
    require(cudaGetDeviceProperties(&Properties, 0), "the GPU's properties");
    if (Properties.major != 9)
      return Failure{fmt::format(
          "the versions are compiled for GPUs of compute capability 9.0, '{}' "
          "has {}.{}; --serial needs none",
          Properties.name, Properties.major, Properties.minor)};
    size_t Free = 0, Total = 0;
    require(cudaMemGetInfo(&Free, &Total), "the GPU's memory");
    // Libraries and the sums take some, too.
    const size_t Usable = Free - Free / 16;
    return std::unique_ptr<Engine>(std::make_unique<GpuEngine>(
        std::move(*By), Properties.name,
        std::min(Way.Bytes.value_or(Usable), Usable), Image.shape().Bands,
        Image.shape().Bands * Image.shape().Samples *
            bytesOf(Image.header().Type)));
  } catch (const CudaError &Why) {
    return Failure{fmt::format("the GPU failed: {}", Why.what())};
  }
}

} // namespace mnf

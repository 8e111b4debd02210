//===- Main.cu - Runs the naive MNF hotspots and checks them --------------===//
//
// Launches the three kernels with the shapes of the paper's first image (224
// bands of 614 x 1087 pixels), prints the time of each and compares samples of
// the results with the CPU. The eigenvalue problems between them (steps S3, S5
// to S7) are no hotspots; a fixed matrix stands in for their result.
//
//===----------------------------------------------------------------------===//

#include "Covariance.cuh"
#include "Mnf.h"
#include "Reference.h"

#include <cstdio>
#include <cstdlib>

constexpr int Width = 614;
constexpr int Height = 1087;
constexpr int Bands = 224;
constexpr int Components = 20;
constexpr int Pixels = Width * Height;
/// Every how many elements of a result one is compared.
constexpr int CheckedPixels = 997;
constexpr int CheckedBands = 37;

static void require(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

template <typename T> static T *allocate(std::size_t Count) {
  T *Result = nullptr;
  require(cudaMalloc(&Result, Count * sizeof(T)), "cudaMalloc");
  require(cudaMemset(Result, 0, Count * sizeof(T)), "cudaMemset");
  return Result;
}

template <typename T> static T *upload(const std::vector<T> &Host) {
  T *Device = allocate<T>(Host.size());
  require(cudaMemcpy(Device, Host.data(), Host.size() * sizeof(T),
                     cudaMemcpyHostToDevice),
          "upload");
  return Device;
}

template <typename T>
static std::vector<T> download(const T *Device, std::size_t Count) {
  std::vector<T> Host(Count);
  require(cudaMemcpy(Host.data(), Device, Count * sizeof(T),
                     cudaMemcpyDeviceToHost),
          "download");
  return Host;
}

/// Takes the time between its construction and finish() on the device.
class Stopwatch {
public:
  explicit Stopwatch(const char *Step) : Step(Step) {
    require(cudaEventCreate(&Start), "cudaEventCreate");
    require(cudaEventCreate(&Stop), "cudaEventCreate");
    require(cudaEventRecord(Start), "cudaEventRecord");
  }

  void finish() {
    float Milliseconds = 0;
    require(cudaGetLastError(), Step);
    require(cudaEventRecord(Stop), Step);
    require(cudaEventSynchronize(Stop), Step);
    require(cudaEventElapsedTime(&Milliseconds, Start, Stop), Step);
    std::printf("%-20s %10.3f ms\n", Step, Milliseconds);
  }

private:
  const char *Step;
  cudaEvent_t Start, Stop;
};

/// Counts and prints results that differ from the CPU's.
class Comparison {
public:
  void compare(const char *Step, double Got, double Expected,
               double Tolerance) {
    ++Compared;
    if (std::abs(Got - Expected) <= Tolerance)
      return;
    if (Wrong++ < 10)
      std::printf("%s: %g instead of %g\n", Step, Got, Expected);
  }

  int report() const {
    std::printf("%ld of %ld compared elements are right\n", Compared - Wrong,
                Compared);
    return Wrong == 0 ? 0 : 1;
  }

private:
  long Compared = 0, Wrong = 0;
};

template <typename Sample>
static void checkCovariance(const char *Step, const std::vector<Sample> &Data,
                            const std::vector<float> &Means,
                            const float *Device, Comparison &Results) {
  std::vector<float> Got = download(Device, Bands * Bands);
  for (int Row = 0; Row < Bands; Row += CheckedBands) {
    for (int Column = 0; Column < Bands; Column += CheckedBands) {
      double Expected =
          mnf::expectedCovariance(Data, Means, Pixels, Row, Column);
      // The kernel adds 667,418 products in single precision, which on an H200
      // costs up to 2e-3 of the variance.
      double Scale = std::sqrt(double(Got[Row * Bands + Row]) *
                               Got[Column * Bands + Column]);
      Results.compare(Step, Got[Row * Bands + Column], Expected, 5e-3 * Scale);
    }
  }
}

int main() {
  std::vector<unsigned char> Image = mnf::makeImage(Width, Height, Bands);
  std::vector<float> ImageMeans = mnf::meansOfBands(Image, Pixels, Bands);
  std::vector<float> Weights(Bands * Components);
  for (int I = 0; I < Bands * Components; ++I)
    Weights[I] = std::cos(I * 0.37f) / Bands;
  unsigned char *DeviceImage = upload(Image);
  Comparison Results;

  // S1: noise of every sample.
  short *DeviceNoise = allocate<short>(Image.size());
  dim3 Block(16, 16);
  dim3 FilterGrid((Width + 15) / 16, (Height + 15) / 16, Bands);
  Stopwatch Filter("noise filter");
  mnf::filterNoise<<<FilterGrid, Block>>>(DeviceImage, DeviceNoise, Width,
                                          Height);
  Filter.finish();
  std::vector<short> Noise = download(DeviceNoise, Image.size());
  for (int Band = 0; Band < Bands; Band += CheckedBands)
    for (int Pixel = 0; Pixel < Pixels; Pixel += CheckedPixels)
      Results.compare("noise filter", Noise[Band * Pixels + Pixel],
                      mnf::expectedNoise(&Image[Band * Pixels], Width, Height,
                                         Pixel / Width, Pixel % Width),
                      0);

  // S2 and S4: covariance of the noise and of the image.
  std::vector<float> NoiseMeans = mnf::meansOfBands(Noise, Pixels, Bands);
  float *DeviceNoiseMeans = upload(NoiseMeans);
  float *DeviceImageMeans = upload(ImageMeans);
  float *NoiseCovariance = allocate<float>(Bands * Bands);
  float *ImageCovariance = allocate<float>(Bands * Bands);
  dim3 CovarianceGrid((Bands + 15) / 16, (Bands + 15) / 16);
  Stopwatch OfNoise("noise covariance");
  mnf::addCovariance<<<CovarianceGrid, Block>>>(DeviceNoise, DeviceNoiseMeans,
                                                NoiseCovariance, Bands, Pixels);
  OfNoise.finish();
  Stopwatch OfImage("image covariance");
  mnf::addCovariance<<<CovarianceGrid, Block>>>(DeviceImage, DeviceImageMeans,
                                                ImageCovariance, Bands, Pixels);
  OfImage.finish();
  checkCovariance("noise covariance", Noise, NoiseMeans, NoiseCovariance,
                  Results);
  checkCovariance("image covariance", Image, ImageMeans, ImageCovariance,
                  Results);

  // S8: the image in the first components.
  float *DeviceWeights = upload(Weights);
  float *DeviceResult = allocate<float>(std::size_t(Components) * Pixels);
  dim3 TransformGrid((Pixels + 255) / 256, Components);
  Stopwatch Transform("transformation");
  mnf::transformImage<<<TransformGrid, 256>>>(DeviceImage, DeviceWeights,
                                              DeviceResult, Pixels, Bands);
  Transform.finish();
  std::vector<float> Result =
      download(DeviceResult, std::size_t(Components) * Pixels);
  for (int Component = 0; Component < Components; ++Component)
    for (int Pixel = 0; Pixel < Pixels; Pixel += CheckedPixels)
      Results.compare("transformation", Result[Component * Pixels + Pixel],
                      mnf::expectedComponent(Image, Weights, Pixels, Bands,
                                             Components, Component, Pixel),
                      1e-2);
  return Results.report();
}

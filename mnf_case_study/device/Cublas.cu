//===- Cublas.cu ----------------------------------------------------------===//

#include "mnf_case_study/device/Cublas.h"

#include "mnf_case_study/gpu/noise_filter/NoiseFilter.h"

#include <cublas_v2.h>
#include <cuda_fp16.h>

namespace mnf {

/// A multiple of what cuBLAS wants, and 65,536 * 128^2 < 2^31.
constexpr int PixelsOfPart = 65536;
constexpr int Threads = 256;

static void require(cublasStatus_t Status, const char *What) {
  if (Status != CUBLAS_STATUS_SUCCESS)
    throw CudaError(std::string(What) + ": " + cublasGetStatusString(Status));
}

static int partsOf(int Pixels) {
  return (Pixels + PixelsOfPart - 1) / PixelsOfPart;
}
/// The bands and the ones, and zeros up to a multiple of four.
static int rowsOf(int Bands) { return (Bands + 1 + 3) / 4 * 4; }
static int blocksOf(int Pixels) {
  return (Pixels + 8 * Threads - 1) / (8 * Threads);
}
static int floatPitchOf(int Pixels) { return (Pixels + 31) / 32 * 32; }

/// Eight samples of a band, zeros behind the last pixel. Bands begin at a
/// multiple of 128 bytes.
__device__ static void loadEight(const uint8_t *Band, int Pixel, int Pixels,
                                 int (&Samples)[8]) {
  uint2 Words = {};
  if (Pixel < Pixels)
    Words = *reinterpret_cast<const uint2 *>(Band + Pixel);
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Samples[I] = Pixel + I < Pixels
                     ? (I < 4 ? Words.x : Words.y) >> 8 * (I % 4) & 255
                     : 0;
}

__device__ static void storeEight(const int (&Values)[8], int8_t *To) {
  uint32_t Words[2] = {};
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Words[I / 4] |= uint32_t(Values[I] & 255) << 8 * (I % 4);
  *reinterpret_cast<uint2 *>(To) = make_uint2(Words[0], Words[1]);
}

/// The rows behind the bands: ones, and zeros.
__device__ static void fillRow(int Row, int Bands, int Pixel, int Pixels,
                               int8_t *To) {
  int Values[8];
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Values[I] = Row == Bands && Pixel + I < Pixels;
  storeEight(Values, To);
}

/// A block of 8 * Threads pixels and a row; \p Padded pixels a row.
__global__ void copySigned(const uint8_t *Image, int8_t *Copy, int Bands,
                           int Pixels, int Padded, int Pitch) {
  int Pixel = 8 * (blockIdx.x * Threads + threadIdx.x), Row = blockIdx.y;
  int8_t *To = Copy + size_t(Row) * Padded + Pixel;
  if (Row >= Bands) {
    fillRow(Row, Bands, Pixel, Pixels, To);
    return;
  }
  int Samples[8];
  loadEight(Image + size_t(Row) * Pitch, Pixel, Pixels, Samples);
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Samples[I] = Pixel + I < Pixels ? Samples[I] - 128 : 0;
  storeEight(Samples, To);
}

/// The rows behind the bands alone, where another kernel writes those. Noise
/// that is not there is zero, so ones may stand for it.
__global__ void fillRows(int8_t *Copy, int Bands, int Pixels, int Padded) {
  int Pixel = 8 * (blockIdx.x * Threads + threadIdx.x);
  int Row = Bands + blockIdx.y;
  fillRow(Row, Bands, Pixel, Pixels, Copy + size_t(Row) * Padded + Pixel);
}

/// Adds the sums of all parts to the upper half. The column of the ones holds
/// the sums of the bands. \p Less is what was taken off the samples.
__global__ void addParts(const int32_t *Parts, int Count, int Rows, int Bands,
                         int Less, int64_t Pixels, int64_t *Products,
                         int64_t *OfBands) {
  int Column = blockIdx.x * blockDim.x + threadIdx.x, Row = blockIdx.y;
  if (Column < Row || Column > Bands)
    return;
  const auto Sum = [&](int A, int B) {
    int64_t Result = 0;
    for (int Part = 0; Part < Count; ++Part)
      Result += Parts[size_t(Part) * Rows * Rows + size_t(A) * Rows + B];
    return Result;
  };
  if (Column == Bands) {
    OfBands[Row] += Sum(Row, Bands) + Less * Pixels;
    return;
  }
  int64_t OfPair = Sum(Row, Column);
  if (Less)
    OfPair +=
        Less * (Sum(Row, Bands) + Sum(Column, Bands)) + Less * Less * Pixels;
  Products[Row * Bands + Column] += OfPair;
}

template <typename To>
__global__ void convert(const uint8_t *Image, To *Copy, int Pixels, int Pitch,
                        int CopyPitch) {
  int Pixel = 8 * (blockIdx.x * Threads + threadIdx.x);
  if (Pixel >= Pixels)
    return;
  int Samples[8];
  loadEight(Image + size_t(blockIdx.y) * Pitch, Pixel, Pixels, Samples);
  struct alignas(16) Eight {
    To Of[8];
  } Values;
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Values.Of[I] = To(float(Samples[I]));
  *reinterpret_cast<Eight *>(Copy + size_t(blockIdx.y) * CopyPitch + Pixel) =
      Values;
}

/// The largest weight, as the bits of a float.
__global__ void findLargest(const float *Weights, int Count,
                            unsigned *Largest) {
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    atomicMax(Largest, __float_as_uint(fabsf(Weights[I])));
}

/// A weight in parts of the largest one is High + Low / 2048: 22 bits.
__global__ void splitWeights(const float *Weights, int Count,
                             const unsigned *Largest, __half *High,
                             __half *Low) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  float Part = Weights[I] / __uint_as_float(*Largest);
  High[I] = __float2half(Part);
  Low[I] = __float2half((Part - __half2float(High[I])) * 2048);
}

Cublas::Cublas(int Bands, int Samples, int Lines)
    : Bands(Bands), MostPixels(noisePixels(Samples, Lines)) {
  require(cublasCreate(&Handle), "cuBLAS");
}

Cublas::~Cublas() { cublasDestroy(Handle); }

size_t Cublas::bytesOfSums(int Bands, int Samples, int Lines) {
  const int Pixels = noisePixels(Samples, Lines);
  const size_t Rows = size_t(rowsOf(Bands)), Parts = size_t(partsOf(Pixels));
  return Rows * Parts * PixelsOfPart + wideBytes(Samples, Lines) +
         sizeof(int32_t) * Parts * Rows * Rows;
}

size_t Cublas::bytesOfHalves(int Bands, int Pixels) {
  return sizeof(uint16_t) * size_t(Bands) * size_t(floatPitchOf(Pixels));
}

template <typename T, typename Function>
static T *made(std::optional<Buffer<T>> &There, Function Count) {
  if (!There)
    There.emplace(Count());
  return *There;
}

size_t Cublas::roomForBytes() const {
  return size_t(rowsOf(Bands)) * partsOf(MostPixels) * PixelsOfPart;
}

void Cublas::makeSigned(const uint8_t *Image, int OfPixels, int Pitch) {
  Pixels = OfPixels;
  Parts = partsOf(Pixels);
  Less = 128;
  const int Padded = Parts * PixelsOfPart;
  dim3 Grid(blocksOf(Padded), rowsOf(Bands));
  copySigned<<<Grid, Threads>>>(Image,
                                made(Bytes, [&] { return roomForBytes(); }),
                                Bands, Pixels, Padded, Pitch);
}

void Cublas::makeNoise(const uint8_t *Image, int Samples, int Lines,
                       int Pitch) {
  Pixels = noisePixels(Samples, Lines);
  Parts = partsOf(Pixels);
  Less = 0;
  Noise = {Image, Samples, Lines, Pitch};
  const int Padded = Parts * PixelsOfPart;
  int8_t *To = made(Bytes, [&] { return roomForBytes(); });
  char *Listed = made(Wide, [&] { return wideBytes(Samples, Lines); });
  dim3 Grid(blocksOf(Padded), rowsOf(Bands) - Bands);
  fillRows<<<Grid, Threads>>>(To, Bands, Pixels, Padded);
  require(cudaMemset2DAsync(To + Pixels, size_t(Padded), 0,
                            size_t(Padded - Pixels), size_t(Bands)),
          "zeros behind the noise");
  filterNoiseV5(Image, To, reinterpret_cast<WideChunks *>(Listed), Samples,
                Lines, Bands, Pitch, Padded);
}

void Cublas::addProducts(int64_t *Products, int64_t *OfBands) {
  const int32_t One = 1, Zero = 0;
  const int Padded = Parts * PixelsOfPart, Rows = rowsOf(Bands);
  int32_t *To =
      made(OfParts, [&] { return size_t(partsOf(MostPixels)) * Rows * Rows; });
  require(cublasGemmStridedBatchedEx(
              Handle, CUBLAS_OP_T, CUBLAS_OP_N, Rows, Rows, PixelsOfPart, &One,
              *Bytes, CUDA_R_8I, Padded, PixelsOfPart, *Bytes, CUDA_R_8I,
              Padded, PixelsOfPart, &Zero, To, CUDA_R_32I, Rows, Rows * Rows,
              Parts, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
          "cublasGemmStridedBatchedEx of bytes");
  dim3 Grid((Bands + 1 + 127) / 128, Bands);
  addParts<<<Grid, 128>>>(To, Parts, Rows, Bands, Less, Pixels, Products,
                          OfBands);
  if (Less == 0) // It is noise.
    correctProducts(Noise.Image, reinterpret_cast<const WideChunks *>(+*Wide),
                    Products, OfBands, Noise.Samples, Noise.Lines, Bands,
                    Noise.Pitch);
}

void Cublas::makeHalves(const uint8_t *Image, int OfPixels, int Pitch) {
  Pixels = OfPixels;
  FloatPitch = floatPitchOf(Pixels);
  uint16_t *To = made(
      Halves, [&] { return size_t(Bands) * size_t(floatPitchOf(MostPixels)); });
  convert<<<dim3(blocksOf(Pixels), Bands), Threads>>>(
      Image, reinterpret_cast<__half *>(To), Pixels, Pitch, FloatPitch);
}

void Cublas::makeFloats(const uint8_t *Image, int OfPixels, int Pitch) {
  Pixels = OfPixels;
  FloatPitch = floatPitchOf(Pixels);
  float *To = made(
      Floats, [&] { return size_t(Bands) * size_t(floatPitchOf(MostPixels)); });
  convert<<<dim3(blocksOf(Pixels), Bands), Threads>>>(Image, To, Pixels, Pitch,
                                                      FloatPitch);
}

void Cublas::transformHalves(const float *Weights, int Components,
                             float *Result, int ResultPitch) {
  const int Count = Bands * Components;
  // Both begin at a multiple of 16 bytes, as tensor cores like it.
  const size_t Room = (size_t(Bands) * Bands + 7) / 8 * 8;
  auto *High =
      reinterpret_cast<__half *>(made(HalfWeights, [&] { return 2 * Room; }));
  __half *Low = High + Room;
  unsigned *Scale = made(Largest, [] { return 1; });
  require(cudaMemsetAsync(Scale, 0, sizeof(unsigned)), "the weights");
  findLargest<<<1, 1024>>>(Weights, Count, Scale);
  splitWeights<<<(Count + 255) / 256, 256>>>(Weights, Count, Scale, High, Low);
  // The scalars are on the device, where the largest weight is.
  static const float HostScalars[2] = {0, 1.0f / 2048};
  require(cublasSetPointerMode(Handle, CUBLAS_POINTER_MODE_DEVICE), "cuBLAS");
  if (!Scalars) {
    Scalars.emplace(2);
    Scalars->upload(HostScalars);
  }
  const auto *Alpha = reinterpret_cast<const float *>(Scale);
  const auto Multiply = [&](const __half *By, const float *Beta) {
    require(cublasGemmEx(Handle, CUBLAS_OP_N, CUBLAS_OP_T, Pixels, Components,
                         Bands, Alpha, *Halves, CUDA_R_16F, FloatPitch, By,
                         CUDA_R_16F, Components, Beta, Result, CUDA_R_32F,
                         ResultPitch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            "cublasGemmEx of halves");
  };
  Multiply(Low, *Scalars);
  Multiply(High, *Scalars + 1);
  require(cublasSetPointerMode(Handle, CUBLAS_POINTER_MODE_HOST), "cuBLAS");
}

void Cublas::transformFloats(const float *Weights, int Components,
                             float *Result, int ResultPitch) {
  // Column by column: Result (Pixels x Components) = Floats (Pixels x Bands) *
  // transpose(Weights (Components x Bands)).
  const float One = 1, Zero = 0;
  require(cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_T, Pixels, Components,
                      Bands, &One, *Floats, FloatPitch, Weights, Components,
                      &Zero, Result, ResultPitch),
          "cublasSgemm");
}

void Cublas::multiplyFloats(float *Products, bool Tf32) {
  const float One = 1, Zero = 0;
  require(cublasGemmEx(Handle, CUBLAS_OP_T, CUBLAS_OP_N, Bands, Bands, Pixels,
                       &One, *Floats, CUDA_R_32F, FloatPitch, *Floats,
                       CUDA_R_32F, FloatPitch, &Zero, Products, CUDA_R_32F,
                       Bands,
                       Tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx of floats");
}

} // namespace mnf

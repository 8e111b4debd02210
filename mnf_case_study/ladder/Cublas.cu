//===- Cublas.cu ----------------------------------------------------------===//

#include "mnf_case_study/ladder/Cublas.h"

#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>

namespace mnf {

/// A multiple of what cuBLAS wants, and 65,536 * 128^2 < 2^31.
constexpr int PixelsOfPart = 65536;

static void require(cublasStatus_t Status, const char *What) {
  if (Status == CUBLAS_STATUS_SUCCESS)
    return;
  std::fprintf(stderr, "error: %s: %s\n", What, cublasGetStatusString(Status));
  std::exit(1);
}

/// \p PixelsUp is Pixels, or more to fill with zeros.
template <typename To>
__global__ void convert(const uint8_t *From, To *Result, int Pixels,
                        int PixelsUp, int Pitch, int ResultPitch, int Less) {
  int Pixel = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (Pixel >= PixelsUp)
    return;
  uchar4 Word = {};
  if (Pixel < Pixels)
    Word = *reinterpret_cast<const uchar4 *>(From + size_t(blockIdx.y) * Pitch +
                                             Pixel);
  const uint8_t Samples[4] = {Word.x, Word.y, Word.z, Word.w};
  To *Row = Result + size_t(blockIdx.y) * ResultPitch + Pixel;
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Row[I] = Pixel + I < Pixels ? To(int(Samples[I]) - Less) : To(0);
}

__global__ void addParts(const int32_t *Parts, int Count, int Elements,
                         int64_t *To) {
  int Element = blockIdx.x * blockDim.x + threadIdx.x;
  if (Element >= Elements)
    return;
  int64_t Sum = 0;
  for (int Part = 0; Part < Count; ++Part)
    Sum += Parts[size_t(Part) * Elements + Element];
  To[Element] += Sum;
}

Cublas::Cublas(const uint8_t *Image, int Bands, int Pixels, int Pitch)
    : Image(Image), Bands(Bands), Pixels(Pixels), Pitch(Pitch),
      Parts((Pixels + PixelsOfPart - 1) / PixelsOfPart) {
  require(cublasCreate(&Handle), "cublasCreate");
  const size_t Padded = size_t(Parts) * PixelsOfPart;
  if (cudaMalloc(&Floats, sizeof(float) * Bands * Pitch) != cudaSuccess ||
      cudaMalloc(&Bytes, Bands * Padded) != cudaSuccess ||
      cudaMalloc(&OfParts, sizeof(int32_t) * Parts * Bands * Bands) !=
          cudaSuccess) {
    std::fputs("error: no memory for the copies that cuBLAS needs\n", stderr);
    std::exit(1);
  }
  convertToFloat();
  dim3 Grid((Padded / 4 + 255) / 256, Bands);
  convert<<<Grid, 256>>>(Image, Bytes, Pixels, int(Padded), Pitch, int(Padded),
                         128);
}

Cublas::~Cublas() {
  cublasDestroy(Handle);
  cudaFree(Floats);
  cudaFree(Bytes);
  cudaFree(OfParts);
}

void Cublas::convertToFloat() {
  dim3 Grid((Pixels / 4 + 256) / 256, Bands);
  convert<<<Grid, 256>>>(Image, Floats, Pixels, Pixels, Pitch, Pitch, 0);
}

void Cublas::multiplyFloats(float *Products, bool Tf32) {
  const float One = 1, Zero = 0;
  require(cublasGemmEx(Handle, CUBLAS_OP_T, CUBLAS_OP_N, Bands, Bands, Pixels,
                       &One, Floats, CUDA_R_32F, Pitch, Floats, CUDA_R_32F,
                       Pitch, &Zero, Products, CUDA_R_32F, Bands,
                       Tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx of floats");
}

void Cublas::multiplyBytes() {
  const int32_t One = 1, Zero = 0;
  const int Padded = Parts * PixelsOfPart;
  require(cublasGemmEx(Handle, CUBLAS_OP_T, CUBLAS_OP_N, Bands, Bands,
                       Pixels / 16 * 16, &One, Bytes, CUDA_R_8I, Padded, Bytes,
                       CUDA_R_8I, Padded, &Zero, OfParts, CUDA_R_32I, Bands,
                       CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx of bytes");
}

void Cublas::addProducts(int64_t *Products) {
  const int32_t One = 1, Zero = 0;
  const int Padded = Parts * PixelsOfPart, Elements = Bands * Bands;
  require(cublasGemmStridedBatchedEx(
              Handle, CUBLAS_OP_T, CUBLAS_OP_N, Bands, Bands, PixelsOfPart,
              &One, Bytes, CUDA_R_8I, Padded, PixelsOfPart, Bytes, CUDA_R_8I,
              Padded, PixelsOfPart, &Zero, OfParts, CUDA_R_32I, Bands, Elements,
              Parts, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
          "cublasGemmStridedBatchedEx of bytes");
  addParts<<<(Elements + 255) / 256, 256>>>(OfParts, Parts, Elements, Products);
}

void Cublas::transform(const float *Weights, int Components, float *Result,
                       int ResultPitch) {
  // Column by column: Result (Pixels x Components) = Floats (Pixels x Bands) *
  // transpose(Weights (Components x Bands)).
  const float One = 1, Zero = 0;
  require(cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_T, Pixels, Components,
                      Bands, &One, Floats, Pitch, Weights, Components, &Zero,
                      Result, ResultPitch),
          "cublasSgemm");
}

} // namespace mnf

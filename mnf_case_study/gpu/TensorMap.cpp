//===- TensorMap.cpp ------------------------------------------------------===//

#include "mnf_case_study/gpu/TensorMap.h"

#include "mnf_case_study/device/Cuda.h"

#include <cuda.h>

namespace mnf {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap));

/// The driver's function; nothing here is linked with the driver.
static decltype(&cuTensorMapEncodeTiled) encoder() {
  void *Found = nullptr;
  cudaDriverEntryPointQueryResult Result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  require(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &Found,
                                           12000, cudaEnableDefault, &Result),
          "the driver");
#else
  require(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &Found,
                                  cudaEnableDefault, &Result),
          "the driver");
#endif
  if (Result != cudaDriverEntryPointSuccess)
    throw CudaError("the driver has no tensor maps");
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(Found);
}

TensorMap mapOf(const void *Data, int Bands, int Pixels, int Pitch,
                int BandsOfBox) {
  static const auto Encode = encoder();
  TensorMap Result;
  const cuuint64_t Sizes[] = {cuuint64_t(Pixels), cuuint64_t(Bands)};
  const cuuint64_t Pitches[] = {cuuint64_t(Pitch)};
  const cuuint32_t Box[] = {PixelsOfBox, cuuint32_t(BandsOfBox)};
  const cuuint32_t Steps[] = {1, 1};
  if (Encode(reinterpret_cast<CUtensorMap *>(&Result),
             CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, const_cast<void *>(Data), Sizes,
             Pitches, Box, Steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    throw CudaError("the driver takes no such tensor map");
  return Result;
}

} // namespace mnf

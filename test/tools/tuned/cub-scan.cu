//===- cub-scan.cu - CUB's scans ------------------------------------------===//
//
// For measure_tuned.py: instantiates the kernels as callers do.
//
//===----------------------------------------------------------------------===//

#include <cub/cub.cuh>

void run(float *In, float *Out, int *Keys, int N) {
  size_t Bytes = 0;
  void *Temp = nullptr;
  cub::DeviceScan::ExclusiveSum(nullptr, Bytes, In, Out, N);
  cudaMalloc(&Temp, Bytes);
  cub::DeviceScan::ExclusiveSum(Temp, Bytes, In, Out, N);
  cub::DeviceScan::InclusiveSum(Temp, Bytes, Keys, Keys, N);
  cub::DeviceScan::InclusiveSumByKey(Temp, Bytes, Keys, In, Out, N);
}

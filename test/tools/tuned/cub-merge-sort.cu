//===- cub-merge-sort.cu - CUB's merge sort -------------------------------===//
//
// For measure_tuned.py: instantiates the kernels as callers do.
//
//===----------------------------------------------------------------------===//

#include <cub/cub.cuh>

void run(float *Keys, int N) {
  size_t Bytes = 0;
  void *Temp = nullptr;
  const auto Less = [] __device__(float A, float B) { return A < B; };
  cub::DeviceMergeSort::SortKeys(nullptr, Bytes, Keys, N, Less);
  cudaMalloc(&Temp, Bytes);
  cub::DeviceMergeSort::SortKeys(Temp, Bytes, Keys, N, Less);
}

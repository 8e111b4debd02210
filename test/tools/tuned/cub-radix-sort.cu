//===- cub-radix-sort.cu - CUB's radix sorts ------------------------------===//
//
// For measure_tuned.py: instantiates the kernels as callers do.
//
//===----------------------------------------------------------------------===//

#include <cub/cub.cuh>

void run(unsigned *Keys, unsigned *KeysOut, float *Values, float *ValuesOut,
         int N) {
  size_t Bytes = 0;
  void *Temp = nullptr;
  cub::DeviceRadixSort::SortPairs(nullptr, Bytes, Keys, KeysOut, Values,
                                  ValuesOut, N);
  cudaMalloc(&Temp, Bytes);
  cub::DeviceRadixSort::SortPairs(Temp, Bytes, Keys, KeysOut, Values, ValuesOut,
                                  N);
  cub::DeviceRadixSort::SortKeys(Temp, Bytes, Keys, KeysOut, N);
}

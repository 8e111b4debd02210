//===- cub-reduce.cu - CUB's reductions -----------------------------------===//
//
// For measure_tuned.py: instantiates the kernels as callers do.
//
//===----------------------------------------------------------------------===//

#include <cub/cub.cuh>

void run(float *In, float *Out, int *Counts, int N) {
  size_t Bytes = 0;
  void *Temp = nullptr;
  cub::DeviceReduce::Sum(nullptr, Bytes, In, Out, N);
  cudaMalloc(&Temp, Bytes);
  cub::DeviceReduce::Sum(Temp, Bytes, In, Out, N);
  cub::DeviceReduce::Max(Temp, Bytes, In, Out, N);
  cub::DeviceReduce::ArgMin(Temp, Bytes, In, Out, Counts, N);
  cub::DeviceSegmentedReduce::Sum(Temp, Bytes, In, Out, 1024, Counts,
                                  Counts + 1);
}

//===- cub-histogram.cu - CUB's histograms --------------------------------===//
//
// For measure_tuned.py: instantiates the kernels as callers do.
//
//===----------------------------------------------------------------------===//

#include <cub/cub.cuh>

void run(float *Samples, unsigned char *Pixels, int *Counts, int *Others[3],
         int Levels[3], float Low, float High, int N) {
  size_t Bytes = 0;
  void *Temp = nullptr;
  cub::DeviceHistogram::HistogramEven(nullptr, Bytes, Samples, Counts, 257, Low,
                                      High, N);
  cudaMalloc(&Temp, Bytes);
  cub::DeviceHistogram::HistogramEven(Temp, Bytes, Samples, Counts, 257, Low,
                                      High, N);
  cub::DeviceHistogram::HistogramEven(Temp, Bytes, Pixels, Counts, 257, 0, 256,
                                      N);
}

//===- cub-select.cu - CUB's selections, partitions and run lengths -------===//
//
// For measure_tuned.py: instantiates the kernels as callers do.
//
//===----------------------------------------------------------------------===//

#include <cub/cub.cuh>

struct IsPositive {
  __host__ __device__ bool operator()(float X) const { return X > 0; }
};

void run(float *In, float *Out, unsigned char *Flags, int *Counts, int N) {
  size_t Bytes = 0;
  void *Temp = nullptr;
  cub::DeviceSelect::If(nullptr, Bytes, In, Out, Counts, N, IsPositive());
  cudaMalloc(&Temp, Bytes);
  cub::DeviceSelect::If(Temp, Bytes, In, Out, Counts, N, IsPositive());
  cub::DeviceSelect::Flagged(Temp, Bytes, In, Flags, Out, Counts, N);
  cub::DeviceSelect::Unique(Temp, Bytes, In, Out, Counts, N);
  cub::DevicePartition::If(Temp, Bytes, In, Out, Counts, N, IsPositive());
  cub::DeviceRunLengthEncode::Encode(Temp, Bytes, In, Out, Counts, Counts + 1,
                                     N);
}

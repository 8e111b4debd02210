//===- StoreMerging.cu - What L1 merges of a record's stores --------------===//
//
// Each thread stores a record of W words, one word after the other. Kernels
// differ in what the stores wait for. README.md says how it is measured.
//
//===----------------------------------------------------------------------===//

#include <cstdio>

constexpr int Records = 1 << 20, MostWords = 8;

template <int W> __global__ void constants(float *To) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int K = 0; K < W; ++K)
    To[W * I + K] = float(I + K);
}

/// Each store waits for a load of its own.
template <int W>
__global__ void planes(const float *__restrict__ From, float *__restrict__ To) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Values[W];
  for (int K = 0; K < W; ++K)
    Values[K] = From[K * Records + I];
  for (int K = 0; K < W; ++K)
    To[W * I + K] = Values[K];
}

/// All stores wait for the same loads.
template <int W>
__global__ void summed(const float *__restrict__ From, float *__restrict__ To) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < W; ++K)
    Sum += From[K * Records + I];
  for (int K = 0; K < W; ++K)
    To[W * I + K] = Sum * (K + 1);
}

/// The same, to where the loads came from.
template <int W> __global__ void inPlace(float *At) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Values[W], Sum = 0;
  for (int K = 0; K < W; ++K)
    Sum += Values[K] = At[W * I + K];
  for (int K = 0; K < W; ++K)
    At[W * I + K] = Values[K] + Sum;
}

template <int W> void launchAll(float *To, const float *From, int Threads) {
  int Blocks = Records / Threads;
  constants<W><<<Blocks, Threads>>>(To);
  planes<W><<<Blocks, Threads>>>(From, To);
  summed<W><<<Blocks, Threads>>>(From, To);
  inPlace<W><<<Blocks, Threads>>>(To);
}

int main() {
  constexpr size_t Bytes = sizeof(float) * MostWords * Records;
  float *To, *From;
  cudaMalloc(&To, Bytes);
  cudaMalloc(&From, Bytes);
  cudaMemset(To, 0, Bytes);
  cudaMemset(From, 0, Bytes);
  for (int Threads : {256, 64}) {
    launchAll<2>(To, From, Threads);
    launchAll<3>(To, From, Threads);
    launchAll<4>(To, From, Threads);
    launchAll<5>(To, From, Threads);
    launchAll<6>(To, From, Threads);
    launchAll<8>(To, From, Threads);
  }
  cudaError_t Status = cudaDeviceSynchronize();
  if (Status != cudaSuccess)
    fprintf(stderr, "error: %s\n", cudaGetErrorString(Status));
  return Status != cudaSuccess;
}

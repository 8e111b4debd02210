// What it brings to load a word before an atomic that may change nothing, and
// to let a block do what several do that add to the same words. Each kernel is
// timed alone, medians of 25, after its words were set back. See README.md.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr unsigned Threads = 256, Count = 1 << 22, Vertices = 1 << 19;
constexpr unsigned MostCells = 1 << 20;
constexpr int Frames = 8192, Length = 1024, Hop = 256;

enum class Ask { Never, First, PastL1 };

template <Ask How, class T> __device__ T loaded(const T *From) {
  return How == Ask::PastL1 ? __ldcg(From) : *From;
}

__global__ void fill(uint32_t *Memory, uint32_t Words) {
  for (uint32_t I = blockIdx.x * Threads + threadIdx.x; I < Words;
       I += gridDim.x * Threads) {
    uint32_t X = I * 2654435761u + 1;
    X = (X ^ X >> 16) * 0x7feb352du;
    X = (X ^ X >> 15) * 0x846ca68bu;
    Memory[I] = X ^ X >> 16;
  }
}

template <Ask How>
__global__ void mark(const uint32_t *Ends, uint32_t *Visited) {
  const uint32_t End = Ends[blockIdx.x * Threads + threadIdx.x] % Vertices;
  if (How == Ask::Never || !(loaded<How>(Visited + End / 32) >> End % 32 & 1))
    atomicOr(Visited + End / 32, 1u << End % 32);
}

template <Ask How>
__global__ void nearest(const int2 *Seen, uint32_t Cells, int *Nearest) {
  const int2 At = Seen[blockIdx.x * Threads + threadIdx.x];
  int *To = Nearest + uint32_t(At.x) % Cells;
  if (How == Ask::Never || At.y < loaded<How>(To))
    atomicMin(To, At.y);
}

__global__ void overlapAdd(const float *Frame, float *Stream) {
  for (int I = threadIdx.x; I < Length; I += Threads)
    atomicAdd(&Stream[blockIdx.x * Hop + I], Frame[blockIdx.x * Length + I]);
}

/// A block adds up Together frames; Threads is Hop, so that each thread has
/// columns of its own.
template <int Together>
__global__ void overlapTogether(const float *Frame, float *Stream) {
  constexpr int Words = (Together - 1) * Hop + Length;
  __shared__ float Sum[Words];
  for (int I = threadIdx.x; I < Words; I += Threads)
    Sum[I] = 0;
  const int First = blockIdx.x * Together;
  for (int F = 0; F < Together && First + F < Frames; ++F)
    for (int I = threadIdx.x; I < Length; I += Threads)
      Sum[F * Hop + I] += Frame[(First + F) * Length + I];
  for (int I = threadIdx.x; I < Words; I += Threads)
    if (First * Hop + I < (Frames - 1) * Hop + Length)
      atomicAdd(&Stream[First * Hop + I], Sum[I]);
}

template <class Reset, class Run> float microseconds(Reset Before, Run Its) {
  cudaEvent_t Start, Stop;
  cudaEventCreate(&Start);
  cudaEventCreate(&Stop);
  std::vector<float> Times;
  for (int Time = 0; Time < 25; ++Time) {
    Before();
    cudaEventRecord(Start);
    Its();
    cudaEventRecord(Stop);
    cudaEventSynchronize(Stop);
    float Milliseconds;
    cudaEventElapsedTime(&Milliseconds, Start, Stop);
    Times.push_back(1e3f * Milliseconds);
  }
  std::sort(Times.begin(), Times.end());
  return Times[Times.size() / 2];
}

int main() {
  constexpr size_t StreamBytes = ((Frames - 1) * Hop + Length) * sizeof(float);
  uint32_t *Data, *Visited;
  int *Nearest;
  float *Frame, *Stream;
  cudaMalloc(&Data, 2 * Count * sizeof(uint32_t));
  cudaMalloc(&Visited, Vertices / 8);
  cudaMalloc(&Nearest, MostCells * sizeof(int));
  cudaMalloc(&Frame, Frames * Length * sizeof(float));
  cudaMalloc(&Stream, StreamBytes);
  fill<<<1024, Threads>>>(Data, 2 * Count);
  cudaMemset(Frame, 0, Frames * Length * sizeof(float));
  cudaMemset(Stream, 0, StreamBytes);
  constexpr unsigned Blocks = Count / Threads;
  const auto *Seen = reinterpret_cast<const int2 *>(Data);
  const auto clear = [&] { cudaMemset(Visited, 0, Vertices / 8); };
  const auto farAway = [&] {
    cudaMemset(Nearest, 0x7f, MostCells * sizeof(int));
  };
  const auto nothing = [] {};

  printf("what,words,atomic_us,asked_us,asked_past_l1_us\n");
  printf("or,%u,%.1f,%.1f,%.1f\n", Vertices / 32,
         microseconds(clear,
                      [&] { mark<Ask::Never><<<Blocks, Threads>>>(Data, Visited); }),
         microseconds(clear,
                      [&] { mark<Ask::First><<<Blocks, Threads>>>(Data, Visited); }),
         microseconds(clear,
                      [&] { mark<Ask::PastL1><<<Blocks, Threads>>>(Data, Visited); }));
  for (unsigned Cells = MostCells; Cells >= 1 << 12; Cells /= 2)
    printf("min,%u,%.1f,%.1f,%.1f\n", Cells,
           microseconds(farAway,
                        [&] { nearest<Ask::Never><<<Blocks, Threads>>>(Seen, Cells, Nearest); }),
           microseconds(farAway,
                        [&] { nearest<Ask::First><<<Blocks, Threads>>>(Seen, Cells, Nearest); }),
           microseconds(farAway,
                        [&] { nearest<Ask::PastL1><<<Blocks, Threads>>>(Seen, Cells, Nearest); }));
  printf("\nframes_of_a_block,us\n1,%.1f\n",
         microseconds(nothing, [&] { overlapAdd<<<Frames, Threads>>>(Frame, Stream); }));
  const auto together = [&](auto Kernel, int Together) {
    printf("%d,%.1f\n", Together, microseconds(nothing, [&] {
             Kernel<<<(Frames + Together - 1) / Together, Threads>>>(Frame,
                                                                     Stream);
           }));
  };
  together(overlapTogether<4>, 4);
  together(overlapTogether<8>, 8);
  together(overlapTogether<16>, 16);
  together(overlapTogether<31>, 31);
  if (const cudaError_t Error = cudaDeviceSynchronize(); Error != cudaSuccess) {
    fprintf(stderr, "error: %s\n", cudaGetErrorString(Error));
    return 1;
  }
}

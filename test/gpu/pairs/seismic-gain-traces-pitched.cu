// Rule: cuda-memory-uncoalesced-access
// Automatic gain of seismic traces (a sample over the mean size of the 17 about
// it). Traces lie as in the file, 60 words of header before 1501 samples, or
// with samples from word 64 on and rows of a multiple of 128 bytes, as
// cudaMallocPitch would lay them out. CUDA best practices guide, aligned rows.
#include "Pair.cuh"

constexpr int Traces = 8192, Samples = 1501, Radius = 8, Block = 256;
constexpr int FileHeader = 60, FilePitch = FileHeader + Samples;
constexpr int Header = 64, Pitch = 1600;

template <int Start, int Stride>
__device__ void gain(const float *__restrict__ In, float *__restrict__ Out) {
  const int S = blockIdx.x * Block + threadIdx.x;
  if (S >= Samples)
    return;
  const float *Trace = In + size_t(blockIdx.y) * Stride + Start;
  float Sum = 0;
  int Count = 0;
#pragma unroll
  for (int D = -Radius; D <= Radius; ++D)
    if (S + D >= 0 && S + D < Samples) {
      Sum += fabsf(Trace[S + D]);
      ++Count;
    }
  Out[size_t(blockIdx.y) * Stride + Start + S] =
      Trace[S] * Count / (Sum + 1e-6f);
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  gain<FileHeader, FilePitch>(In, Out);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  gain<Header, Pitch>(In, Out);
}

int main() {
  constexpr size_t FileCount = size_t(Traces) * FilePitch,
                   Count = size_t(Traces) * Pitch;
  // Where the file has what the padded rows have.
  const auto InFile = [](size_t I) {
    const size_t Row = I / Pitch, Word = I % Pitch;
    const bool Sample = Word >= Header && Word < Header + Samples;
    return Row * FilePitch + (Sample ? Word - Header + FileHeader : 0);
  };
  const float *File = input<float>(FileCount);
  const float *In = arranged(File, FileCount, Count, InFile);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("seismic-gain-traces-pitched");
  P.same(Out, Expected, Count, InFile);
  const dim3 Grid((Samples + Block - 1) / Block, Traces);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(File, Expected);
    else
      after<<<Grid, Block>>>(In, Out);
}

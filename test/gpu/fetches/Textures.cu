// What a fetch through the texture units takes of an SM, from L1: the time of a
// warp where 32 of them fetch, and of one that waits for its own results.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

constexpr int Rounds = 64, AtOnce = 8, Width = 64, Height = 64;
constexpr int Warps = 32, Threads = 32 * Warps;

static void must(cudaError_t Status) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(Status));
  std::exit(1);
}

template <typename T> __device__ float firstOf(T Value) {
  return *reinterpret_cast<const unsigned char *>(&Value);
}

template <typename T>
__global__ void plane(cudaTextureObject_t Image, float *Out,
                      long long *Clocks) {
  float Sum = 0;
  const float X = threadIdx.x % 16 + 0.5f, Y = threadIdx.x / 16 + 0.5f;
  __syncthreads();
  const long long Start = clock64();
  for (int I = 0; I < Rounds; ++I)
#pragma unroll
    for (int J = 0; J < AtOnce; ++J)
      Sum += firstOf(tex2D<T>(Image, X + J, Y + (I & 7)));
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0)
    *Clocks = clock64() - Start;
  Out[blockIdx.x * Threads + threadIdx.x] = Sum;
}

template <typename T>
__global__ void line(cudaTextureObject_t Row, float *Out, long long *Clocks) {
  float Sum = 0;
  __syncthreads();
  const long long Start = clock64();
  for (int I = 0; I < Rounds; ++I)
#pragma unroll
    for (int J = 0; J < AtOnce; ++J)
      Sum += firstOf(tex1Dfetch<T>(Row, threadIdx.x + J + (I & 7) * 32));
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0)
    *Clocks = clock64() - Start;
  Out[blockIdx.x * Threads + threadIdx.x] = Sum;
}

// Each fetch needs the result of the one before, which is 0.
template <typename T>
__global__ void chain(cudaTextureObject_t Image, float *Out,
                      long long *Clocks) {
  const float X = threadIdx.x % 16 + 0.5f, Y = threadIdx.x / 16 + 0.5f;
  float Last = 0;
  const long long Start = clock64();
  for (int I = 0; I < Rounds; ++I)
    Last = firstOf(tex2D<T>(Image, X + Last, Y)) * 0.0f;
  if (threadIdx.x == 0)
    *Clocks = clock64() - Start;
  Out[threadIdx.x] = Last;
}

template <typename T> void measure(const char *Name, bool IsFiltered) {
  const cudaChannelFormatDesc Format = cudaCreateChannelDesc<T>();
  const std::vector<T> Zeros(Width * Height);
  cudaArray_t Plane;
  must(cudaMallocArray(&Plane, &Format, Width, Height));
  must(cudaMemcpy2DToArray(Plane, 0, 0, Zeros.data(), Width * sizeof(T),
                           Width * sizeof(T), Height, cudaMemcpyHostToDevice));
  T *Row;
  must(cudaMalloc(&Row, Zeros.size() * sizeof(T)));
  must(cudaMemset(Row, 0, Zeros.size() * sizeof(T)));
  cudaResourceDesc OfPlane = {}, OfRow = {};
  OfPlane.resType = cudaResourceTypeArray;
  OfPlane.res.array.array = Plane;
  OfRow.resType = cudaResourceTypeLinear;
  OfRow.res.linear.devPtr = Row;
  OfRow.res.linear.desc = Format;
  OfRow.res.linear.sizeInBytes = Zeros.size() * sizeof(T);
  cudaTextureDesc Filtered = {}, Plain = {};
  Filtered.filterMode = IsFiltered ? cudaFilterModeLinear : cudaFilterModePoint;
  cudaTextureObject_t Image, Line;
  must(cudaCreateTextureObject(&Image, &OfPlane, &Filtered, nullptr));
  must(cudaCreateTextureObject(&Line, &OfRow, &Plain, nullptr));
  float *Out;
  long long *Clocks;
  must(cudaMalloc(&Out, 1024 * Threads * sizeof(float)));
  must(cudaMallocManaged(&Clocks, sizeof(long long)));
  int Sms;
  must(cudaDeviceGetAttribute(&Sms, cudaDevAttrMultiProcessorCount, 0));
  const auto last = [&](auto Launch, double Fetches) {
    for (int Run = 0; Run < 3; ++Run) {
      Launch();
      must(cudaGetLastError());
      must(cudaDeviceSynchronize());
    }
    return *Clocks / Fetches;
  };
  const double All = double(Rounds) * AtOnce * Warps;
  const double OfPlanes =
      last([&] { plane<T><<<Sms, Threads>>>(Image, Out, Clocks); }, All);
  const double OfLines =
      last([&] { line<T><<<Sms, Threads>>>(Line, Out, Clocks); }, All);
  const double OfChains =
      last([&] { chain<T><<<1, 32>>>(Image, Out, Clocks); }, Rounds);
  std::printf("%s,%s,%.2f,%.2f,%.0f\n", Name, IsFiltered ? "linear" : "point",
              OfPlanes, OfLines, OfChains);
}

int main() {
  std::puts("type,filter,tex2D,tex1Dfetch,chain");
  measure<unsigned char>("uchar", false);
  measure<short2>("short2", false);
  measure<uchar4>("uchar4", false);
  measure<int>("int", false);
  for (const bool IsFiltered : {false, true}) {
    measure<float>("float", IsFiltered);
    measure<float2>("float2", IsFiltered);
    measure<float4>("float4", IsFiltered);
  }
}

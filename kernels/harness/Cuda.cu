//===- Cuda.cu - CUDA calls with their errors and buffers -----------------===//

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpwise::harness {

void check(cudaError_t E, std::source_location Place) {
  if (E == cudaSuccess)
    return;
  cudaGetLastError();
  std::string_view File = Place.file_name();
  File.remove_prefix(File.find_last_of('/') + 1);
  throw CudaFailure(fmt::format("{} ({}) at {}:{}", cudaGetErrorString(E),
                                cudaGetErrorName(E), File, Place.line()));
}

void finish(std::source_location Place) {
  check(cudaGetLastError(), Place);
  check(cudaDeviceSynchronize(), Place);
}

double milliseconds(const std::function<void()> &Launch) {
  struct Event {
    cudaEvent_t It;
    Event() { check(cudaEventCreate(&It)); }
    ~Event() { cudaEventDestroy(It); }
  } Begin, End;
  finish();
  check(cudaEventRecord(Begin.It));
  Launch();
  check(cudaGetLastError());
  check(cudaEventRecord(End.It));
  check(cudaEventSynchronize(End.It));
  float Time = 0;
  check(cudaEventElapsedTime(&Time, Begin.It, End.It));
  return Time;
}

static int attribute(cudaDeviceAttr Which, int Ordinal) {
  int Value = 0;
  return cudaDeviceGetAttribute(&Value, Which, Ordinal) == cudaSuccess ? Value
                                                                       : 0;
}

/// "GPU-" and 16 bytes in hexadecimal, as the driver's tools write them.
static std::string uuidText(const cudaUUID_t &Uuid) {
  std::string Text = "GPU";
  for (unsigned I = 0; I != sizeof Uuid.bytes; ++I) {
    const bool Begins = I == 0 || I == 4 || I == 6 || I == 8 || I == 10;
    Text += fmt::format("{}{:02x}", Begins ? "-" : "",
                        static_cast<unsigned char>(Uuid.bytes[I]));
  }
  return Text;
}

Device openDevice(int Ordinal) {
  int Count = 0;
  if (cudaError_t E = cudaGetDeviceCount(&Count); E != cudaSuccess) {
    cudaGetLastError();
    throw Skip(E == cudaErrorNoDevice
                   ? "no NVIDIA GPU was found"
                   : fmt::format("the CUDA driver does not answer: {}",
                                 cudaGetErrorString(E)));
  }
  if (Count == 0)
    throw Skip("no NVIDIA GPU was found");
  if (Ordinal < 0 || Ordinal >= Count)
    throw Skip(fmt::format("there is no GPU {}; there {} {}, counted from 0",
                           Ordinal, Count == 1 ? "is" : "are", Count));
  check(cudaSetDevice(Ordinal));
  check(cudaFree(nullptr)); // creates the context
  cudaDeviceProp Facts;
  check(cudaGetDeviceProperties(&Facts, Ordinal));
  Device D;
  D.Ordinal = Ordinal;
  D.Gpu = Facts.name;
  D.Uuid = uuidText(Facts.uuid);
  D.Major = Facts.major;
  D.Minor = Facts.minor;
  D.SmCount = Facts.multiProcessorCount;
  D.L2Bytes = Facts.l2CacheSize;
  D.SharedBytesPerSm = Facts.sharedMemPerMultiprocessor;
  D.SharedBytesPerBlock = Facts.sharedMemPerBlockOptin;
  D.ReservedSharedBytesPerBlock = Facts.reservedSharedMemPerBlock;
  size_t Free = 0, Total = 0;
  check(cudaMemGetInfo(&Free, &Total));
  D.MemoryBytes = Total;
  D.FreeBytes = Free;
  D.MemoryBusBits = Facts.memoryBusWidth;
  // CUDA 13 dropped the clocks from the properties; the attributes stayed.
  D.MemoryMhz = attribute(cudaDevAttrMemoryClockRate, Ordinal) / 1000.0;
  D.MaxClockMhz = attribute(cudaDevAttrClockRate, Ordinal) / 1000.0;
  int Version = 0;
  auto Text = [&] {
    return fmt::format("{}.{}", Version / 1000, Version % 1000 / 10);
  };
  check(cudaDriverGetVersion(&Version));
  D.Driver = Text();
  check(cudaRuntimeGetVersion(&Version));
  D.Runtime = Text();
  return D;
}

void preferCarveout(const void *Kernel, unsigned SharedPercent) {
  check(cudaFuncSetAttribute(Kernel,
                             cudaFuncAttributePreferredSharedMemoryCarveout,
                             int(SharedPercent)));
}

unsigned requestCarveout(const Device &D, const void *Kernel,
                         uint64_t Carveout) {
  const uint64_t Wanted = std::max<uint64_t>(Carveout, 2048);
  const auto Dynamic = unsigned(
      Wanted - std::min<uint64_t>(D.ReservedSharedBytesPerBlock, 1024));
  check(cudaFuncSetAttribute(
      Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(Dynamic)));
  // Rounded down: the driver takes the next size that it offers above the hint,
  // and a hint above 8 KiB would already be 16.
  preferCarveout(Kernel, unsigned(std::max<uint64_t>(
                             1, 100 * Wanted / D.SharedBytesPerSm)));
  return Dynamic;
}

namespace {

__global__ void overwrite(uint4 *Memory, size_t Count, unsigned Value) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x) {
    uint4 Old = Memory[I];
    Memory[I] = make_uint4(Old.x ^ Value, Old.y, Old.z, Old.w);
  }
}

__global__ void spin(uint64_t Nanoseconds, uint64_t *Clocks) {
  const uint64_t FromTime = globalNanoseconds();
  const uint64_t FromClock = clock64Now();
  uint64_t Time;
  do
    Time = globalNanoseconds();
  while (Time - FromTime < Nanoseconds);
  Clocks[0] = clock64Now() - FromClock;
  Clocks[1] = Time - FromTime;
}

} // namespace

void flushL2(const Device &D) {
  static Buffer<uint4> Memory;
  if (Memory.size() == 0) {
    Memory = Buffer<uint4>(std::max<uint64_t>(2 * D.L2Bytes, 16 << 20) /
                           sizeof(uint4));
    Memory.zero();
  }
  overwrite<<<D.SmCount * 4, 512>>>(Memory.get(), Memory.size(), 1);
  check(cudaGetLastError());
}

double warmUpClock() {
  Buffer<uint64_t> Clocks(2);
  auto Window = [&] {
    spin<<<1, 1>>>(5'000'000, Clocks.get());
    finish();
    const std::vector<uint64_t> Took = Clocks.download();
    return 1000.0 * double(Took[0]) / double(Took[1]);
  };
  double Last[3] = {0, 0, 0};
  for (unsigned Round = 0; Round != 60; ++Round) {
    Last[Round % 3] = Window();
    const auto [Least, Most] = std::minmax_element(Last, Last + 3);
    if (*Least > 0 && *Most - *Least <= 0.005 * *Most)
      return *std::max_element(Last, Last + 3);
  }
  return Last[0];
}

} // namespace warpwise::harness

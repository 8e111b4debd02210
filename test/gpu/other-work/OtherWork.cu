// Other work for a GPU, which a measurement has to notice: OtherWork KIND
// SECONDS, where KIND is
//   kernels   one kernel after the other, on all SMs
//   one       a single kernel for all the time
//   half      kernels for 10 ms, nothing for 10 ms
//   rare      kernels for 100 ms, nothing for 400 ms
//   to-gpu    copies from pinned memory of the host
//   from-gpu  copies to it
//   on-gpu    copies from memory of the GPU to memory of the GPU
// Says "busy" when it has begun.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

static double now() {
  const auto Since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(Since).count();
}

/// Reads and writes memory until \p Nanoseconds have passed.
__global__ void work(float *Data, size_t Count, long long Nanoseconds) {
  long long Begin, Now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Begin));
  size_t At = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    for (int I = 0; I < 64; ++I, At = (At + gridDim.x * blockDim.x) % Count)
      Data[At] = Data[At] * 0.5f + 1;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Now));
  } while (Now - Begin < Nanoseconds);
}

int main(int Count, char **Words) {
  if (Count != 3)
    return 2;
  const char *Kind = Words[1];
  const double Seconds = std::atof(Words[2]);
  constexpr size_t Bytes = size_t(256) << 20;
  float *Data, *Other, *Host;
  if (cudaMalloc(&Data, Bytes) || cudaMalloc(&Other, Bytes) ||
      cudaMallocHost(&Host, Bytes))
    return 1;
  const auto run = [&](double For) {
    work<<<4 * 132, 256>>>(Data, Bytes / 4, (long long)(For * 1e9));
    cudaDeviceSynchronize();
  };
  run(0.001);
  std::puts("busy");
  std::fflush(stdout);
  const double End = now() + Seconds;
  do {
    if (!std::strcmp(Kind, "kernels"))
      run(0.005);
    else if (!std::strcmp(Kind, "one"))
      run(Seconds);
    else if (!std::strcmp(Kind, "half")) {
      run(0.01);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    } else if (!std::strcmp(Kind, "rare")) {
      run(0.1);
      std::this_thread::sleep_for(std::chrono::milliseconds(400));
    } else if (!std::strcmp(Kind, "to-gpu"))
      cudaMemcpy(Data, Host, Bytes, cudaMemcpyHostToDevice);
    else if (!std::strcmp(Kind, "from-gpu"))
      cudaMemcpy(Host, Data, Bytes, cudaMemcpyDeviceToHost);
    else if (!std::strcmp(Kind, "on-gpu")) {
      cudaMemcpy(Other, Data, Bytes, cudaMemcpyDeviceToDevice);
      cudaDeviceSynchronize();
    } else
      return 2;
  } while (now() < End);
  return cudaDeviceSynchronize() ? 1 : 0;
}

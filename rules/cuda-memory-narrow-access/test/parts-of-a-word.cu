// Samples of four bytes, which each lane loads one by one or as a word.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Channels = 4096, Averaged = 32, Spectra = 128;

__device__ int power(int Xr, int Xi, int Yr, int Yi) {
  return Xr * Xr + Xi * Xi + Yr * Yi;
}

__global__ void before(const signed char *Voltage, int *Out) {
  const int Channel = blockIdx.x * blockDim.x + threadIdx.x;
  const signed char *Sample =
      Voltage + 4 * (blockIdx.y * Averaged * Channels + Channel);
  int Sum = 0;
  for (int T = 0; T < Averaged; ++T, Sample += 4 * Channels)
    // CHECK: [[@LINE+4]]{{.*}}: warning: 4 loads bring what each lane has side by side in 'Voltage', where one of 4 bytes would do; about 1.{{[1-4].*}}x faster {{.*}} when repaired [cuda-memory-narrow-access]
    // CHECK: note: each takes a place of its own among the loads under way until the line is there that all of them want
    // CHECK: note: the kernel takes about {{.*}} us, bound by loads under way
    // CHECK: note: load these 4 bytes of 'Voltage' as one vector where they are aligned to them
    Sum += power(Sample[0], Sample[1], Sample[2], Sample[3]);
  Out[blockIdx.y * Channels + Channel] = Sum;
}

__global__ void after(const char4 *Voltage, int *Out) {
  const int Channel = blockIdx.x * blockDim.x + threadIdx.x;
  const char4 *Sample = Voltage + blockIdx.y * Averaged * Channels + Channel;
  int Sum = 0;
  for (int T = 0; T < Averaged; ++T, Sample += Channels) {
    const char4 V = *Sample;
    Sum += power(V.x, V.y, V.z, V.w);
  }
  Out[blockIdx.y * Channels + Channel] = Sum;
}

// Of each sample two bytes are left out: no vector is wanted whole.
__global__ void halves(const signed char *Voltage, int *Out) {
  const int Channel = blockIdx.x * blockDim.x + threadIdx.x;
  const signed char *Sample =
      Voltage + 4 * (blockIdx.y * Averaged * Channels + Channel);
  int Sum = 0;
  for (int T = 0; T < Averaged; ++T, Sample += 4 * Channels)
    Sum += Sample[0] * Sample[2];
  Out[blockIdx.y * Channels + Channel] = Sum;
}

// A window that slides.
__global__ void blurred(const unsigned char *In, int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] + In[I + 1] + In[I + 2] + In[I + 3];
}

void launch(const signed char *Voltage, const unsigned char *In, int *Out) {
  before<<<dim3(Channels / 128, Spectra), 128>>>(Voltage, Out);
  after<<<dim3(Channels / 128, Spectra), 128>>>((const char4 *)Voltage, Out);
  halves<<<dim3(Channels / 128, Spectra), 128>>>(Voltage, Out);
  blurred<<<1 << 16, 256>>>(In, Out);
}
// CHECK: note: 1 warning in 4 kernels

// A loop of compare-and-swap that does what one atomic does: found for sums,
// bits and extremes, and not where no atomic does it, or the loop seldom swaps.
//
// RUN: %checkpriced --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 | FileCheck %s --implicit-check-not=warning:
//
// Before compute capability 6.0 there was no atomic addition of doubles.
// RUN: %checkpriced --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=tesla-k20c --explain-silence %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KEPLER
// KEPLER-NOT: until it has added
// KEPLER: until it has changed its bits

constexpr int N = 1 << 20;
__device__ double Sums[4096], Both[4096], Products[4096];
__device__ unsigned Bits[4096];
__device__ float Most[4096], Least[4096];
__device__ int Lock, Highest[4096];

__device__ void add(double *Sum, double Value) {
  auto *Word = reinterpret_cast<unsigned long long *>(Sum);
  unsigned long long Old = *Word, Assumed;
  do {
    Assumed = Old;
    // CHECK: [[@LINE+2]]:11: warning: a loop compares and swaps a word of '{{Sums|Both}}' until it has added to it, which one atomicAdd does; {{.*}}about {{[0-9]+}}.{{[0-9]+}}x faster
    // CHECK: note: call atomicAdd on '{{Sums|Both}}' in place of the loop
    Old = atomicCAS(Word, Assumed,
                    __double_as_longlong(__longlong_as_double(Assumed) + Value));
  } while (Old != Assumed);
}

__global__ void adds(const int *To, const double *In) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  add(Sums + To[I], In[I]);
  add(Both + To[I], -In[I]);
}

__global__ void sets(const int *To) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  unsigned *Word = Bits + To[I], Old = *Word, Assumed;
  do {
    Assumed = Old;
    // CHECK: [[@LINE+2]]:11: warning: a loop compares and swaps a word of 'Bits' until it has changed its bits, which one atomicOr, atomicAnd or atomicXor does
    // CHECK: note: call atomicOr, atomicAnd or atomicXor on 'Bits' in place of the loop
    Old = atomicCAS(Word, Assumed, Assumed | 1u << I % 32);
  } while (Old != Assumed);
}

__global__ void greatest(const int *To, const float *In) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float Value = In[I];
  int *Word = reinterpret_cast<int *>(Most + To[I]), Old = *Word, Assumed;
  do {
    Assumed = Old;
    // CHECK: [[@LINE+2]]:11: warning: a loop compares and swaps a word of 'Most' until the greater or the less of two numbers is there, which one atomicMax or atomicMin does
    // CHECK: note: take the bits of the numbers in 'Most' for integers
    Old = atomicCAS(Word, Assumed,
                    __float_as_int(fmaxf(Value, __int_as_float(Assumed))));
  } while (Old != Assumed);
}

// The bits of floats in an array of integers.
__global__ void greatestBits(const int *To, const float *In) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float Value = In[I];
  int *Word = Highest + To[I], Old = *Word, Assumed;
  do {
    Assumed = Old;
    // CHECK: [[@LINE+2]]:11: warning: a loop compares and swaps a word of 'Highest' until the greater or the less of two numbers is there
    // CHECK: note: call atomicMax or atomicMin on 'Highest' in place of the loop; if it holds the bits of floats, atomicMax of a signed one
    Old = atomicCAS(Word, Assumed,
                    __float_as_int(fmaxf(Value, __int_as_float(Assumed))));
  } while (Old != Assumed);
}

// It swaps only what it changes.
__global__ void leastAskedFirst(const int *To, const float *In) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float Value = In[I];
  int *Word = reinterpret_cast<int *>(Least + To[I]), Old = *Word;
  while (Value < __int_as_float(Old)) {
    const int Assumed = Old;
    Old = atomicCAS(Word, Assumed, __float_as_int(Value));
    if (Old == Assumed)
      break;
  }
}

__global__ void multiplies(const int *To, const double *In) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const double Value = In[I];
  auto *Word = reinterpret_cast<unsigned long long *>(Products + To[I]);
  unsigned long long Old = *Word, Assumed;
  do {
    Assumed = Old;
    Old = atomicCAS(
        Word, Assumed,
        __double_as_longlong(__longlong_as_double(Assumed) * Value));
  } while (Old != Assumed);
}

__global__ void subtractsFrom(const int *To, const double *In) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const double Value = In[I];
  auto *Word = reinterpret_cast<unsigned long long *>(Products + To[I]);
  unsigned long long Old = *Word, Assumed;
  do {
    Assumed = Old;
    Old = atomicCAS(
        Word, Assumed,
        __double_as_longlong(Value - __longlong_as_double(Assumed)));
  } while (Old != Assumed);
}

__global__ void locks(double *Out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&Lock, 0, 1) != 0)
      ;
    *Out += 1;
    atomicExch(&Lock, 0);
  }
}

__global__ void addsAtOnce(const int *To, const double *In) {
  const int I = blockIdx.x * 256 + threadIdx.x;
#if __CUDA_ARCH__ >= 600
  atomicAdd(Products + To[I], In[I]);
#endif
}

void launch(const int *To, const double *In, const float *Singles, double *Out) {
  adds<<<N / 256, 256>>>(To, In);
  sets<<<N / 256, 256>>>(To);
  greatest<<<N / 256, 256>>>(To, Singles);
  greatestBits<<<N / 256, 256>>>(To, Singles);
  leastAskedFirst<<<N / 256, 256>>>(To, Singles);
  multiplies<<<N / 256, 256>>>(To, In);
  subtractsFrom<<<N / 256, 256>>>(To, In);
  locks<<<N / 256, 256>>>(Out);
  addsAtOnce<<<N / 256, 256>>>(To, In);
}
// CHECK: note: 4 warnings in 9 kernels

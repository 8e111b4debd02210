// A table in constant memory that data index: by random ones nearly all lanes
// want words of their own. By the same one they all want one word.
//
// RUN: %checkpriced --checks='-*,cuda-memory-constant-nonuniform' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// RUN: %checkpriced --checks='-*,cuda-memory-constant-nonuniform' \
// RUN:   --profile=nvidia-h200 --buffer=Symbols=zeros,count=1048576 %s -- 2>&1 \
// RUN:   | FileCheck --check-prefix=SAME %s --implicit-check-not=warning:

constexpr int N = 1 << 20;
__constant__ unsigned Table[256];
__constant__ unsigned Two[2];

__constant__ float Rotations[16 * 9];

// Of 16 matrices lanes want 16 first numbers at most.
__global__ void rotate(const unsigned *Symbols, float *Out) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = Out[I];
  for (unsigned R = 0; R < 16; ++R)
    // CHECK: [[@LINE+1]]:12: warning: constant load differs between lanes: likely 14 words per request for random indices (ideal 1)
    Sum *= Rotations[9 * ((Symbols[I] + R) & 15)];
  // CHECK: note: an estimate, not exact: the address is computed from values loaded from memory; from 1 to 16 are possible
  Out[I] = Sum;
}

__global__ void before(const unsigned *Symbols, unsigned *Out) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Hash = Symbols[I];
  for (int R = 0; R < 16; ++R)
    // CHECK: [[@LINE+1]]:25: warning: constant load differs between lanes: likely 30 words per request for random indices (ideal 1), one pass each; about {{.*}}x faster
    Hash = Hash >> 8 ^ (Table[(Hash + R) & 255]);
  // CHECK: note: an estimate, not exact: the address is computed from values loaded from memory; from 1 to 32 are possible
  Out[I] = Hash;
}

__global__ void after(const unsigned *Symbols, unsigned *Out) {
  __shared__ unsigned Copy[256];
  Copy[threadIdx.x] = threadIdx.x * 2654435761u;
  __syncthreads();
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Hash = Symbols[I];
  for (int R = 0; R < 16; ++R)
    Hash = Hash >> 8 ^ Copy[(Hash + R) & 255];
  Out[I] = Hash;
}

// Two words are two passes at most, which nobody waits for here.
__global__ void small(const unsigned *Symbols, unsigned *Out) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Two[Symbols[I] & 1];
}

__constant__ unsigned Four[4];

// Of four the lanes may want whichever: codes are mostly alike.
__global__ void codes(const unsigned *Symbols, unsigned *Out) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Hash = Symbols[I];
  for (int R = 0; R < 16; ++R)
    Hash = Hash >> 8 ^ Four[(Hash + R) & 3];
  Out[I] = Hash;
}

void launch(const unsigned *Symbols, unsigned *Out) {
  before<<<N / 256, 256>>>(Symbols, Out);
  after<<<N / 256, 256>>>(Symbols, Out);
  small<<<N / 256, 256>>>(Symbols, Out);
  codes<<<N / 256, 256>>>(Symbols, Out);
  rotate<<<N / 256, 256>>>(Symbols, reinterpret_cast<float *>(Out));
}
// SAME: 0 warnings in 5 kernels

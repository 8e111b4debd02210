// A state that is loaded, changed and stored in each round, by functions of
// its own; and a row whose other elements are wanted, too.
//
// RUN: %checkpriced --checks='-*,cuda-memory-redundant-round-trip' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Tracks = 1 << 16, Steps = 64;

struct State {
  float Place, Speed;
};

__device__ State load(const float *From, int I) {
  return {From[I], From[Tracks + I]};
}

__device__ void store(float *To, int I, const State &S) {
  To[I] = S.Place;
  // CHECK: [[@LINE-1]]:9: warning: 'States' is stored in each round of a loop: 64 stores to the same addresses where one would do; about {{.*}}x faster
  // CHECK: note: the compiler has to store it each time: what is loaded from 'Measured' may be the same memory
  // CHECK: note: {{.*}}the same at [[@LINE+1]]:18
  To[Tracks + I] = S.Speed;
}

__device__ void update(State &S, float Measured) {
  S.Place += 0.1f * S.Speed;
  S.Speed += 0.5f * (Measured - S.Place);
}

__global__ void before(const float *Measured, float *States) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int S = 0; S < Steps; ++S) {
    State Mine = load(States, I);
    update(Mine, Measured[S * Tracks + I]);
    store(States, I, Mine);
  }
}

__global__ void after(const float *Measured, float *States) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  State Mine = load(States, I);
  for (int S = 0; S < Steps; ++S)
    update(Mine, Measured[S * Tracks + I]);
  store(States, I, Mine);
}

// What one thread has stored another one loads.
__global__ void chain(const float *Measured, float *Row) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int S = 0; S < Steps; ++S) {
    const float Other = Row[Tracks + S];
    Row[I] = Other + Measured[S * Tracks + I];
  }
}

void launch(const float *Measured, float *States) {
  before<<<Tracks / 256, 256>>>(Measured, States);
  after<<<Tracks / 256, 256>>>(Measured, States);
  chain<<<Tracks / 256, 256>>>(Measured, States);
}

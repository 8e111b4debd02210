// Each round stores to another plane, however large the planes are: a product
// of made-up sizes that 32 bits do not hold is no sign of one address.
//
// RUN: %checkpriced --checks='-*,cuda-memory-redundant-round-trip' %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel

__global__ void scale(float *To, const float *From, int Side, int Images,
                      float By) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Plane = Side * Side;
  for (int C = 0; C < 4; ++C)
    To[C * Plane * Images + I] =
        By * To[C * Plane * Images + I] + From[C * Plane * Images + I];
}

void run(float *To, const float *From, int Side, int Images) {
  scale<<<Images, 128>>>(To, From, Side, Images, 2);
}

// What data scatter no other layout brings together, also where --buffer says
// what the data are: their order is for the gather rule to speak of.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --buffer=Place=random,count=1048576,below=16646144 \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 20, Width = 512;

__global__ void interpolate(const float2 *__restrict__ Grid,
                            const unsigned *__restrict__ Place,
                            float *__restrict__ Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const unsigned P = Place[I];
  float Sum = 0;
  for (int Row = 0; Row < 4; ++Row)
    for (int Column = 0; Column < 4; ++Column)
      Sum += Grid[((P >> 6) + Row * Width + Column) % (Width * Width)].x;
  Out[I] = Sum;
}

void launch(const float2 *Grid, const unsigned *Place, float *Out) {
  interpolate<<<N / 256, 256>>>(Grid, Place, Out);
}

// CHECK: note: 0 warnings in 1 kernel, 3 of 3 accesses judged

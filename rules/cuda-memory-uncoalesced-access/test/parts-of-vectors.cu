// One part of a vector, which is stored alone: whoever loads the vector as a
// whole would load its parts one by one if they lay apart.
//
// RUN: %checkpriced --min-gain=0 --profile=nvidia-h200 \
// RUN:   --checks='-*,cuda-memory-uncoalesced-access' %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 22;

__global__ void mark(float4 *__restrict__ Box, const float4 *__restrict__ Size,
                     const int *__restrict__ First) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float4 S = Size[I];
  Box[I] = make_float4(S.x * 2, S.y * 2, S.z * 2, 0);
  const int F = First[I];
  // CHECK: [[@LINE+3]]:14: warning: global store is uncoalesced: at least 16 sectors per request (ideal 4)
  // CHECK: note: store the 16 bytes of each lane as one vector where the rest of it is at hand, or keep what is stored of 'Box' in an array of its own
  if (F > 0)
    Box[I].w = __int_as_float(F);
  else
    Box[I].w = __int_as_float(First[I + N]);
}

void launch(float4 *Box, const int *First) {
  mark<<<N / 256, 256>>>(Box, Box + N, First);
}

// CHECK: note: 1 warning in 1 kernel

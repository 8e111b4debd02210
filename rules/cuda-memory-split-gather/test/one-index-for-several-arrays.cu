// Neighbours whose coordinates lie in three arrays, in packed structs of twelve
// bytes, and in aligned ones of sixteen.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-split-gather' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Points = 1 << 22;

struct Packed {
  float X, Y, Z;
};

struct alignas(16) Aligned {
  float X, Y, Z;
};

__global__ void three(const int *Neighbour, const float *X, const float *Y,
                      const float *Z, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int J = Neighbour[I];
// CHECK: [[@LINE+4]]:{{[0-9]+}}: warning: one index leads to 'X', 'Y' and 'Z': 3 global loads where one would do; about {{[23]\..*}}x faster {{.*}} when repaired [cuda-memory-split-gather]
// CHECK: note: where data lead each lane elsewhere each takes 32 sectors, and uses 4 bytes of each
// CHECK: note: keep what one index selects side by side, in an array of structs of 16 bytes that are aligned to as many
//
  Out[I] = X[J] * Y[J] + Z[J] - X[I];
}

__global__ void packed(const int *Neighbour, const Packed *P, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Packed &At = P[Neighbour[I]];
// CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: one index leads to 3 members in 'P': 3 global loads where one would do; about {{1\..*}}x faster {{.*}} when repaired [cuda-memory-split-gather]
// CHECK: note: align the elements of 'P' to 16 bytes, and load a whole one at a time
//
  Out[I] = At.X * At.Y + At.Z - P[I].X;
}

__global__ void aligned(const int *Neighbour, const Aligned *P, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Aligned &At = P[Neighbour[I]];
  Out[I] = At.X * At.Y + At.Z;
}

// Of how many kinds there are properties nobody says: likely of a few, which L1
// holds.
__global__ void ofKinds(const int *Kind, const float *Mass, const float *Charge,
                        const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] * Mass[Kind[I]] + Charge[Kind[I]];
}

__global__ void stored(const int *Where, const float *In, float *X, float *Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int J = Where[I];
  const float Value = In[I];
// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: one index leads to 'X' and 'Y': 2 global stores
  X[J] = Value;
  Y[J] = Value * Value;
}

void launch(const int *Index, const float *In, float *Out) {
  three<<<Points / 256, 256>>>(Index, In, In + Points, In + 2 * Points, Out);
  packed<<<Points / 256, 256>>>(Index, (const Packed *)In, Out);
  aligned<<<Points / 256, 256>>>(Index, (const Aligned *)In, Out);
  ofKinds<<<Points / 256, 256>>>(Index, Out + Points, Out + 2 * Points, In, Out);
  stored<<<Points / 256, 256>>>(Index, In, Out, Out + Points);
}
// CHECK: note: 3 warnings in 5 kernels

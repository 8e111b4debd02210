// Arrays of eight in a record of each thread, at places that data decide.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Books = 1 << 17, Messages = 64, Depth = 8;

struct Book {
  int Price[Depth], Size[Depth], Levels;
};

__global__ void before(const unsigned *Feed, int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+2]]{{.*}}: warning: private array 'B' stays in local memory{{.*}}, because index '{{.*}}' is not a constant; about {{.*}}x faster {{.*}} when repaired [cuda-memory-local-array]
  // CHECK: note: let loops go over all 8 elements of the arrays in 'B' and compare their index with the one that is wanted, so that registers hold them
  Book B = {};
  for (int M = 0; M < Messages; ++M) {
    const unsigned Message = Feed[M * Books + I];
    const int At = Message >> 29;
    B.Price[At] = Message;
    B.Size[At] += Message & 3;
    B.Levels = max(B.Levels, At);
  }
  Out[I] = B.Price[B.Levels] + B.Size[B.Levels];
}

// Sixty-four are too many to be compared with.
struct Long {
  int Price[64], Levels;
};

__global__ void deep(const unsigned *Feed, int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Long B = {};
  for (int M = 0; M < Messages; ++M) {
    const unsigned Message = Feed[M * Books + I];
    B.Price[Message >> 26] += Message;
    B.Levels = max(B.Levels, int(Message >> 26));
  }
  Out[I] = B.Price[B.Levels];
}

void launch(const unsigned *Feed, int *Out) {
  before<<<Books / 128, 128>>>(Feed, Out);
  deep<<<Books / 128, 128>>>(Feed, Out);
}
// CHECK: note: 1 warning in 2 kernels

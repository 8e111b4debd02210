// With likely numbers for what is not known two lanes take part, though all may:
// what random indices cost is said of all.
//
// RUN: %warpwise accesses --cuda-path=none --profile=nvidia-h200 %s -- | FileCheck %s

__device__ unsigned Table[256];

__global__ void marks(const unsigned char *Data, int Chunk, int Count,
                      unsigned *Out) {
  const int First = threadIdx.x * Chunk;
  // CHECK: "object": "Table"
  // CHECK: "proof": "data-dependent",
  // CHECK: "active_lanes": 32,
  // CHECK-NEXT: "sectors": 20.4{{.*}},
  if (First < Count)
    Out[threadIdx.x] = Table[Data[First]];
}

void launch(const unsigned char *Data, int Chunk, int Count, unsigned *Out) {
  marks<<<1, 256>>>(Data, Chunk, Count, Out);
}

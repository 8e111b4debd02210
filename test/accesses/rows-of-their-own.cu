// Data says which row a lane goes to, and the bank is known all the same.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

// A histogram for each thread: no conflict whatever the bins are.
// CHECK-LABEL: "name": "ofEachThread(unsigned int const*, unsigned int*)"
// CHECK: "object": "Counts"
// CHECK: "object": "Counts"
// CHECK: "proof": "exact"
// CHECK: "wavefronts": 1,
__global__ void ofEachThread(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Counts[64 * 128];
  for (int I = 0; I < 64; ++I)
    Counts[I * 128 + threadIdx.x] = 0;
  for (int I = 0; I < 50; ++I)
    Counts[(In[I * 128 + threadIdx.x] & 63) * 128 + threadIdx.x] += 1;
  Out[threadIdx.x] = Counts[threadIdx.x];
}

// Rows of 16 words: two lanes may want the same bank.
// CHECK-LABEL: "name": "halfARow(unsigned int const*, unsigned int*)"
// CHECK: "op": "load"
// CHECK: "object": "Table"
// CHECK: "proof": "bounded"
// CHECK: "low": 1,
// CHECK-NEXT: "high": 2
__global__ void halfARow(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Table[64 * 16];
  Table[threadIdx.x] = threadIdx.x;
  __syncthreads();
  Out[threadIdx.x] = Table[(In[threadIdx.x] & 63) * 16 + threadIdx.x % 16];
}

// The index is the bank: that is up to the data.
// CHECK-LABEL: "name": "ofAll(unsigned int const*, unsigned int*)"
// CHECK: "op": "load"
// CHECK: "object": "Shared"
// CHECK: "proof": "data-dependent"
__global__ void ofAll(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Shared[256];
  Shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  Out[threadIdx.x] = Shared[In[threadIdx.x] & 255];
}

int main() {
  unsigned *In, *Out;
  cudaMalloc(&In, 1 << 20);
  cudaMalloc(&Out, 1 << 20);
  ofEachThread<<<8, 128>>>(In, Out);
  halfARow<<<8, 256>>>(In, Out);
  ofAll<<<8, 256>>>(In, Out);
}

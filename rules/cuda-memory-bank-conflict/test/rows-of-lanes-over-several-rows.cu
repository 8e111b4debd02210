// A row of lanes is eight rows of the array from the next: it is those that
// have to become longer, by an eighth.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-bank-conflict' --min-gain=0 \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s
// CHECK: warning: shared load is a 2-way bank conflict
// CHECK: note: in the costliest request of 'Tile', rows of 16 lanes, side by side in a row, 1024 bytes from row to row
// CHECK: pad the rows of 'Tile', to 136 bytes from one to the next, so that the 2 rows of a warp use different banks

void __syncthreads();

__global__ void sum(const float *In, float *Out) {
  __shared__ float Tile[128][32];
  const int Thread = threadIdx.y * 16 + threadIdx.x;
  for (int I = Thread; I < 128 * 32; I += 256)
    Tile[I / 32][I % 32] = In[I];
  __syncthreads();
  float Sum = 0;
  for (int Row = 0; Row < 8; ++Row)
    for (int Column = 0; Column < 16; ++Column)
      Sum += Tile[8 * threadIdx.y + Row][threadIdx.x + Column];
  Out[blockIdx.x * 256 + Thread] = Sum;
}

void run(const float *In, float *Out) {
  sum<<<1000, dim3(16, 16)>>>(In, Out);
}

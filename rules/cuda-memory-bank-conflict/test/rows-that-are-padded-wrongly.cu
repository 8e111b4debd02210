// What moves rows of floats apart moves rows of doubles onto each other, and
// where all lanes read one row no distance of rows helps.
//
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 | FileCheck %s

__global__ void doubles(const double *In, double *Out) {
  __shared__ double Tile[8][8 + 1];
  // CHECK: [[@LINE+2]]{{.*}}: warning: shared store is a 2-way bank conflict: 4 wavefronts per request (ideal 2)
  // CHECK: note: {{.*}}leave out what pads the rows of 'Tile': 64 bytes from one to the next, not 72, so that the 4 rows of a warp use different banks
  Tile[threadIdx.y][threadIdx.x] = In[blockIdx.x * 64 + threadIdx.y * 8 + threadIdx.x];
  __syncthreads();
  Out[blockIdx.x * 64 + threadIdx.y * 8 + threadIdx.x] = Tile[7 - threadIdx.y][0];
}

// Rows of 8 floats, 2 words over 32.
__global__ void floats(const float *In, float *Out) {
  __shared__ float Tile[32][34];
  // CHECK: [[@LINE+2]]{{.*}}: warning: shared store is a {{.*}}bank conflict
  // CHECK: note: {{.*}}pad the rows of 'Tile', to 160 bytes from one to the next, so that the 4 rows of a warp use different banks
  Tile[threadIdx.y][threadIdx.x] = In[blockIdx.x * 64 + threadIdx.y * 8 + threadIdx.x];
  __syncthreads();
  Out[blockIdx.x * 64 + threadIdx.y * 8 + threadIdx.x] = Tile[7 - threadIdx.y][0];
}

// Both halves of a warp read one row, in steps of eight floats.
__global__ void columns(const float *In, float *Out) {
  __shared__ float Tile[8 * 133];
  for (int I = threadIdx.x; I < 8 * 133; I += 256)
    Tile[I] = In[I];
  __syncthreads();
  float Sum = 0;
  for (int Row = 0; Row < 8; ++Row)
    // CHECK: [[@LINE+2]]{{.*}}: warning: shared load is a {{.*}}bank conflict
    // CHECK: note: let neighbouring lanes use neighbouring elements of 'Tile'
    Sum += Tile[Row * 133 + threadIdx.x % 16 * 8];
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

void launch(const double *D, double *E, const float *In, float *Out) {
  doubles<<<4096, dim3(8, 8)>>>(D, E);
  floats<<<4096, dim3(8, 32)>>>(In, Out);
  columns<<<4096, 256>>>(In, Out);
}

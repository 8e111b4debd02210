// What data choose within a row that the whole warp has in common, or between
// two words side by side, lies close together, however large the table is.
//
// RUN: %warpwise accesses --gpu=nvidia-h200 --quiet %s | FileCheck %s

__constant__ short Rows[1024][5];

struct Stump {
  float Threshold, Below, Above, Unused;
};
__constant__ Stump Stumps[512];

// Likely only: kernels walk past the end of a row into the next.
__global__ void rowOfBlock(const int *In, int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[@LINE+4]],
  // CHECK: "column": 12,
  // CHECK: "words": 4.99
  // CHECK: "high": 32{{$}}
  Out[I] = Rows[blockIdx.x][In[I]];
}

__global__ void eitherOfTwo(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
  float Sum = 0;
  for (int S = 0; S < 512; ++S)
    // CHECK: "line": [[@LINE+3]],
    // CHECK: "column": 12,
    // CHECK: "high": 2{{$}}
    Sum += X < Stumps[S].Threshold ? Stumps[S].Below : Stumps[S].Above;
  Out[I] = Sum;
}

__global__ void sixteenOfBlock(const int *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[@LINE+4]],
  // CHECK: "column": 12,
  // CHECK: "sectors": 1.99
  // CHECK: "high": 3{{$}}
  Out[I] = Table[blockIdx.x * 16 + (In[I] & 15)];
}

// Of each lane's own.
__global__ void rowOfLane(const int *In, int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[@LINE+3]],
  // CHECK: "column": 12,
  // CHECK: "high": 32{{$}}
  Out[I] = Rows[threadIdx.x][In[I]];
}

// One step down with a sign, all of 32 bits without.
__global__ void lastOfAll(const int *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[@LINE+3]],
  // CHECK: "column": 12,
  // CHECK: "high": 32{{$}}
  Out[I] = Table[unsigned(In[I] >> 31)];
}

void launch(const int *In, int *Out, const float *Floats, float *Sums) {
  rowOfBlock<<<1024, 128>>>(In, Out);
  eitherOfTwo<<<1024, 128>>>(Floats, Sums);
  sixteenOfBlock<<<1024, 128>>>(In, Floats, Sums);
  rowOfLane<<<8, 128>>>(In, Out);
  lastOfAll<<<1024, 128>>>(In, Floats, Sums);
}

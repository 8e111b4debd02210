// A grid of which one block in thirty has something to do, the first ones: a sample of
// blocks would hardly meet any but the first.
//
// RUN: %warpwise accesses --quiet %s | FileCheck %s

constexpr int Count = 1000000;

// 31,250 warps of 1,000,000 threads load and store once.
// CHECK: "name": "alongX(
// CHECK: "memory": 62500,
__global__ void alongX(float *Out, const float *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = In[I] * 2;
}

// 32 warps in each of 1,000 rows.
// CHECK: "name": "alongBoth(
// CHECK: "memory": 64000,
__global__ void alongBoth(float *Out, const float *In) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X < 1000 && Y < 1000)
    Out[Y * 1000 + X] = In[Y * 1000 + X] * 2;
}

// Below the diagonal each row ends elsewhere: sampled as ever, of 66,048.
// CHECK: "name": "triangle(
// CHECK: "memory": 6{{[0-9][0-9][0-9][0-9]}}{{[.,]}}
__global__ void triangle(float *Out, const float *In) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x <= blockIdx.y)
    Out[blockIdx.y * 4096 + X] = In[blockIdx.y * 4096 + X] * 2;
}

// Nor does every other block say where the last one is.
// CHECK: "name": "everyOther(
// CHECK: "memory": 6{{[0-9][0-9][0-9][0-9]}}{{[.,]}}
__global__ void everyOther(float *Out, const float *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x % 2 == 0)
    Out[I] = In[I] * 2;
}

// Nor the first row.
// CHECK: "name": "halfOfTriangle(
// CHECK: "memory": 3{{[0-9][0-9][0-9][0-9]}}{{[.,]}}
__global__ void halfOfTriangle(float *Out, const float *In) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x <= blockIdx.y / 2)
    Out[blockIdx.y * 4096 + X] = In[blockIdx.y * 4096 + X] * 2;
}

// One block in fifty, again and again, and none of the last ones.
// CHECK: "name": "banded(
// CHECK: "memory": {{[5-7][0-9][0-9][0-9]}}{{[.,]}}
__global__ void banded(float *Out, const float *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x % 5000 <= 100)
    Out[I] = In[I] * 2;
}

// The triangle with blocks that are too many.
// CHECK: "name": "paddedTriangle(
// CHECK: "memory": {{[12][0-9][0-9][0-9][0-9][0-9][0-9]}}{{[.,]}}
__global__ void paddedTriangle(float *Out, const float *In) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X <= Y && Y < 8192)
    Out[Y * 8192 + X] = In[Y * 8192 + X] * 2;
}

int main() {
  alongX<<<117188, 256>>>(nullptr, nullptr);
  alongBoth<<<dim3(400, 900), dim3(32, 8)>>>(nullptr, nullptr);
  triangle<<<dim3(128, 128), 128>>>(nullptr, nullptr);
  everyOther<<<16384, 128>>>(nullptr, nullptr);
  banded<<<20000, 256>>>(nullptr, nullptr);
  paddedTriangle<<<dim3(1025, 1025), dim3(32, 8)>>>(nullptr, nullptr);
  halfOfTriangle<<<dim3(128, 128), 128>>>(nullptr, nullptr);
}

// Only the first block passes the guard: the way into the second branch, which
// the data decide, has to be looked for there.

__global__ void branches(const float *In, float *Out, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count) {
    if (In[I] < In[I + 64])
      Out[I] = 1;
    else
      Out[I * 2] = 2;
  }
}

int main() {
  float *In, *Out;
  cudaMalloc(&In, 4096);
  cudaMalloc(&Out, 4096);
  branches<<<2, 64>>>(In, Out, 20);
}

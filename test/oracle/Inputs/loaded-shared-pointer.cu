// A pointer to shared memory that goes through a private array.

__global__ void doubleBuffered(const float *In, float *Out) {
  __shared__ float First[64], Second[64];
  float *Buffers[2] = {First, Second};
  int T = threadIdx.x;
  First[T] = In[T];
  __syncthreads();
  for (int I = 0; I < 5; ++I) {
    Buffers[~I & 1][T] = Buffers[I & 1][T ^ 1];
    __syncthreads();
  }
  Out[T] = Second[T];
}

int main() {
  float *In, *Out;
  cudaMalloc(&In, 4096);
  cudaMalloc(&Out, 4096);
  doubleBuffered<<<1, 64>>>(In, Out);
}

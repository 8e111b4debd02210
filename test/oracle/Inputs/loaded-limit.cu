// The limit of a guard is loaded, the same for all lanes: how many of them take
// part is not known, and what full warps would cost is no more than likely.

__global__ void guard(const int *Limit, const float *In, float *Out) {
  int T = threadIdx.x;
  if (T <= Limit[0])
    Out[T] = In[T];
}

int main() {
  int *Limit;
  float *In, *Out;
  cudaMalloc(&Limit, 4);
  cudaMalloc(&In, 4096);
  cudaMalloc(&Out, 4096);
  guard<<<1, 64>>>(Limit, In, Out);
}

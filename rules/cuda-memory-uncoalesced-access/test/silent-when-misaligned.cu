// One sector more at the end of a warp, which the next warp needs anyway. With
// several pitches that are not known nobody can say whether there is one.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 2 kernels, 8 of 8 accesses judged

__global__ void shift(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x + 1];
}

__global__ void interleave(short *Out, const short *A, const short *B,
                           const short *C, int N, int Rows, int Heads,
                           int Width) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N * Heads * Rows * Width)
    return;
  int Image = I / (Heads * Rows * Width), Rest = I % (Heads * Rows * Width);
  int Head = Rest / (Rows * Width);
  Rest = Rest % (Rows * Width);
  int Row = Rest / Width, Column = Rest % Width;
  int To = Image * Rows * 3 * Heads * Width + Row * 3 * Heads * Width +
           Head * Width + Column;
  Out[To] = A[I];
  Out[To + Heads * Width] = B[I];
  Out[To + 2 * (Heads * Width)] = C[I];
}

void launch(float *Out, const float *In, short *S, int N, int Rows, int Heads,
            int Width) {
  shift<<<1, 256>>>(Out, In);
  interleave<<<N, 256>>>(S, S, S, S, N, Rows, Heads, Width);
}

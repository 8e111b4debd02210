// Interleaved complex numbers: the second load takes what the first one left. So
// do the members of a record, of which array it may be.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 2 kernels, 10 of 10 accesses judged

__global__ void magnitude(float *Out, const float *In) {
  int I = threadIdx.x;
  float Real = In[2 * I];
  float Imaginary = In[2 * I + 1];
  Out[I] = Real * Real + Imaginary * Imaginary;
}

__global__ void trace(float *Out, const float *Given, const float *Made,
                      int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const float *C = Given ? Given + I * 6 : Made + I * 6;
  Out[I] = C[0] * C[3] + C[1] * C[4] + C[2] * C[5];
}

void launch(float *Out, const float *In, const float *Made, int N) {
  magnitude<<<1, 256>>>(Out, In);
  trace<<<(N + 255) / 256, 256>>>(Out, In, Made, N);
}

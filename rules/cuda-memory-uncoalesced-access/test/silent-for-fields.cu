// For nvcc a store to one field changes no other field of such a record: both
// halves of a complex number are one load and one store. It knows nothing of
// the kind of floats.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void scaled(double2 *Out, const double2 *In, const double *By) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double V = By[I];
  Out[I].x = In[I].x / V;
  Out[I].y = In[I].y / V;
}

__global__ void fromFloats(float2 *Out, const float *In) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I].x = In[2 * I] * 2;
  // CHECK: [[@LINE-1]]:12: warning: global store is uncoalesced: {{.*}}8 sectors per request (ideal 4)
  Out[I].y = In[2 * I + 1] * 2;
}

void launch(double2 *Out, const double2 *In, const double *By, float2 *Others,
            const float *Floats) {
  scaled<<<64, 256>>>(Out, In, By);
  fromFloats<<<64, 256>>>(Others, Floats);
}

// As many elements as likely numbers come to are too few for the threads of a
// launch that is known: what lanes do is taken from one that has enough.
//
// RUN: %warpwise accesses --quiet --profile=nvidia-h200 %s -- | FileCheck %s

__global__ void chunks(unsigned long Count, const float *In, float *Out) {
  const unsigned long Threads = gridDim.x * blockDim.x,
                      Thread = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (unsigned long I = Thread * Count / Threads;
       I < (Thread + 1) * Count / Threads; ++I)
    // CHECK: "object": "In"
    // CHECK: "proof": "estimated",
    // CHECK: "active_lanes": 32,
    Sum += In[I];
  Out[Thread] = Sum;
}

void launch(unsigned long Count, const float *In, float *Out) {
  chunks<<<4096, 256>>>(Count, In, Out);
}

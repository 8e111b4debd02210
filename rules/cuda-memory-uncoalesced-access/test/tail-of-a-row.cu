// The last elements of a row, which do not make a whole group, are for a lane of a
// few blocks: also where the length of the row comes from a list of images.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Size {
  int Width, Height;
};

__global__ void sumsOfFour(const float *In, float *Out, const Size *Sizes,
                           int Pitch) {
  const int X = (blockIdx.x * blockDim.x + threadIdx.x) * 4, Y = blockIdx.y;
  const int Width = Sizes[blockIdx.z].Width;
  float Sum = 0;
  if (X + 4 <= Width)
    for (int I = 0; I < 4; ++I)
      Sum += In[Y * Pitch + X + I];
  else if (X < Width)
    for (int I = X; I < Width; ++I)
      // CHECK: [[@LINE+1]]:14: warning: global load is uncoalesced: {{.*}} hardly faster
      Sum += In[Y * Pitch + I];
  Out[(Y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = Sum;
}

void run(const float *In, float *Out, const Size *Sizes, int Width, int Height,
         int Count, int Pitch) {
  sumsOfFour<<<dim3(Width / 128, Height, Count), 32>>>(In, Out, Sizes, Pitch);
}

// What only the border of a picture of unknown size does counts for little,
// however badly it does it. The same of all of the picture counts.
//
// RUN: %checkpriced --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void border(float *Out, const float *In, int Width, int Height) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (Y < 1 || Y >= Height - 1) {
    for (int I = 0; I < 4; ++I)
      Out[(Y * Width + X) * 4 + I] = 0;
    return;
  }
  Out[Y * Width + X] = In[Y * Width + X];
}

__global__ void wherever(float *Out, const float *In, int Width, int Wanted) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (Wanted < 1) {
    for (int I = 0; I < 4; ++I)
      // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global store is uncoalesced: {{.*}} if the grid fills the GPU about
      Out[(Y * Width + X) * 4 + I] = 0;
    return;
  }
  Out[Y * Width + X] = In[Y * Width + X];
}

void launch(float *Out, const float *In, int Width, int Height) {
  const dim3 Block(32, 8), Grid(Width / 32, Height / 8);
  border<<<Grid, Block>>>(Out, In, Width, Height);
  wherever<<<Grid, Block>>>(Out, In, Width, Height);
}

// Four sides in a row, and what is done inside as well as outside before them.
struct Level {
  unsigned Width, Height, Pitch;
};

__global__ void frame(float *Out, float *Marked, const float *In, Level L) {
  const unsigned X = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= L.Width || Y >= L.Height)
    return;
  const bool IsEdge =
      (X == 0 || Y == 0) || (X >= L.Width - 2 || Y >= L.Height - 2);
  const float Value = In[Y * L.Pitch + X];
  Out[Y * L.Pitch + X] = Value;
  if (IsEdge)
    Marked[2 * (Y * L.Pitch + X)] = Value;
}

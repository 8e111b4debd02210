// A radius that nobody knows is a small number: a window of "-R" to "R" around
// each result does not begin at the edge of the picture for all lanes alike.
//
// RUN: %warpwise check --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void blur(const float *__restrict__ In, float *__restrict__ Out,
                     int Width, int Height, int R) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y,
            Z = blockIdx.z;
  if (X >= Width || Y >= Height)
    return;
  float Sum = 0;
  for (int DX = max(-R, -X); DX <= min(R, Width - X - 1); ++DX)
    for (int DY = max(-R, -Y); DY <= min(R, Height - Y - 1); ++DY)
      // CHECK: [[@LINE+1]]:14: warning: a thread makes loads from global memory in a loop for one result, and the next lane makes most of them again, as here of 'In'
      Sum += In[(Z * Height + Y + DY) * Width + X + DX];
  Out[(Z * Height + Y) * Width + X] = Sum;
}

void launch(const float *In, float *Out, int Width, int Height, int Depth,
            int R) {
  blur<<<dim3((Width + 31) / 32, Height, Depth), 32>>>(In, Out, Width, Height,
                                                       R);
}

// CHECK: note: 1 warning in 1 kernel

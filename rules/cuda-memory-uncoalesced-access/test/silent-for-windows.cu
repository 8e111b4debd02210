// How far the windows of a convolution or of a pooling are apart is an argument,
// and a few elements: the kernel keeps them within a row, whose pitch is another
// argument. Rows of a matrix at a pitch that is an argument do lie far apart,
// whatever else is added to them; and a step that is given says how far.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void pools(const float *In, float *Out, int Height, int Width,
                      int OutHeight, int OutWidth, int Size, int Step,
                      int Padding, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const int X = I % OutWidth, Y = I / OutWidth;
  const int Top = Y * Step - Padding, Left = X * Step - Padding;
  float Sum = 0;
  for (int R = max(0, Top); R < min(Height, Top + Size); ++R)
    for (int C = max(0, Left); C < min(Width, Left + Size); ++C)
      Sum += In[R * Width + C];
  Out[Y * OutWidth + X] = Sum;
}

__global__ void convolves(const float *In, float *Out, int Height, int Width,
                          int OutWidth, int Size, int Step, int Padding) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y;
  if (X >= OutWidth)
    return;
  float Sum = 0;
  for (int R = 0; R < Size; ++R)
    for (int C = 0; C < Size; ++C) {
      const int InX = X * Step + C - Padding, InY = Y * Step + R - Padding;
      if (InX >= 0 && InX < Width && InY >= 0 && InY < Height)
        Sum += In[InY * Width + InX];
    }
  Out[Y * OutWidth + X] = Sum;
}

__global__ void convolvesGiven(const float *In, float *Out, int Height,
                               int Width, int OutWidth, int Step) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y;
  if (X >= OutWidth)
    return;
  float Sum = 0;
  for (int R = 0; R < Height; ++R) {
    const int InX = X * Step;
    if (InX < Width)
      Sum += In[R * Width + InX];
    // CHECK: [[@LINE-1]]:{{[0-9]+}}: warning: global load is uncoalesced: {{.*}}32 sectors
  }
  Out[Y * OutWidth + X] = Sum;
}

__global__ void addsRows(const float *In, float *Out, int Count, int Length,
                         int Pitch, int Matrix) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  float Sum = 0;
  for (int X = 0; X < Length; ++X)
    Sum += In[blockIdx.y * Matrix + I * Pitch + X];
  // CHECK: [[@LINE-1]]:{{[0-9]+}}: warning: global load is uncoalesced
  Out[I] = Sum;
}

void launch(const float *In, float *Out, int Height, int Width, int OutHeight,
            int OutWidth, int Size, int Step, int Padding) {
  const int Count = OutHeight * OutWidth;
  pools<<<(Count + 255) / 256, 256>>>(In, Out, Height, Width, OutHeight,
                                      OutWidth, Size, Step, Padding, Count);
  convolves<<<dim3(4, OutHeight), 256>>>(In, Out, Height, Width, OutWidth, Size,
                                         Step, Padding);
  convolvesGiven<<<dim3(4, 64), 256>>>(In, Out, 64, 1 << 15, 1 << 10, 32);
  addsRows<<<64, 256>>>(In, Out, Count, Size, Width, Height);
}

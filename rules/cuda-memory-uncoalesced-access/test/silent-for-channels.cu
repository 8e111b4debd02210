// Pixels of an image lie by channels, and how many there are nobody says: that may
// be one. Nor does it matter whether the image is an argument or one of a list.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Image {
  unsigned char *Pixels;
  int Pitch, Channels, Width, Height;

  __device__ unsigned char &at(int Y, int X, int Channel) const {
    return Pixels[Y * Pitch + X * Channels + Channel];
  }
};

__global__ void brighten(Image In, Image Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= In.Width || Y >= In.Height)
    return;
  for (int Channel = 0; Channel < 3; ++Channel)
    Out.at(Y, X, Channel) = In.at(Y, X, Channel) + 1;
}

__global__ void brightenAll(const Image *Ins, const Image *Outs) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const Image In = Ins[blockIdx.z], Out = Outs[blockIdx.z];
  if (X >= In.Width || Y >= In.Height)
    return;
  for (int Channel = 0; Channel < 3; ++Channel)
    Out.at(Y, X, Channel) = In.at(Y, X, Channel) + 1;
}

// Rows that a thread walks along are another matter.
__global__ void sumsOfRows(const float *In, float *Out, int Pitch) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int I = 0; I < 3; ++I)
    // CHECK: [[@LINE+1]]:12: warning: global load is uncoalesced
    Sum += In[Row * Pitch + I];
  Out[Row] = Sum;
}

void run(Image In, Image Out, const Image *Ins, const Image *Outs, int Count,
         const float *Rows, float *Sums, int Pitch) {
  const dim3 Block(32, 8), Grid(In.Width / 32, In.Height / 8);
  brighten<<<Grid, Block>>>(In, Out);
  brightenAll<<<dim3(Grid.x, Grid.y, Count), Block>>>(Ins, Outs);
  sumsOfRows<<<1000, 256>>>(Rows, Sums, Pitch);
}

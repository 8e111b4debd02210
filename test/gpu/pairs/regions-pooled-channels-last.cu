// Rule: cuda-memory-uncoalesced-access
// Features of an image pooled over 400 proposed regions, 7x7 bins each of four
// bilinear samples, with neighbouring threads on neighbouring bins of a channel
// or, in a layout with channels last, on neighbouring channels of a bin.
#include "Pair.cuh"

constexpr int Channels = 256, Height = 96, Width = 152, Pixels = Height * Width;
constexpr int Regions = 400, Side = 7, Bins = Side * Side;
constexpr int Count = Regions * Channels * Bins;

/// Four pixels around a point and what they weigh.
struct Corners {
  int P00, P01, P10, P11;
  float Y, X;

  __device__ Corners(float AtY, float AtX) {
    AtY = fminf(fmaxf(AtY, 0), Height - 1);
    AtX = fminf(fmaxf(AtX, 0), Width - 1);
    const int Y0 = int(AtY), X0 = int(AtX);
    const int Y1 = min(Y0 + 1, Height - 1), X1 = min(X0 + 1, Width - 1);
    P00 = Y0 * Width + X0;
    P01 = Y0 * Width + X1;
    P10 = Y1 * Width + X0;
    P11 = Y1 * Width + X1;
    Y = AtY - Y0;
    X = AtX - X0;
  }
};

/// \p Box: left, top, right, bottom.
__device__ Corners sample(float4 Box, int Bin, int I) {
  const float H = (Box.w - Box.y) / Side, W = (Box.z - Box.x) / Side;
  return Corners(Box.y + (Bin / Side + 0.25f + 0.5f * (I / 2)) * H,
                 Box.x + (Bin % Side + 0.25f + 0.5f * (I % 2)) * W);
}

__global__ void before(const float *__restrict__ Features,
                       const float4 *__restrict__ Box, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const int Bin = I % Bins, C = I / Bins % Channels, R = I / Bins / Channels;
  const float *Plane = Features + C * Pixels;
  float Sum = 0;
  for (int S = 0; S < 4; ++S) {
    const Corners At = sample(Box[R], Bin, S);
    Sum += (1 - At.Y) * ((1 - At.X) * Plane[At.P00] + At.X * Plane[At.P01]) +
           At.Y * ((1 - At.X) * Plane[At.P10] + At.X * Plane[At.P11]);
  }
  Out[I] = Sum / 4;
}

__global__ void after(const float *__restrict__ Features,
                      const float4 *__restrict__ Box, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const int C = I % Channels, Bin = I / Channels % Bins,
            R = I / Channels / Bins;
  const float *Of = Features + C;
  float Sum = 0;
  for (int S = 0; S < 4; ++S) {
    const Corners At = sample(Box[R], Bin, S);
    Sum += (1 - At.Y) * ((1 - At.X) * Of[At.P00 * Channels] +
                         At.X * Of[At.P01 * Channels]) +
           At.Y * ((1 - At.X) * Of[At.P10 * Channels] +
                   At.X * Of[At.P11 * Channels]);
  }
  Out[I] = Sum / 4;
}

int main() {
  std::vector<float4> Boxes;
  for (int R = 0; R < Regions; ++R) {
    const float X = mixed(4 * R) % 120, Y = mixed(4 * R + 1) % 70;
    Boxes.push_back({X, Y, X + 4 + mixed(4 * R + 2) % 40,
                     Y + 4 + mixed(4 * R + 3) % 30});
  }
  const float4 *Box = onDevice(Boxes);
  const float *Planes = input<float>(Channels * Pixels);
  const float *Last = arranged(
      Planes, Channels * Pixels, Channels * Pixels,
      [](size_t I) { return I % Channels * Pixels + I / Channels; });
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("regions-pooled-channels-last");
  P.same(Expected, Out, Count, [](size_t I) {
    const size_t Bin = I % Bins, C = I / Bins % Channels,
                 R = I / Bins / Channels;
    return (R * Bins + Bin) * Channels + C;
  });
  while (P.next())
    if (P.beforesTurn())
      before<<<(Count + 255) / 256, 256>>>(Planes, Box, Expected);
    else
      after<<<(Count + 255) / 256, 256>>>(Last, Box, Out);
}

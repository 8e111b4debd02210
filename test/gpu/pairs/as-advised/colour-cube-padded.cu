// Rule: cuda-memory-gather
// A film's colours are looked up in a cube of 33 x 33 x 33, eight corners a
// pixel. As advised, the pixels come sorted by the corner that they select, so
// that neighbouring lanes want neighbouring colours; results stay so.
// Options: --buffer=Red=random,count=2073600,below=256
// Options: --buffer=Green=random,count=2073600,below=256
// Options: --buffer=Blue=random,count=2073600,below=256
#include "../Pair.cuh"

constexpr int Pixels = 1920 * 1080, Edge = 33, Corners = Edge * Edge * Edge;

struct Place {
  int Corner;
  float X, Y, Z;
};

__device__ Place placed(int Red, int Green, int Blue) {
  const int R = Red / 8, G = Green / 8, B = Blue / 8;
  return {(B * Edge + G) * Edge + R, Red % 8 / 8.0f, Green % 8 / 8.0f,
          Blue % 8 / 8.0f};
}

__device__ float weight(Place P, int I) {
  return (I & 1 ? P.X : 1 - P.X) * (I & 2 ? P.Y : 1 - P.Y) *
         (I & 4 ? P.Z : 1 - P.Z);
}

__device__ int corner(Place P, int I) {
  return P.Corner + (I & 1) + (I / 2 & 1) * Edge + I / 4 * Edge * Edge;
}

__global__ void before(const unsigned char *Red, const unsigned char *Green,
                       const unsigned char *Blue, const float3 *Cube,
                       float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const Place P = placed(Red[I], Green[I], Blue[I]);
  float Sums[3] = {};
  for (int C = 0; C < 8; ++C) {
    const float3 Colour = Cube[corner(P, C)];
    const float W = weight(P, C);
    Sums[0] += W * Colour.x;
    Sums[1] += W * Colour.y;
    Sums[2] += W * Colour.z;
  }
  for (int K = 0; K < 3; ++K)
    Out[K * Pixels + I] = Sums[K];
}

/// The same, of pixels sorted by their corner.
__global__ void after(const unsigned char *Red, const unsigned char *Green,
                      const unsigned char *Blue, const float3 *Cube,
                      float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const Place P = placed(Red[I], Green[I], Blue[I]);
  float Sums[3] = {};
  for (int C = 0; C < 8; ++C) {
    const float3 Colour = Cube[corner(P, C)];
    const float W = weight(P, C);
    Sums[0] += W * Colour.x;
    Sums[1] += W * Colour.y;
    Sums[2] += W * Colour.z;
  }
  for (int K = 0; K < 3; ++K)
    Out[K * Pixels + I] = Sums[K];
}

int main() {
  const unsigned char *Colours = input<unsigned char>(3 * Pixels, 256);
  const float *Cube = input<float>(3 * Corners);
  const std::vector<unsigned char> Host = onHost(Colours, 3 * Pixels);
  std::vector<int> Order(Pixels), Rank(Pixels);
  for (int I = 0; I < Pixels; ++I)
    Order[I] = I;
  const auto Corner = [&](int I) {
    const int R = Host[I] / 8, G = Host[Pixels + I] / 8,
              B = Host[2 * Pixels + I] / 8;
    return (B * Edge + G) * Edge + R;
  };
  std::stable_sort(Order.begin(), Order.end(),
                   [&](int A, int B) { return Corner(A) < Corner(B); });
  for (int I = 0; I < Pixels; ++I)
    Rank[Order[I]] = I;
  const unsigned char *Sorted =
      arranged(Colours, 3 * Pixels, 3 * Pixels, [&](size_t I) {
        return I / Pixels * Pixels + Order[I % Pixels];
      });
  float *Expected = output<float>(3 * Pixels), *Out = output<float>(3 * Pixels);
  Pair P("colour-cube-padded-as-advised");
  P.same(Expected, Out, 3 * Pixels,
         [&Rank](size_t I) { return I / Pixels * Pixels + Rank[I % Pixels]; });
  while (P.next())
    if (P.beforesTurn())
      before<<<Pixels / 256, 256>>>(Colours, Colours + Pixels,
                                    Colours + 2 * Pixels, (const float3 *)Cube,
                                    Expected);
    else
      after<<<Pixels / 256, 256>>>(Sorted, Sorted + Pixels, Sorted + 2 * Pixels,
                                   (const float3 *)Cube, Out);
}

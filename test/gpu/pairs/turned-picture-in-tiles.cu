// Rule: cuda-memory-gather
// A picture is turned by 70 degrees: each pixel takes the one that was in its
// place, of an image by rows or by tiles of 8 x 8 pixels.
#include "Pair.cuh"

constexpr int Side = 2048;

template <class F>
__device__ void turn(const uint32_t *From, uint32_t *To, F Place) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  // In fixed point, so that both agree about each pixel.
  const int U = (22414 * (X - Side / 2) - 61584 * (Y - Side / 2) >> 16) +
                Side / 2,
            V = (61584 * (X - Side / 2) + 22414 * (Y - Side / 2) >> 16) +
                Side / 2;
  const bool Inside = U >= 0 && U < Side && V >= 0 && V < Side;
  To[Y * Side + X] = Inside ? From[Place(U, V)] : 0;
}

__global__ void before(const uint32_t *From, uint32_t *To) {
  turn(From, To, [](int U, int V) { return V * Side + U; });
}

__global__ void after(const uint32_t *Tiles, uint32_t *To) {
  turn(Tiles, To, [](int U, int V) {
    return (V / 8 * (Side / 8) + U / 8) * 64 + V % 8 * 8 + U % 8;
  });
}

int main() {
  const uint32_t *From = input<uint32_t>(Side * Side, 1 << 24);
  const uint32_t *Tiles =
      arranged(From, Side * Side, Side * Side, [](size_t I) {
        const size_t Tile = I / 64, V = Tile / (Side / 8) * 8 + I / 8 % 8,
                     U = Tile % (Side / 8) * 8 + I % 8;
        return V * Side + U;
      });
  uint32_t *Expected = output<uint32_t>(Side * Side),
           *Out = output<uint32_t>(Side * Side);
  Pair P("turned-picture-in-tiles");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(From, Expected);
    else
      after<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(Tiles, Out);
}

// Rule: cuda-memory-gather
// Charged particles read the field at the four corners of their cell, on a
// plane of 2048 x 2048 cells: in any order, or sorted by cell.
#include "Pair.cuh"

constexpr int N = 1 << 20, Side = 2048;

__device__ float2 fieldAt(const float2 *Field, float2 Place) {
  const int X = int(Place.x), Y = int(Place.y);
  const float U = Place.x - X, V = Place.y - Y;
  const float2 A = Field[Y * Side + X], B = Field[Y * Side + X + 1],
               C = Field[(Y + 1) * Side + X], D = Field[(Y + 1) * Side + X + 1];
  return make_float2(
      (A.x * (1 - U) + B.x * U) * (1 - V) + (C.x * (1 - U) + D.x * U) * V,
      (A.y * (1 - U) + B.y * U) * (1 - V) + (C.y * (1 - U) + D.y * U) * V);
}

__global__ void before(const float2 *Anywhere, const float2 *Field,
                       float2 *Forces) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Forces[I] = fieldAt(Field, Anywhere[I]);
}

__global__ void after(const float2 *ByCell, const float2 *Field,
                      float2 *Forces) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Forces[I] = fieldAt(Field, ByCell[I]);
}

int main() {
  const float *Field = input<float>(2 * Side * Side);
  std::vector<float2> Places(N), Sorted(N);
  std::vector<size_t> Order(N), Place(N);
  for (size_t I = 0; I < N; ++I) {
    Places[I] = make_float2(mixed(2 * I) % 1000000 * 0.002f,
                            mixed(2 * I + 1) % 1000000 * 0.002f);
    Order[I] = I;
  }
  const auto Cell = [&](size_t I) {
    return int(Places[I].y) * Side + int(Places[I].x);
  };
  std::sort(Order.begin(), Order.end(),
            [&](size_t A, size_t B) { return Cell(A) < Cell(B); });
  for (size_t I = 0; I < N; ++I) {
    Sorted[I] = Places[Order[I]];
    Place[Order[I]] = I;
  }
  const float2 *Anywhere = onDevice(Places), *ByCell = onDevice(Sorted);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("field-at-sorted-particles");
  P.same(Expected, Out, 2 * N,
         [Place](size_t I) { return Place[I / 2] * 2 + I % 2; });
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Anywhere, (const float2 *)Field,
                               (float2 *)Expected);
    else
      after<<<N / 256, 256>>>(ByCell, (const float2 *)Field, (float2 *)Out);
}

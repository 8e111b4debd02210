// Rule: cuda-memory-narrow-access
// Marching cubes counts the triangles of each cell by a table of 256 entries
// in constant memory. The surface is smooth: few cells meet it. As advised, a
// thread handles four cells in a row, and stores their counts as one uchar4.
#include "../Pair.cuh"

constexpr int Side = 128, Pitch = Side + 1;

__constant__ uint8_t Triangles[256];

__device__ int caseOf(const float *Field, float Level) {
  const int X = threadIdx.x, Y = blockIdx.x, Z = blockIdx.y;
  int Case = 0;
  for (int I = 0; I < 8; ++I) {
    const int At = ((Z + I / 4) * Pitch + Y + I / 2 % 2) * Pitch + X + I % 2;
    Case |= (Field[At] < Level) << I;
  }
  return Case;
}

__global__ void before(const float *Field, float Level, uint8_t *Counts) {
  const int I = (blockIdx.y * Side + blockIdx.x) * Side + threadIdx.x;
  Counts[I] = Triangles[caseOf(Field, Level)];
}

/// \p Field is where the cell begins.
__device__ __forceinline__ int caseAt(const float *Field, float Level) {
  int Case = 0;
#pragma unroll
  for (int I = 0; I < 8; ++I) {
    const int At = (I / 4 * Pitch + I / 2 % 2) * Pitch + I % 2;
    Case |= (Field[At] < Level) << I;
  }
  return Case;
}

__global__ void after(const float *Field, float Level, uchar4 *Counts) {
  constexpr int Fours = Side / 4;
  const int X = threadIdx.x, Y = blockIdx.x * 4 + threadIdx.y, Z = blockIdx.y;
  // Rows of the field have an odd length: no vectors here.
  const float *Cell = Field + (Z * Pitch + Y) * Pitch + 4 * X;
  uchar4 Four;
  Four.x = Triangles[caseAt(Cell, Level)];
  Four.y = Triangles[caseAt(Cell + 1, Level)];
  Four.z = Triangles[caseAt(Cell + 2, Level)];
  Four.w = Triangles[caseAt(Cell + 3, Level)];
  Counts[(Z * Side + Y) * Fours + X] = Four;
}

int main() {
  std::vector<float> Host(Pitch * Pitch * Pitch);
  for (size_t I = 0; I < Host.size(); ++I) {
    const float X = I % Pitch - 64.0f, Y = I / Pitch % Pitch - 64.0f,
                Z = I / Pitch / Pitch - 64.0f;
    Host[I] = X * X + Y * Y + 2 * Z * Z + 300 * std::sin(0.1f * X);
  }
  uint8_t Table[256];
  for (int I = 0; I < 256; ++I)
    Table[I] = I == 0 || I == 255 ? 0 : uint8_t(1 + mixed(I) % 5);
  must(cudaMemcpyToSymbol(Triangles, Table, sizeof(Table)));
  const float *Field = onDevice(Host);
  constexpr int Cells = Side * Side * Side;
  uint8_t *Expected = output<uint8_t>(Cells), *Out = output<uint8_t>(Cells);
  Pair P("cubes-mostly-empty-table-shared-as-advised");
  P.same(Expected, Out, Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side, Side), Side>>>(Field, 2500, Expected);
    else
      after<<<dim3(Side / 4, Side), dim3(Side / 4, 4)>>>(Field, 2500,
                                                         (uchar4 *)Out);
}

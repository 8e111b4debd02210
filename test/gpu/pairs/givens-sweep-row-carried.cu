// Rule: cuda-memory-redundant-round-trip
// A sweep of Givens rotations down a matrix, as in the update of a QR
// factorisation: each turns two neighbouring rows, a thread has two columns.
// The row that the next rotation needs is stored and loaded, or carried.
#include "Pair.cuh"

constexpr int Rows = 96, Columns = 768, Batches = 128;

template <typename T> struct Rotation { T C, S; };

__device__ float2 mix(float A, float2 U, float B, float2 V) {
  return make_float2(A * U.x + B * V.x, A * U.y + B * V.y);
}

__global__ void before(const float2 *In, const Rotation<float> *Turns,
                       float2 *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t Base = blockIdx.y * size_t(Rows) * Columns + X;
  const Rotation<float> *Turn = Turns + blockIdx.y * (Rows - 1);
  Out[Base] = In[Base];
  for (int R = 0; R + 1 < Rows; ++R) {
    const float C = Turn[R].C, S = Turn[R].S;
    float2 *Upper = Out + Base + R * Columns, *Lower = Upper + Columns;
    const float2 U = *Upper, L = In[Base + (R + 1) * Columns];
    *Upper = mix(C, U, S, L);
    *Lower = mix(-S, U, C, L);
  }
}

__global__ void after(const float2 *In, const Rotation<float> *Turns,
                      float2 *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t Base = blockIdx.y * size_t(Rows) * Columns + X;
  const Rotation<float> *Turn = Turns + blockIdx.y * (Rows - 1);
  float2 Carried = In[Base];
  for (int R = 0; R + 1 < Rows; ++R) {
    const float C = Turn[R].C, S = Turn[R].S;
    const float2 L = In[Base + (R + 1) * Columns];
    Out[Base + R * Columns] = mix(C, Carried, S, L);
    Carried = mix(-S, Carried, C, L);
  }
  Out[Base + (Rows - 1) * Columns] = Carried;
}

int main() {
  constexpr size_t Count = size_t(Rows) * Columns * Batches;
  std::vector<Rotation<float>> Turns((Rows - 1) * Batches);
  for (size_t I = 0; I < Turns.size(); ++I) {
    const float Angle = 6.2831853f * (mixed(I) * 0x1p-32f);
    Turns[I] = {std::cos(Angle), std::sin(Angle)};
  }
  const Rotation<float> *Rotations = onDevice(Turns);
  const float2 *In = (const float2 *)input<float>(2 * Count);
  float2 *Expected = output<float2>(Count), *Out = output<float2>(Count);
  const dim3 Grid(Columns / 128, Batches);
  Pair P("givens-sweep-row-carried");
  P.same((float *)Expected, (float *)Out, 2 * Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 128>>>(In, Rotations, Expected);
    else
      after<<<Grid, 128>>>(In, Rotations, Out);
}

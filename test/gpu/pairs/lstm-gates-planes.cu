// Rule: cuda-memory-uncoalesced-access
// The cell update of a small LSTM layer: the four gates of a unit lie behind
// each other, or each gate has a plane of its own. All stays in L2.
#include "Pair.cuh"

constexpr int N = 512 * 512;

__device__ float sigmoid(float X) { return 1 / (1 + __expf(-X)); }

template <class F>
__device__ void update(F Gate, float Cell, float *NewCell, float *Hidden) {
  const float Kept = Cell * sigmoid(Gate(1) + 1);
  const float C = Kept + sigmoid(Gate(0)) * tanhf(Gate(2));
  *NewCell = C;
  *Hidden = sigmoid(Gate(3)) * tanhf(C);
}

__global__ void before(const float *Gates, const float *Cells, float *NewCells,
                       float *Hidden) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  update([&](int G) { return Gates[I * 4 + G]; }, Cells[I], NewCells + I,
         Hidden + I);
}

__global__ void after(const float *Gates, const float *Cells, float *NewCells,
                      float *Hidden) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  update([&](int G) { return Gates[G * N + I]; }, Cells[I], NewCells + I,
         Hidden + I);
}

int main() {
  const float *Gates = input<float>(N * 4), *Cells = input<float>(N);
  const float *Planes =
      arranged(Gates, N * 4, N * 4, [](size_t I) { return I % N * 4 + I / N; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  float *ExpectedHidden = output<float>(N), *Hidden = output<float>(N);
  Pair P("lstm-gates-planes");
  P.same(Expected, Out, N);
  P.same(ExpectedHidden, Hidden, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Gates, Cells, Expected, ExpectedHidden);
    else
      after<<<N / 256, 256>>>(Planes, Cells, Out, Hidden);
}

// Rule: cuda-memory-uncoalesced-access
// Runs of a compressed column are expanded: a thread writes all values of its
// run, of some 16, or each value's thread looks for the run that it is in.
#include "Pair.cuh"

constexpr int Runs = 1 << 18;

__global__ void before(const int *Begins, const int *Values, int *Out) {
  const int R = blockIdx.x * blockDim.x + threadIdx.x;
  const int End = Begins[R + 1], Value = Values[R];
  for (int I = Begins[R]; I < End; ++I)
    Out[I] = Value;
}

__global__ void after(const int *Begins, const int *Values, int *Out,
                      int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  int Low = 0, High = Runs;
  while (High - Low > 1) {
    const int Middle = (Low + High) / 2;
    if (Begins[Middle] <= I)
      Low = Middle;
    else
      High = Middle;
  }
  Out[I] = Values[Low];
}

int main() {
  std::vector<int> Host(Runs + 1);
  for (int R = 0; R < Runs; ++R)
    Host[R + 1] = Host[R] + 1 + int(mixed(R) % 31);
  const int Count = Host[Runs];
  const int *Begins = onDevice(Host), *Values = input<int>(Runs, 1000000);
  int *Expected = output<int>(Count), *Out = output<int>(Count);
  Pair P("run-length-expand-by-output");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Runs / 256, 256>>>(Begins, Values, Expected);
    else
      after<<<(Count + 255) / 256, 256>>>(Begins, Values, Out, Count);
}

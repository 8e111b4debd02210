// Rule: cuda-memory-missing-restrict
// An oscillator reads two neighbours of a table of doubles and stores once:
// that nothing else points there is of no use to know.
// Options: --buffer=Phase=random,count=1048576,below=1048576
#include "Pair.cuh"

constexpr int N = 1 << 20;

__global__ void before(const unsigned *Phase, const double *Table,
                       double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned At = Phase[I] >> 10;
  const double Share = (Phase[I] & 1023) / 1024.0;
  Out[I] = (1 - Share) * Table[At] + Share * Table[At + 1];
}

__global__ void after(const unsigned *__restrict__ Phase,
                      const double *__restrict__ Table,
                      double *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned At = Phase[I] >> 10;
  const double Share = (Phase[I] & 1023) / 1024.0;
  Out[I] = (1 - Share) * Table[At] + Share * Table[At + 1];
}

int main() {
  const unsigned *Phase = input<unsigned>(N, 1 << 20);
  const double *Table = input<double>(1025);
  double *Expected = output<double>(N), *Out = output<double>(N);
  Pair P("wavetable-restrict");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Phase, Table, Expected);
    else
      after<<<N / 256, 256>>>(Phase, Table, Out);
}

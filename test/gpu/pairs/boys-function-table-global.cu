// Rule: cuda-memory-constant-nonuniform
// Boys functions of orders 0 to 2 for a million pairs of charges, expanded
// about the nearest point of a table: the table in constant memory, where each
// lane wants another row, or in global memory.
#include "Pair.cuh"

constexpr int N = 1 << 20, Points = 257, Orders = 8, Order = 2, Terms = 6;

__constant__ double Near[Points][Orders];

__global__ void before(const double *__restrict__ Exponent,
                       const double *__restrict__ Distance,
                       double *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double T = 32 * Exponent[I] * Distance[I];
  const int Point = int(8 * T + 0.5);
  const double D = Point * 0.125 - T;
  double Sum = 0, Power = 1;
#pragma unroll
  for (int K = 0; K < Terms; ++K) {
    Sum += Power * Near[Point][Order + K];
    Power *= D / (K + 1);
  }
  const double E = exp(-T), First = (2 * T * Sum + E) / 3;
  Out[I] = 2 * T * First + E;
  Out[N + I] = First;
  Out[2 * N + I] = Sum;
}

__global__ void after(const double *__restrict__ Exponent,
                      const double *__restrict__ Distance,
                      const double *__restrict__ Table,
                      double *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double T = 32 * Exponent[I] * Distance[I];
  const int Point = int(8 * T + 0.5);
  const double D = Point * 0.125 - T;
  double Sum = 0, Power = 1;
#pragma unroll
  for (int K = 0; K < Terms; ++K) {
    Sum += Power * Table[Point * Orders + Order + K];
    Power *= D / (K + 1);
  }
  const double E = exp(-T), First = (2 * T * Sum + E) / 3;
  Out[I] = 2 * T * First + E;
  Out[N + I] = First;
  Out[2 * N + I] = Sum;
}

/// The highest order by its series, the others by recursion.
std::vector<double> boysTable() {
  std::vector<double> Table(Points * Orders);
  for (int P = 0; P < Points; ++P) {
    const double T = P * 0.125, E = std::exp(-T);
    double *Row = &Table[P * Orders], Term = 1.0 / (2 * Orders - 1), Sum = 0;
    for (int K = 1; K < 200; ++K) {
      Sum += Term;
      Term *= 2 * T / (2 * Orders - 1 + 2 * K);
    }
    Row[Orders - 1] = E * Sum;
    for (int M = Orders - 2; M >= 0; --M)
      Row[M] = (2 * T * Row[M + 1] + E) / (2 * M + 1);
  }
  return Table;
}

int main() {
  const double *Data = input<double>(2 * N), *Table = onDevice(boysTable());
  must(cudaMemcpyToSymbol(Near, Table, sizeof(Near), 0,
                          cudaMemcpyDeviceToDevice));
  double *Expected = output<double>(3 * N), *Out = output<double>(3 * N);
  Pair P("boys-function-table-global");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Data, Data + N, Expected);
    else
      after<<<N / 128, 128>>>(Data, Data + N, Table, Out);
}

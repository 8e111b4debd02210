// Rule: cuda-memory-uncoalesced-access
// Makespans of a population of schedules for a flow shop of 20 jobs and 20
// machines, a thread for each schedule: its jobs in a row of 20 bytes, or the
// first jobs of all schedules, then the second jobs, and so on.
#include "Pair.cuh"

constexpr int Schedules = 1 << 18, Jobs = 20, Machines = 20, Block = 256;

template <int JobStride>
__device__ int makespan(const unsigned char *Genes, const int *Times) {
  int Free[Machines] = {};
  for (int J = 0; J < Jobs; ++J) {
    const int *Of = Times + Genes[J * JobStride] * Machines;
    int Done = 0;
#pragma unroll
    for (int M = 0; M < Machines; ++M) {
      Done = max(Done, Free[M]) + Of[M];
      Free[M] = Done;
    }
  }
  return Free[Machines - 1];
}

__global__ void before(const unsigned char *__restrict__ Genes,
                       const int *__restrict__ Times,
                       int *__restrict__ Makespan) {
  __shared__ int Near[Jobs * Machines];
  for (int I = threadIdx.x; I < Jobs * Machines; I += Block)
    Near[I] = Times[I];
  __syncthreads();
  const int S = blockIdx.x * Block + threadIdx.x;
  Makespan[S] = makespan<1>(Genes + S * Jobs, Near);
}

__global__ void after(const unsigned char *__restrict__ Genes,
                      const int *__restrict__ Times,
                      int *__restrict__ Makespan) {
  __shared__ int Near[Jobs * Machines];
  for (int I = threadIdx.x; I < Jobs * Machines; I += Block)
    Near[I] = Times[I];
  __syncthreads();
  const int S = blockIdx.x * Block + threadIdx.x;
  Makespan[S] = makespan<Schedules>(Genes + S, Near);
}

int main() {
  std::vector<unsigned char> Orders(size_t(Schedules) * Jobs);
  for (int S = 0; S < Schedules; ++S) {
    unsigned char *Order = &Orders[size_t(S) * Jobs];
    for (int J = 0; J < Jobs; ++J)
      Order[J] = J;
    for (int J = Jobs - 1; J > 0; --J)
      std::swap(Order[J], Order[mixed(S * Jobs + J) % (J + 1)]);
  }
  const unsigned char *Rows = onDevice(Orders);
  const unsigned char *Columns =
      arranged(Rows, Orders.size(), Orders.size(), [](size_t I) {
        return I % Schedules * Jobs + I / Schedules;
      });
  const int *Times = input<int>(Jobs * Machines);
  int *Expected = output<int>(Schedules), *Out = output<int>(Schedules);
  Pair P("flow-shop-genes-position-major");
  P.same(Expected, Out, Schedules);
  while (P.next())
    if (P.beforesTurn())
      before<<<Schedules / Block, Block>>>(Rows, Times, Expected);
    else
      after<<<Schedules / Block, Block>>>(Columns, Times, Out);
}

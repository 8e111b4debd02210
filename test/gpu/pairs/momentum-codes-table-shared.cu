// Rule: cuda-memory-constant-nonuniform
// A step with momentum that is kept in bytes, as 8-bit optimisers do: a table
// of 256 turns each to a number, and a search in it turns the new one back.
// Lanes ask for different words of the table, in constant or shared memory.
// Options: --buffer=Old=random,count=4194304,below=256,element=1
#include "Pair.cuh"

constexpr int N = 1 << 22, Group = 256;

__constant__ float Codes[256];

__device__ float decayed(float Momentum, float Slope) {
  return fmaf(0.9f, Momentum, 0.1f * Slope);
}

__device__ float largestOfBlock(float Value) {
  __shared__ float OfWarp[Group / 32];
  for (int Step = 16; Step > 0; Step /= 2)
    Value = fmaxf(Value, __shfl_xor_sync(~0u, Value, Step));
  if (threadIdx.x % 32 == 0)
    OfWarp[threadIdx.x / 32] = Value;
  __syncthreads();
  float Largest = OfWarp[0];
  for (int W = 1; W < Group / 32; ++W)
    Largest = fmaxf(Largest, OfWarp[W]);
  return Largest;
}

__global__ void before(const unsigned char *__restrict__ Old,
                       const float *__restrict__ OldScale,
                       const float *__restrict__ Slope,
                       const float *__restrict__ Weight,
                       unsigned char *__restrict__ New,
                       float *__restrict__ NewScale,
                       float *__restrict__ NewWeight) {
  const int I = blockIdx.x * Group + threadIdx.x;
  const float Momentum =
      decayed(Codes[Old[I]] * OldScale[blockIdx.x], Slope[I] - 0.5f);
  NewWeight[I] = Weight[I] - 0.01f * Momentum;
  const float Scale = largestOfBlock(fabsf(Momentum));
  const float Wanted = __fdividef(Momentum, Scale);
  int At = 0;
#pragma unroll
  for (int Step = 128; Step > 0; Step /= 2)
    if (Codes[At + Step] <= Wanted)
      At += Step;
  New[I] = At;
  if (threadIdx.x == 0)
    NewScale[blockIdx.x] = Scale;
}

__global__ void after(const unsigned char *__restrict__ Old,
                      const float *__restrict__ OldScale,
                      const float *__restrict__ Slope,
                      const float *__restrict__ Weight,
                      const float *__restrict__ Table,
                      unsigned char *__restrict__ New,
                      float *__restrict__ NewScale,
                      float *__restrict__ NewWeight) {
  __shared__ float Near[256];
  const int I = blockIdx.x * Group + threadIdx.x;
  Near[threadIdx.x] = Table[threadIdx.x];
  __syncthreads();
  const float Momentum =
      decayed(Near[Old[I]] * OldScale[blockIdx.x], Slope[I] - 0.5f);
  NewWeight[I] = Weight[I] - 0.01f * Momentum;
  const float Scale = largestOfBlock(fabsf(Momentum));
  const float Wanted = __fdividef(Momentum, Scale);
  int At = 0;
#pragma unroll
  for (int Step = 128; Step > 0; Step /= 2)
    if (Near[At + Step] <= Wanted)
      At += Step;
  New[I] = At;
  if (threadIdx.x == 0)
    NewScale[blockIdx.x] = Scale;
}

int main() {
  std::vector<float> Map(256);
  for (int I = 0; I < 256; ++I)
    Map[I] = std::pow((I - 127.5f) / 127.5f, 3.0f);
  const float *Table = onDevice(Map);
  must(cudaMemcpyToSymbol(Codes, Map.data(), sizeof(Codes)));
  const unsigned char *Old = input<unsigned char>(N, 256);
  const float *OldScale = input<float>(N / Group), *Slope = input<float>(N),
              *Weight = input<float>(N);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  float *ExpectedScale = output<float>(N / Group),
        *OutScale = output<float>(N / Group);
  float *ExpectedWeight = output<float>(N), *OutWeight = output<float>(N);
  Pair P("momentum-codes-table-shared");
  P.same(Expected, Out, N);
  P.same(ExpectedScale, OutScale, N / Group);
  P.same(ExpectedWeight, OutWeight, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Group, Group>>>(Old, OldScale, Slope, Weight, Expected,
                                   ExpectedScale, ExpectedWeight);
    else
      after<<<N / Group, Group>>>(Old, OldScale, Slope, Weight, Table, Out,
                                  OutScale, OutWeight);
}

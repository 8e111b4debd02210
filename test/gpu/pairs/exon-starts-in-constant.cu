// Rule: cuda-memory-constant-nonuniform
// The exon that each aligned read starts in, by binary search among 4096
// starts: read through L1, or in constant memory, which serves one address of
// a warp at a time.
// Options: --buffer=Position=random,count=1048576,below=200000000
// Options: --buffer=Start=sorted,count=4096,below=200000000
#include "Pair.cuh"

constexpr int Reads = 1 << 20, Exons = 4096, Genome = 200000000;

__constant__ int StartOfExon[Exons];

__global__ void before(const int *__restrict__ Position,
                       const int *__restrict__ Start,
                       const int *__restrict__ Length, int *__restrict__ Exon) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Place = Position[I];
  int Found = 0;
  for (int Half = Exons / 2; Half; Half /= 2)
    if (Start[Found + Half] <= Place)
      Found += Half;
  const int Inside = Place - Start[Found];
  Exon[I] = Inside >= 0 && Inside < Length[Found] ? Found : -1;
}

__global__ void after(const int *__restrict__ Position,
                      const int *__restrict__ Length, int *__restrict__ Exon) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Place = Position[I];
  int Found = 0;
  for (int Half = Exons / 2; Half; Half /= 2)
    if (StartOfExon[Found + Half] <= Place)
      Found += Half;
  const int Inside = Place - StartOfExon[Found];
  Exon[I] = Inside >= 0 && Inside < Length[Found] ? Found : -1;
}

int main() {
  std::vector<int> Starts = onHost(input<int>(Exons, Genome), Exons);
  std::sort(Starts.begin(), Starts.end());
  const int *Start = onDevice(Starts), *Length = input<int>(Exons, 60000),
            *Position = input<int>(Reads + Exons, Genome) + Exons;
  must(cudaMemcpyToSymbol(StartOfExon, Starts.data(), Exons * sizeof(int)));
  int *Expected = output<int>(Reads), *Out = output<int>(Reads);
  Pair P("exon-starts-in-constant");
  P.same(Expected, Out, Reads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Reads / 256, 256>>>(Position, Start, Length, Expected);
    else
      after<<<Reads / 256, 256>>>(Position, Length, Out);
}

// Rule: cuda-memory-constant-nonuniform
// BM25 over title and body of two million documents: what the byte that stands
// for a field's length weighs comes from a table in constant memory, where the
// lanes of a warp ask for different entries, or from global memory.
#include "Pair.cuh"

constexpr int Documents = 2000003;
constexpr float TitleWeight = 3.1f, BodyWeight = 1.7f;

__constant__ float Norms[2][256];

__device__ float saturated(float Count, float Norm) {
  return Count / (Count + Norm);
}

__global__ void before(const uchar2 *__restrict__ Counts,
                       const uchar2 *__restrict__ Lengths,
                       float *__restrict__ Scores) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Documents)
    return;
  const uchar2 Count = Counts[I], Length = Lengths[I];
  Scores[I] = TitleWeight * saturated(Count.x, Norms[0][Length.x]) +
              BodyWeight * saturated(Count.y, Norms[1][Length.y]);
}

__global__ void after(const uchar2 *__restrict__ Counts,
                      const uchar2 *__restrict__ Lengths,
                      const float *__restrict__ Table,
                      float *__restrict__ Scores) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Documents)
    return;
  const uchar2 Count = Counts[I], Length = Lengths[I];
  Scores[I] = TitleWeight * saturated(Count.x, Table[Length.x]) +
              BodyWeight * saturated(Count.y, Table[256 + Length.y]);
}

int main() {
  const auto *Counts = (const uchar2 *)input<unsigned char>(2 * Documents, 20),
             *Lengths = (const uchar2 *)input<unsigned char>(2 * Documents, 96);
  std::vector<float> Values(2 * 256);
  for (int I = 0; I < 2 * 256; ++I)
    Values[I] = 1.2f * (0.25f + 0.75f * (I % 256 + 1) / 40);
  const float *Table = onDevice(Values);
  must(cudaMemcpyToSymbol(Norms, Values.data(), sizeof(Norms)));
  float *Expected = output<float>(Documents), *Out = output<float>(Documents);
  Pair P("document-length-norms-from-global");
  P.same(Expected, Out, Documents);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Documents + 255) / 256, 256>>>(Counts, Lengths, Expected);
    else
      after<<<(Documents + 255) / 256, 256>>>(Counts, Lengths, Table, Out);
}

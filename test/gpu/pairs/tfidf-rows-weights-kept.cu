// Rule: cuda-memory-redundant-round-trip
// The weights of the terms of documents (tf-idf), then each document's made of
// length one; a warp has a document. The weights are written, read again when
// the norm is known and written again, or stay in four registers, as documents
// have been cut to 128 distinct terms.
// Options: --buffer=Start=sorted,count=131073,below=10485760
// Options: --buffer=Term=random,count=10485760,below=32768
#include "Pair.cuh"

constexpr int Documents = 1 << 17, MostTerms = 128, Vocabulary = 1 << 15;

__device__ float weight(int Count, float Share, float Length) {
  const float Saturated = 2.2f * Count / (Count + 0.3f + 0.9f * Length);
  return Saturated * __logf(1 + 1 / (Share + 0.001f));
}

__device__ float sumOfWarp(float Value) {
#pragma unroll
  for (int Offset = 16; Offset > 0; Offset /= 2)
    Value += __shfl_xor_sync(0xffffffff, Value, Offset);
  return Value;
}

__global__ void before(const int *__restrict__ Start,
                       const int *__restrict__ Term,
                       const unsigned short *__restrict__ Occurrences,
                       const float *__restrict__ Frequency, float *Weight) {
  const int Document = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int First = Start[Document], End = Start[Document + 1];
  const float Length = (End - First) / 80.0f;
  float Norm = 0;
  for (int I = First + threadIdx.x % 32; I < End; I += 32) {
    const float W = weight(1 + Occurrences[I], Frequency[Term[I]], Length);
    Weight[I] = W;
    Norm += W * W;
  }
  const float Factor = rsqrtf(sumOfWarp(Norm) + 1e-12f);
  for (int I = First + threadIdx.x % 32; I < End; I += 32)
    Weight[I] *= Factor;
}

__global__ void after(const int *__restrict__ Start,
                      const int *__restrict__ Term,
                      const unsigned short *__restrict__ Occurrences,
                      const float *__restrict__ Frequency, float *Weight) {
  const int Document = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int First = Start[Document], End = Start[Document + 1];
  const float Length = (End - First) / 80.0f;
  float Norm = 0, W[MostTerms / 32];
#pragma unroll
  for (int K = 0; K < MostTerms / 32; ++K) {
    const int I = First + threadIdx.x % 32 + K * 32;
    W[K] = 0;
    if (I < End)
      W[K] = weight(1 + Occurrences[I], Frequency[Term[I]], Length);
    Norm += W[K] * W[K];
  }
  const float Factor = rsqrtf(sumOfWarp(Norm) + 1e-12f);
#pragma unroll
  for (int K = 0; K < MostTerms / 32; ++K) {
    const int I = First + threadIdx.x % 32 + K * 32;
    if (I < End)
      Weight[I] = W[K] * Factor;
  }
}

int main() {
  std::vector<int> Starts(Documents + 1);
  for (int D = 0; D < Documents; ++D)
    Starts[D + 1] = Starts[D] + 32 + mixed(D) % (MostTerms - 31);
  const size_t Count = Starts.back();
  const int *Start = onDevice(Starts), *Term = input<int>(Count, Vocabulary);
  const unsigned short *Occurrences = input<unsigned short>(Count, 9);
  const float *Frequency = input<float>(Vocabulary);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("tfidf-rows-weights-kept");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Documents / 8, 256>>>(Start, Term, Occurrences, Frequency,
                                     Expected);
    else
      after<<<Documents / 8, 256>>>(Start, Term, Occurrences, Frequency, Out);
}

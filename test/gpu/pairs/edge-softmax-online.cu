// Rule: cuda-memory-repeated-pass
// Attention over the some 64 neighbours of each vertex of a graph, a warp for
// each vertex: one walk for the greatest score, one for the sum of exponentials
// and one for the shares, or the first two in one that corrects its sum.
// Options: --buffer=Start=sorted,count=65537,below=4194304
// Options: --buffer=Source=random,count=4194304,below=65536
#include "Pair.cuh"

constexpr int Vertices = 65536, Edges = 64 * Vertices;

__device__ float score(float From, float To) {
  const float Sum = 8 * (From + To) - 6;
  return Sum > 0 ? Sum : 0.2f * Sum;
}

__global__ void before(const int *Start, const int *Source,
                       const float *FromScore, const float *ToScore,
                       float *Share) {
  const int Vertex = blockIdx.x * 8 + threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = Start[Vertex] + Lane, End = Start[Vertex + 1];
  const float Mine = ToScore[Vertex];
  float Most = -1e30f, Sum = 0;
  for (int I = First; I < End; I += 32)
    Most = fmaxf(Most, score(FromScore[Source[I]], Mine));
  for (int Half = 16; Half; Half /= 2)
    Most = fmaxf(Most, __shfl_xor_sync(~0u, Most, Half));
  for (int I = First; I < End; I += 32)
    Sum += __expf(score(FromScore[Source[I]], Mine) - Most);
  for (int Half = 16; Half; Half /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Half);
  for (int I = First; I < End; I += 32)
    Share[I] = __expf(score(FromScore[Source[I]], Mine) - Most) / Sum;
}

__global__ void after(const int *Start, const int *Source,
                      const float *FromScore, const float *ToScore,
                      float *Share) {
  const int Vertex = blockIdx.x * 8 + threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = Start[Vertex] + Lane, End = Start[Vertex + 1];
  const float Mine = ToScore[Vertex];
  float Most = -1e30f, Sum = 0;
  for (int I = First; I < End; I += 32) {
    const float Here = score(FromScore[Source[I]], Mine);
    const float Now = fmaxf(Most, Here);
    Sum = Sum * __expf(Most - Now) + __expf(Here - Now);
    Most = Now;
  }
  for (int Half = 16; Half; Half /= 2) {
    const float Other = __shfl_xor_sync(~0u, Most, Half),
                OtherSum = __shfl_xor_sync(~0u, Sum, Half);
    const float Now = fmaxf(Most, Other);
    Sum = Sum * __expf(Most - Now) + OtherSum * __expf(Other - Now);
    Most = Now;
  }
  for (int I = First; I < End; I += 32)
    Share[I] = __expf(score(FromScore[Source[I]], Mine) - Most) / Sum;
}

int main() {
  std::vector<int> Starts =
      onHost(input<int>(Vertices + 1, Edges), Vertices + 1);
  std::sort(Starts.begin(), Starts.end());
  const int *Start = onDevice(Starts), *Source = input<int>(Edges, Vertices);
  const float *Scores = input<float>(2 * Vertices);
  float *Expected = output<float>(Edges), *Out = output<float>(Edges);
  Pair P("edge-softmax-online");
  P.same(Expected, Out, Edges);
  while (P.next())
    if (P.beforesTurn())
      before<<<Vertices / 8, 256>>>(Start, Source, Scores, Scores + Vertices,
                                    Expected);
    else
      after<<<Vertices / 8, 256>>>(Start, Source, Scores, Scores + Vertices,
                                   Out);
}

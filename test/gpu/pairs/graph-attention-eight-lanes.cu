// Rule: cuda-memory-idle-lanes
// The softmax over a vertex's edges in a graph attention layer with four heads.
// A warp has a vertex, though a vertex has six neighbours on average, or eight
// lanes have one.
// Options: --buffer=Start=sorted,count=262145,below=1711807
// Options: --buffer=Neighbour=random,count=1711807,below=262144
#include "Pair.cuh"

constexpr int Vertices = 1 << 18;

__device__ float leaky(float X) { return X > 0 ? X : 0.2f * X; }

__device__ float4 edgeScores(float4 A, float4 B) {
  return make_float4(leaky(A.x - B.x), leaky(A.y - B.y), leaky(A.z - B.z),
                     leaky(A.w - B.w));
}

struct Softmax {
  float Max = -1e30f, Sum = 0;

  __device__ void take(float OtherMax, float OtherSum) {
    const float Higher = fmaxf(Max, OtherMax);
    Sum = Sum * __expf(Max - Higher) + OtherSum * __expf(OtherMax - Higher);
    Max = Higher;
  }

  __device__ void takeLane(int Offset) {
    take(__shfl_xor_sync(0xffffffff, Max, Offset),
         __shfl_xor_sync(0xffffffff, Sum, Offset));
  }

  __device__ float share(float Score) const {
    return __expf(Score - Max) / Sum;
  }
};

template <int Lanes>
__device__ void
attend(const int *__restrict__ Start, const int *__restrict__ Neighbour,
       const float4 *__restrict__ Own, const float4 *__restrict__ Other,
       float4 *__restrict__ Share) {
  const int Vertex = (blockIdx.x * blockDim.x + threadIdx.x) / Lanes;
  const int First = Start[Vertex] + threadIdx.x % Lanes,
            End = Start[Vertex + 1];
  const float4 Mine = Own[Vertex];
  Softmax X, Y, Z, W;
  for (int E = First; E < End; E += Lanes) {
    const float4 Score = edgeScores(Mine, Other[Neighbour[E]]);
    X.take(Score.x, 1);
    Y.take(Score.y, 1);
    Z.take(Score.z, 1);
    W.take(Score.w, 1);
  }
#pragma unroll
  for (int Offset = Lanes / 2; Offset > 0; Offset /= 2) {
    X.takeLane(Offset);
    Y.takeLane(Offset);
    Z.takeLane(Offset);
    W.takeLane(Offset);
  }
  for (int E = First; E < End; E += Lanes) {
    const float4 Score = edgeScores(Mine, Other[Neighbour[E]]);
    Share[E] = make_float4(X.share(Score.x), Y.share(Score.y), Z.share(Score.z),
                           W.share(Score.w));
  }
}

__global__ void before(const int *__restrict__ Start,
                       const int *__restrict__ Neighbour,
                       const float4 *__restrict__ Own,
                       const float4 *__restrict__ Other,
                       float4 *__restrict__ Share) {
  attend<32>(Start, Neighbour, Own, Other, Share);
}

__global__ void after(const int *__restrict__ Start,
                      const int *__restrict__ Neighbour,
                      const float4 *__restrict__ Own,
                      const float4 *__restrict__ Other,
                      float4 *__restrict__ Share) {
  attend<8>(Start, Neighbour, Own, Other, Share);
}

int main() {
  std::vector<int> Starts(Vertices + 1);
  for (int V = 0; V < Vertices; ++V)
    Starts[V + 1] = Starts[V] + (mixed(V) % 64 ? mixed(V) % 13 : 40);
  const size_t Edges = Starts.back();
  const int *Start = onDevice(Starts), *Neighbour = input<int>(Edges, Vertices);
  const float4 *Own = (const float4 *)input<float>(8 * Vertices),
               *Other = Own + Vertices;
  float *Expected = output<float>(4 * Edges), *Out = output<float>(4 * Edges);
  Pair P("graph-attention-eight-lanes");
  P.same(Expected, Out, 4 * Edges);
  while (P.next())
    if (P.beforesTurn())
      before<<<Vertices / 8, 256>>>(Start, Neighbour, Own, Other,
                                    (float4 *)Expected);
    else
      after<<<Vertices / 32, 256>>>(Start, Neighbour, Own, Other,
                                    (float4 *)Out);
}

// Rule: cuda-memory-narrow-access
// Deblocking of a decoded picture: the filter of vertical block edges, four
// pixels on each side. A thread takes one edge in one row and moves its eight
// pixels as bytes, or as two words.
#include "Pair.cuh"

constexpr int Width = 3840, Height = 2160, Alpha = 40, Beta = 24;
constexpr int Edges = Width / 8 - 1;

/// P3 P2 P1 P0 | Q0 Q1 Q2 Q3, as the strong filter of H.264 has it.
__device__ inline void filterEdge(int (&P)[4], int (&Q)[4]) {
  if (abs(P[0] - Q[0]) >= Alpha || abs(P[1] - P[0]) >= Beta ||
      abs(Q[1] - Q[0]) >= Beta)
    return;
  const int P0 = P[0], P1 = P[1], P2 = P[2], P3 = P[3];
  const int Q0 = Q[0], Q1 = Q[1], Q2 = Q[2], Q3 = Q[3];
  const bool Flat = abs(P0 - Q0) < (Alpha >> 2) + 2;
  if (Flat && abs(P2 - P0) < Beta) {
    P[0] = (P2 + 2 * P1 + 2 * P0 + 2 * Q0 + Q1 + 4) >> 3;
    P[1] = (P2 + P1 + P0 + Q0 + 2) >> 2;
    P[2] = (2 * P3 + 3 * P2 + P1 + P0 + Q0 + 4) >> 3;
  } else {
    P[0] = (2 * P1 + P0 + Q1 + 2) >> 2;
  }
  if (Flat && abs(Q2 - Q0) < Beta) {
    Q[0] = (P1 + 2 * P0 + 2 * Q0 + 2 * Q1 + Q2 + 4) >> 3;
    Q[1] = (P0 + Q0 + Q1 + Q2 + 2) >> 2;
    Q[2] = (2 * Q3 + 3 * Q2 + Q1 + Q0 + P0 + 4) >> 3;
  } else {
    Q[0] = (2 * Q1 + Q0 + P1 + 2) >> 2;
  }
}

__global__ void before(const uint8_t *In, uint8_t *Out) {
  const int Edge = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (Edge >= Edges || Y >= Height)
    return;
  const int At = Y * Width + (Edge + 1) * 8;
  int P[4], Q[4];
  for (int I = 0; I < 4; ++I) {
    P[I] = In[At - 1 - I];
    Q[I] = In[At + I];
  }
  filterEdge(P, Q);
  for (int I = 0; I < 4; ++I) {
    Out[At - 1 - I] = uint8_t(P[I]);
    Out[At + I] = uint8_t(Q[I]);
  }
}

__global__ void after(const uint8_t *In, uint8_t *Out) {
  const int Edge = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (Edge >= Edges || Y >= Height)
    return;
  const int At = Y * Width + (Edge + 1) * 8;
  const uchar4 L = *reinterpret_cast<const uchar4 *>(In + At - 4);
  const uchar4 R = *reinterpret_cast<const uchar4 *>(In + At);
  int P[4] = {L.w, L.z, L.y, L.x}, Q[4] = {R.x, R.y, R.z, R.w};
  filterEdge(P, Q);
  *reinterpret_cast<uchar4 *>(Out + At - 4) =
      make_uchar4(P[3], P[2], P[1], P[0]);
  *reinterpret_cast<uchar4 *>(Out + At) = make_uchar4(Q[0], Q[1], Q[2], Q[3]);
}

int main() {
  constexpr size_t Count = size_t(Width) * Height;
  const uint8_t *In = input<uint8_t>(Count, 64);
  uint8_t *Expected = output<uint8_t>(Count), *Out = output<uint8_t>(Count);
  Pair P("deblocked-edges-by-words");
  P.same(Expected, Out, Count);
  const dim3 Block(32, 8), Grid((Edges + 31) / 32, Height / 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Expected);
    else
      after<<<Grid, Block>>>(In, Out);
}

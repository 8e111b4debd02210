// "Last = I++": what holds the number of the round before follows the counter when
// rounds are skipped, and loops of thousands of rounds with others in them end.
//
// RUN: %warpwise accesses --quiet %s | FileCheck %s

// Lanes lie side by side in all rounds but the first.
// CHECK: "name": "sides(
// CHECK: "op": "load"
// CHECK: "trips": 4000,
// CHECK: "sectors": 4.00{{[67]}}
__global__ void sides(float *Out, const float *In) {
  float Sum = 0;
  int Last = -100;
  for (int I = 0; I < 4000; Last = I++)
    Sum += In[I * 4096 + int(threadIdx.x) * (I - Last)];
  Out[threadIdx.x] = Sum;
}

// 2,048 warps make 4,000 rounds of two loads, and what data decide in private memory
// does not keep rounds from being counted.
// CHECK: "name": "inPolygon(
// CHECK: "memory": 16{{[0-9]+}},
__global__ void inPolygon(int *Out, const float2 *Points, const float2 *Corners) {
  constexpr int Each = 8;
  const int First = blockIdx.x * blockDim.x * Each + threadIdx.x;
  float2 P[Each];
  int Inside[Each];
  for (int N = 0; N < Each; ++N) {
    Inside[N] = 0;
    P[N] = Points[First + N * 256];
  }
  int Last = 3999;
  for (int I = 0; I < 4000; Last = I++) {
    const float2 A = Corners[I], B = Corners[Last];
    const float Slope = (B.x - A.x) / (B.y - A.y);
    for (int N = 0; N < Each; ++N)
      if ((A.y > P[N].y) != (B.y > P[N].y) &&
          P[N].x < Slope * (P[N].y - A.y) + A.x)
        Inside[N] = !Inside[N];
  }
  for (int N = 0; N < Each; ++N)
    Out[First + N * 256] = Inside[N];
}

int main() {
  sides<<<1, 32>>>(nullptr, nullptr);
  inPolygon<<<256, 256>>>(nullptr, nullptr, nullptr);
}

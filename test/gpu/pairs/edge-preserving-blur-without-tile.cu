// Rule: cuda-memory-needless-staging
// A step of Perona's and Malik's diffusion: four neighbours, each with an
// exponential of the difference. The block stages its pixels and a frame of
// one in shared memory, or leaves that to the L1 cache: newer guides say that
// small stencils no longer need tiles.
#include "Pair.cuh"

constexpr int Width = 2560, Height = 1600, Bx = 32, By = 8;

__device__ float flow(float Difference, float Edge) {
  return Difference * __expf(-Difference * Difference * Edge);
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out,
                       float Edge, float Step) {
  __shared__ float Tile[By + 2][Bx + 2];
  const int X0 = blockIdx.x * Bx - 1, Y0 = blockIdx.y * By - 1;
  for (int K = threadIdx.y * Bx + threadIdx.x; K < (Bx + 2) * (By + 2);
       K += Bx * By) {
    const int X = min(max(X0 + K % (Bx + 2), 0), Width - 1),
              Y = min(max(Y0 + K / (Bx + 2), 0), Height - 1);
    Tile[K / (Bx + 2)][K % (Bx + 2)] = In[Y * Width + X];
  }
  __syncthreads();
  const int Tx = threadIdx.x + 1, Ty = threadIdx.y + 1;
  const float Mid = Tile[Ty][Tx];
  const float Change =
      flow(Tile[Ty - 1][Tx] - Mid, Edge) + flow(Tile[Ty + 1][Tx] - Mid, Edge) +
      flow(Tile[Ty][Tx - 1] - Mid, Edge) + flow(Tile[Ty][Tx + 1] - Mid, Edge);
  Out[(Y0 + Ty) * Width + X0 + Tx] = Mid + Step * Change;
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out,
                      float Edge, float Step) {
  const int X = blockIdx.x * Bx + threadIdx.x,
            Y = blockIdx.y * By + threadIdx.y;
  const int West = max(X - 1, 0), East = min(X + 1, Width - 1);
  const int North = max(Y - 1, 0), South = min(Y + 1, Height - 1);
  const float Mid = In[Y * Width + X];
  const float Change = flow(In[North * Width + X] - Mid, Edge) +
                       flow(In[South * Width + X] - Mid, Edge) +
                       flow(In[Y * Width + West] - Mid, Edge) +
                       flow(In[Y * Width + East] - Mid, Edge);
  Out[Y * Width + X] = Mid + Step * Change;
}

int main() {
  constexpr int Pixels = Width * Height;
  const float *In = input<float>(Pixels);
  float *Expected = output<float>(Pixels), *Out = output<float>(Pixels);
  Pair P("edge-preserving-blur-without-tile");
  P.same(Expected, Out, Pixels);
  const dim3 Grid(Width / Bx, Height / By), Block(Bx, By);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Expected, 4.0f, 0.2f);
    else
      after<<<Grid, Block>>>(In, Out, 4.0f, 0.2f);
}

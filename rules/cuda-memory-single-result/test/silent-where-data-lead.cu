// Which nodes of a tree a thread comes to its data decide, also where these come
// from a texture: nobody knows what the next thread wants of them.
//
// RUN: %warpwise check --min-gain=0 --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel

struct Node {
  short Left, Up, Right, Down, Threshold, Unused;
};

__global__ void leaves(const Node *Nodes, const int *Leaves,
                       cudaTextureObject_t Depth, int *Out, int Wide, int High,
                       int Levels, int Count) {
  const int U = blockIdx.x * 32 + threadIdx.x, V = blockIdx.y * 8 + threadIdx.y;
  if (U >= Wide || V >= High)
    return;
  const float Scale = 1.f / tex2D<float>(Depth, U, V);
  int Id = 0;
  for (int L = 0; L < Levels; ++L) {
    const Node N = Nodes[Id];
    const int A = tex2D<float>(Depth, U + N.Left * Scale, V + N.Up * Scale),
              B = tex2D<float>(Depth, U + N.Right * Scale, V + N.Down * Scale);
    Id = 2 * Id + (A - B > N.Threshold ? 2 : 1);
  }
  Out[V * Wide + U] = Leaves[Id - Count];
}

void launch(const Node *Nodes, const int *Leaves, cudaTextureObject_t Depth,
            int *Out, int Wide, int High, int Levels, int Count) {
  leaves<<<dim3(Wide / 32, High / 8), dim3(32, 8)>>>(Nodes, Leaves, Depth, Out,
                                                     Wide, High, Levels, Count);
}

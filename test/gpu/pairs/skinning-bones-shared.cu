// Rule: cuda-memory-constant-nonuniform
// Vertices follow two of 64 bones each: the bones' matrices lie in constant
// memory, though lanes ask for different ones, or each block copies them.
// Options: --buffer=Bone=random,count=2097152,below=64
#include "Pair.cuh"

constexpr int N = 1 << 20, Bones = 64;

__constant__ float Pose[Bones * 12];

__global__ void before(const float *Vertex, const int *Bone,
                       const float *Weight, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float X = Vertex[I], Y = Vertex[N + I], Z = Vertex[2 * N + I];
  float Sums[3] = {};
  for (int K = 0; K < 2; ++K) {
    const int From = Bone[K * N + I] * 12;
    const float Share = K ? 1 - Weight[I] : Weight[I];
    for (int R = 0; R < 3; ++R)
      Sums[R] += Share * (Pose[From + 4 * R] * X + Pose[From + 4 * R + 1] * Y +
                          Pose[From + 4 * R + 2] * Z + Pose[From + 4 * R + 3]);
  }
  for (int R = 0; R < 3; ++R)
    Out[R * N + I] = Sums[R];
}

__global__ void after(const float *Vertex, const int *Bone, const float *Weight,
                      const float *Poses, float *Out) {
  __shared__ float Mine[Bones * 13];
  for (int P = threadIdx.x; P < Bones * 12; P += 256)
    Mine[P / 12 * 13 + P % 12] = Poses[P];
  __syncthreads();
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float X = Vertex[I], Y = Vertex[N + I], Z = Vertex[2 * N + I];
  float Sums[3] = {};
  for (int K = 0; K < 2; ++K) {
    const int From = Bone[K * N + I] * 13;
    const float Share = K ? 1 - Weight[I] : Weight[I];
    for (int R = 0; R < 3; ++R)
      Sums[R] += Share * (Mine[From + 4 * R] * X + Mine[From + 4 * R + 1] * Y +
                          Mine[From + 4 * R + 2] * Z + Mine[From + 4 * R + 3]);
  }
  for (int R = 0; R < 3; ++R)
    Out[R * N + I] = Sums[R];
}

int main() {
  const float *Vertex = input<float>(3 * N), *Weight = input<float>(N),
              *Poses = input<float>(Bones * 12);
  const int *Bone = input<int>(2 * N, Bones);
  must(cudaMemcpyToSymbol(Pose, Poses, Bones * 12 * sizeof(float), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("skinning-bones-shared");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Vertex, Bone, Weight, Expected);
    else
      after<<<N / 256, 256>>>(Vertex, Bone, Weight, Poses, Out);
}

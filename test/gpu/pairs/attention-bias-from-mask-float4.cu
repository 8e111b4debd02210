// Rule: cuda-memory-scalar-stream
// What attention adds where a board has no field: a thread for each number of a
// row, or for four as one vector.
#include "Pair.cuh"

constexpr int Boards = 64, Fields = 384;

__global__ void before(const float *Mask, float *Bias, int Length) {
  const int K = blockIdx.x * blockDim.x + threadIdx.x;
  const int Q = blockIdx.y, B = blockIdx.z;
  if (K >= Length)
    return;
  const float M = Mask[B * Length + K];
  Bias[(size_t(B) * Length + Q) * Length + K] = M > 0.5f ? 0.0f : -3e4f;
}

__global__ void after(const float *Mask, float *Bias, int Length) {
  const int K = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int Q = blockIdx.y, B = blockIdx.z;
  if (K >= Length)
    return;
  const float4 M = *reinterpret_cast<const float4 *>(Mask + B * Length + K);
  const auto bias = [](float Of) { return Of > 0.5f ? 0.0f : -3e4f; };
  *reinterpret_cast<float4 *>(Bias + (size_t(B) * Length + Q) * Length + K) =
      make_float4(bias(M.x), bias(M.y), bias(M.z), bias(M.w));
}

int main() {
  const size_t All = size_t(Boards) * Fields * Fields;
  const float *Mask = input<float>(Boards * Fields);
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("attention-bias-from-mask-float4");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(3, Fields, Boards), 128>>>(Mask, Expected, Fields);
    else
      after<<<dim3(1, Fields, Boards), 96>>>(Mask, Out, Fields);
}

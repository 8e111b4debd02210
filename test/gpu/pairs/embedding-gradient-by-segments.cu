// Rule: cuda-memory-atomic-contention
// Gradient of an embedding table: what every token of the batch got is added
// to its row of the table. Atomically, token by token, or by a block for each
// row, which walks the list of its tokens (a batch sorted by row).
#include "Pair.cuh"

constexpr int Tokens = 32768, Rows = 4096, Width = 256;

__global__ void before(const float *Gradient, const int *Ids, float Scale,
                       float *Table) {
  const int Token = blockIdx.x * blockDim.y + threadIdx.y;
  if (Token >= Tokens)
    return;
  const int Row = Ids[Token];
  if (Row < 0) // padding
    return;
  for (int I = threadIdx.x; I < Width; I += blockDim.x)
    atomicAdd(&Table[size_t(Row) * Width + I],
              Scale * Gradient[size_t(Token) * Width + I]);
}

__global__ void after(const float *Gradient, const int *Starts,
                      const int *Order, float Scale, float *Table) {
  const int Row = blockIdx.x * blockDim.y + threadIdx.y;
  if (Row >= Rows)
    return;
  const int Begin = Starts[Row], End = Starts[Row + 1];
  if (Begin == End)
    return;
  for (int I = threadIdx.x; I < Width; I += blockDim.x) {
    float Sum = 0;
    for (int K = Begin; K < End; ++K)
      Sum += Gradient[size_t(Order[K]) * Width + I];
    Table[size_t(Row) * Width + I] += Scale * Sum;
  }
}

int main() {
  // Every sixteenth token is padding.
  std::vector<int> Ids(Tokens), Starts(Rows + 1), Order;
  std::vector<std::vector<int>> Of(Rows);
  for (int I = 0; I < Tokens; ++I) {
    Ids[I] = I % 16 == 15 ? -1 : int(mixed(I) % Rows);
    if (Ids[I] >= 0)
      Of[Ids[I]].push_back(I);
  }
  for (int R = 0; R < Rows; ++R) {
    Starts[R] = int(Order.size());
    Order.insert(Order.end(), Of[R].begin(), Of[R].end());
  }
  Starts[Rows] = int(Order.size());
  const int *DeviceIds = onDevice(Ids), *DeviceStarts = onDevice(Starts),
            *DeviceOrder = onDevice(Order);
  const float *Gradient = input<float>(size_t(Tokens) * Width);
  float *Expected = output<float>(size_t(Rows) * Width),
        *Out = output<float>(size_t(Rows) * Width);
  Pair P("embedding-gradient-by-segments");
  P.same(Expected, Out, size_t(Rows) * Width);
  while (P.next())
    if (P.beforesTurn())
      before<<<Tokens / 4, dim3(64, 4)>>>(Gradient, DeviceIds, 0.125f,
                                          Expected);
    else
      after<<<Rows / 4, dim3(64, 4)>>>(Gradient, DeviceStarts, DeviceOrder,
                                       0.125f, Out);
}

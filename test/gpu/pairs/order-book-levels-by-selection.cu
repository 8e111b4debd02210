// Rule: cuda-memory-local-array
// Each thread replays the messages of one instrument on the eight best bids of
// its order book, then measures depth and gap. Levels are searched and shifted
// with indices that the messages decide, or by comparing all eight.
#include "Pair.cuh"

constexpr int Books = 1 << 17, Messages = 64, Depth = 8;

struct Book {
  int Price[Depth], Size[Depth], Levels;
};

__device__ int priceOf(uint32_t Message) { return 1000 + (Message >> 27); }
__device__ int sizeOf(uint32_t Message) { return (Message & 3) * 100; }

__device__ void applySearching(Book &B, int Price, int Size) {
  int At = 0;
  while (At < B.Levels && B.Price[At] > Price)
    ++At;
  if (At < B.Levels && B.Price[At] == Price) {
    if (Size > 0) {
      B.Size[At] = Size;
      return;
    }
    --B.Levels;
    for (int I = At; I < B.Levels; ++I) {
      B.Price[I] = B.Price[I + 1];
      B.Size[I] = B.Size[I + 1];
    }
  } else if (Size > 0 && At < Depth) {
    if (B.Levels < Depth)
      ++B.Levels;
    for (int I = B.Levels - 1; I > At; --I) {
      B.Price[I] = B.Price[I - 1];
      B.Size[I] = B.Size[I - 1];
    }
    B.Price[At] = Price;
    B.Size[At] = Size;
  }
}

__device__ void applySelecting(Book &B, int Price, int Size) {
  bool Known = false;
#pragma unroll
  for (int I = 0; I < Depth; ++I)
    Known |= B.Price[I] == Price;
  if (Known && Size > 0) {
#pragma unroll
    for (int I = 0; I < Depth; ++I)
      B.Size[I] = B.Price[I] == Price ? Size : B.Size[I];
  } else if (Known) {
#pragma unroll
    for (int I = 0; I < Depth; ++I) {
      const bool Moves = B.Price[I] <= Price;
      const int NextPrice = I + 1 < Depth ? B.Price[I + 1] : -1;
      const int NextSize = I + 1 < Depth ? B.Size[I + 1] : 0;
      B.Price[I] = Moves ? NextPrice : B.Price[I];
      B.Size[I] = Moves ? NextSize : B.Size[I];
    }
  } else if (Size > 0) {
#pragma unroll
    for (int I = Depth - 1; I >= 0; --I) {
      const bool Moves = B.Price[I] < Price;
      const bool Opens = I == 0 || B.Price[I - 1] > Price;
      const int NewPrice = Opens ? Price : B.Price[I - 1];
      const int NewSize = Opens ? Size : B.Size[I - 1];
      B.Price[I] = Moves ? NewPrice : B.Price[I];
      B.Size[I] = Moves ? NewSize : B.Size[I];
    }
  }
}

__global__ void before(const uint32_t *__restrict__ Feed,
                       int *__restrict__ Features) {
  const int Id = blockIdx.x * blockDim.x + threadIdx.x;
  Book B;
  B.Levels = 0;
  int Volume = 0, Gap = 0;
  for (int M = 0; M < Messages; ++M) {
    const uint32_t Message = Feed[M * Books + Id];
    applySearching(B, priceOf(Message), sizeOf(Message));
    for (int I = 0; I < B.Levels; ++I)
      Volume += B.Size[I];
    if (B.Levels > 1)
      Gap += B.Price[0] - B.Price[1];
  }
  Features[Id] = Volume;
  Features[Books + Id] = Gap;
  Features[2 * Books + Id] = B.Levels > 0 ? B.Price[0] : -1;
}

__global__ void after(const uint32_t *__restrict__ Feed,
                      int *__restrict__ Features) {
  const int Id = blockIdx.x * blockDim.x + threadIdx.x;
  Book B;
#pragma unroll
  for (int I = 0; I < Depth; ++I) {
    B.Price[I] = -1;
    B.Size[I] = 0;
  }
  int Volume = 0, Gap = 0;
  for (int M = 0; M < Messages; ++M) {
    const uint32_t Message = Feed[M * Books + Id];
    applySelecting(B, priceOf(Message), sizeOf(Message));
#pragma unroll
    for (int I = 0; I < Depth; ++I)
      Volume += B.Size[I];
    if (B.Price[1] >= 0)
      Gap += B.Price[0] - B.Price[1];
  }
  Features[Id] = Volume;
  Features[Books + Id] = Gap;
  Features[2 * Books + Id] = B.Price[0];
}

int main() {
  const uint32_t *Feed =
      input<uint32_t>(size_t(Books) * Messages, 0xffffffffu);
  int *Expected = output<int>(3 * Books), *Out = output<int>(3 * Books);
  Pair P("order-book-levels-by-selection");
  P.same(Expected, Out, 3 * Books);
  while (P.next())
    if (P.beforesTurn())
      before<<<Books / 128, 128>>>(Feed, Expected);
    else
      after<<<Books / 128, 128>>>(Feed, Out);
}

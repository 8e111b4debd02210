// Rule: cuda-memory-array-of-structs
// Keys are looked up in a hash table with open addressing, three quarters of
// whose slots are full: key and value of a slot lie together, or keys have an
// array of their own.
#include "Pair.cuh"

constexpr uint32_t Slots = 1 << 22, Full = Slots / 4 * 3, N = 1 << 20;

struct alignas(16) Slot {
  uint32_t Key, Flags;
  double Value;
};

template <class F, class G>
__device__ void look(const uint32_t *Wanted, double *Out, F Key, G Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t Want = Wanted[I];
  uint32_t At = mixed(Want) % Slots;
  while (Key(At) != Want && Key(At) != 0)
    At = (At + 1) % Slots;
  Out[I] = Key(At) == Want ? Value(At) : -1;
}

__global__ void before(const Slot *Table, const uint32_t *Wanted, double *Out) {
  look(
      Wanted, Out, [&](uint32_t At) { return Table[At].Key; },
      [&](uint32_t At) { return Table[At].Value; });
}

__global__ void after(const uint32_t *Keys, const double *Values,
                      const uint32_t *Wanted, double *Out) {
  look(
      Wanted, Out, [&](uint32_t At) { return Keys[At]; },
      [&](uint32_t At) { return Values[At]; });
}

int main() {
  std::vector<Slot> Host(Slots);
  std::vector<uint32_t> Key(Slots), Want(N);
  std::vector<double> Value(Slots);
  for (uint32_t K = 1; K <= Full; ++K) {
    uint32_t At = mixed(K) % Slots;
    while (Key[At] != 0)
      At = (At + 1) % Slots;
    Host[At].Key = Key[At] = K;
    Host[At].Value = Value[At] = K * 0.5;
  }
  for (uint32_t I = 0; I < N; ++I)
    Want[I] = 1 + mixed(I + 12345678) % (Full + Full / 4);
  const Slot *Table = onDevice(Host);
  const uint32_t *Keys = onDevice(Key), *Wanted = onDevice(Want);
  const double *Values = onDevice(Value);
  double *Expected = output<double>(N), *Out = output<double>(N);
  Pair P("hash-slots-keys-apart");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Table, Wanted, Expected);
    else
      after<<<N / 256, 256>>>(Keys, Values, Wanted, Out);
}

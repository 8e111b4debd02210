// Rule: cuda-memory-gather
// The probe side of a hash join with a sum over the partners: the rows of a
// bucket are linked in a chain through the build table, or lie one after
// another as key and payload, with an array of where each bucket starts.
#include "Pair.cuh"

constexpr int Built = 1 << 21, Buckets = 1 << 19, Probes = 1 << 20;

__host__ __device__ inline uint32_t bucketOf(int Key) {
  uint32_t H = uint32_t(Key) * 0x85ebca6bu;
  H ^= H >> 13;
  H *= 0xc2b2ae35u;
  return (H ^ H >> 16) % Buckets;
}

__global__ void before(const int *__restrict__ Head,
                       const int *__restrict__ Next,
                       const int *__restrict__ Key,
                       const int *__restrict__ Payload,
                       const int *__restrict__ Probe, int *Sums, int *Matches) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Probes;
       I += gridDim.x * blockDim.x) {
    const int Wanted = Probe[I];
    int Sum = 0, Found = 0;
    for (int R = Head[bucketOf(Wanted)]; R >= 0; R = Next[R])
      if (Key[R] == Wanted) {
        Sum += Payload[R];
        ++Found;
      }
    Sums[I] = Sum;
    Matches[I] = Found;
  }
}

__global__ void after(const int *__restrict__ Start,
                      const int2 *__restrict__ Rows,
                      const int *__restrict__ Probe, int *Sums, int *Matches) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Probes;
       I += gridDim.x * blockDim.x) {
    const int Wanted = Probe[I];
    const uint32_t Bucket = bucketOf(Wanted);
    const int End = Start[Bucket + 1];
    int Sum = 0, Found = 0;
    for (int R = Start[Bucket]; R < End; ++R) {
      const int2 Row = Rows[R];
      if (Row.x == Wanted) {
        Sum += Row.y;
        ++Found;
      }
    }
    Sums[I] = Sum;
    Matches[I] = Found;
  }
}

int main() {
  std::vector<int> Key(Built), Payload(Built), Next(Built), Head(Buckets, -1);
  std::vector<int> Start(Buckets + 1, 0), Probe(Probes);
  for (int R = 0; R < Built; ++R) {
    Key[R] = int(mixed(R) % Built);
    Payload[R] = int(mixed(R + Built) % 1000);
    Next[R] = Head[bucketOf(Key[R])];
    Head[bucketOf(Key[R])] = R;
    ++Start[bucketOf(Key[R]) + 1];
  }
  for (int B = 0; B < Buckets; ++B)
    Start[B + 1] += Start[B];
  std::vector<int> Fill(Start.begin(), Start.end() - 1);
  std::vector<int2> Rows(Built);
  for (int R = 0; R < Built; ++R)
    Rows[Fill[bucketOf(Key[R])]++] = make_int2(Key[R], Payload[R]);
  for (int I = 0; I < Probes; ++I)
    Probe[I] = int(mixed(I + 7 * size_t(Built)) % Built);
  const int *DHead = onDevice(Head), *DNext = onDevice(Next),
            *DKey = onDevice(Key), *DPayload = onDevice(Payload),
            *DProbe = onDevice(Probe), *DStart = onDevice(Start);
  const int2 *DRows = onDevice(Rows);
  int *Expected = output<int>(Probes), *Out = output<int>(Probes);
  int *ExpectedMatches = output<int>(Probes), *Matches = output<int>(Probes);
  Pair P("hash-join-buckets-contiguous");
  P.same(Expected, Out, Probes);
  P.same(ExpectedMatches, Matches, Probes);
  while (P.next())
    if (P.beforesTurn())
      before<<<2048, 256>>>(DHead, DNext, DKey, DPayload, DProbe, Expected,
                            ExpectedMatches);
    else
      after<<<2048, 256>>>(DStart, DRows, DProbe, Out, Matches);
}

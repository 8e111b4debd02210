// The cause is the index, also where the optimiser has moved its computation,
// or a call that needs the array in memory. A class without an array is none,
// what nobody can name is not said, and neither is what nvcc has registers for:
// arrays of which it selects the element by comparisons.
//
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h100-pcie --quiet --no-nvcc %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__device__ float reduce(float V) {
  for (int M = 16; M; M /= 2)
    V += __shfl_xor_sync(~0u, V, M);
  return V;
}

__global__ void scores(float *Out, const float *In, int T) {
  unsigned Lane = threadIdx.x % 32;
  for (int Row = blockIdx.x; Row < T; ++Row) {
    float Result[80] = {};
    // CHECK: [[@LINE-1]]: warning: private array 'Result' stays in local memory in Clang's view, because index 'Lane' is not a constant
    // CHECK: note: keep 'Result' in shared memory, with a column for each thread
    for (int I = Lane; I <= Row; I += 32)
      for (int K = 0; K < 80; ++K) {
        if (Row < K)
          continue;
        Result[K] += In[Row * T + I] * K;
      }
    for (int K = 0; K < 80; ++K)
      Result[K] = reduce(Result[K]);
    if (Lane < 80)
      Out[Row * T + Lane] = 3 * Result[Lane];
  }
}

__global__ void selected(float *Out, const float *In) {
  float Few[16];
  for (int K = 0; K < 16; ++K)
    Few[K] = In[K * 256 + threadIdx.x] * K;
  Out[threadIdx.x] = Few[threadIdx.x % 16];
}

__global__ void selectedInALoop(float *Out, const float *In, const int *At,
                                int N) {
  float Few[4], Many[8], Sum = 0;
  // CHECK: [[@LINE-1]]: warning: private array 'Many' stays in local memory in Clang's view, because index 'At[I] & 7' is not a constant
  for (int K = 0; K < 4; ++K)
    Few[K] = In[K * 256 + threadIdx.x] * K;
  for (int K = 0; K < 8; ++K)
    Many[K] = In[K * 256 + threadIdx.x] + K;
  for (int I = 0; I < N; ++I)
    Sum += Few[At[I] & 3] + Many[At[I] & 7];
  Out[threadIdx.x] = Sum;
}

// A macro's index has no text of its own where the macro is used: neither that
// of the last argument nor that of another subscript.
#define ROTATED(Word, By) ((Word) << (By) | (Word) >> (32 - (By)))
#define MIX(To, At)                                                            \
  Sums[To] += Words[Order[At]];                                                \
  Sums[1] = ROTATED(Sums[1] ^ Sums[To], 7);
__global__ void mixed(unsigned *Out, const unsigned char *Order, int Rounds) {
  unsigned Words[32], Sums[2] = {};
  // CHECK: [[@LINE-1]]: warning: private array 'Words' stays in local memory in Clang's view, because an index is not a constant
  for (int K = 0; K < 32; ++K)
    Words[K] = Out[K * 256 + threadIdx.x];
  for (int Round = 0; Round < Rounds; ++Round) {
    MIX(0, Round)
  }
  Out[threadIdx.x] = Sums[0] + Sums[1];
}

// Nor is a class with a virtual base, in whose layout there are gaps.
struct Place {
  float4 At;
  unsigned Neighbour;
  unsigned char Cell;
  __device__ Place(float4 At) : At(At), Neighbour(0), Cell(0) {}
};
template <int Kind> struct Walk : virtual Place {
  const unsigned *List;
  long I;
  Walk &&Self; // which leads back to the class
  __device__ Walk(float4 At, const unsigned *List)
      : Place(At), List(List), I(Kind), Self(static_cast<Walk &&>(*this)) {}
  __device__ bool next() {
    Neighbour = List[I += 32];
    return Neighbour != 0;
  }
};
struct Both : Walk<0>, Walk<1> {
  __device__ Both(float4 At, const unsigned *List)
      : Place(At), Walk<0>(At, List), Walk<1>(At, List) {}
};
__device__ __noinline__ float weigh(Place &P) { return P.At.x + P.Neighbour; }
__global__ void walked(float *Out, const float4 *In, const unsigned *List) {
  Both Neighbours(In[threadIdx.x], List + threadIdx.x);
  float Sum = 0;
  while (Neighbours.Walk<0>::next())
    Sum += weigh(Neighbours);
  while (Neighbours.Walk<1>::next())
    Sum += weigh(Neighbours);
  Out[threadIdx.x] = Sum;
}

extern "C" __device__ int printf(const char *, ...);
__global__ void printed(int Depth) {
  char Indent[32];
  // CHECK: [[@LINE-1]]: warning: private array 'Indent' stays in local memory in Clang's view, because its address is passed to 'printf'
  // CHECK: note: leave the call of 'printf' out where time matters
  for (int I = 0; I < Depth; ++I)
    Indent[I] = ' ';
  Indent[Depth] = 0;
  printf("%sblock %d\n", Indent, blockIdx.x);
}

__device__ float descend(float *Of, int Depth) {
  if (Depth == 0)
    return Of[0];
  Of[Depth & 1] += descend(Of, Depth - 1);
  return Of[1];
}

__global__ void recursive(float *Out, int Depth) {
  float Of[2] = {float(Depth), 1};
  // CHECK: [[@LINE-1]]: warning: private array 'Of' stays in local memory in Clang's view, because its address is passed to 'descend'
  // CHECK: note: 'descend' calls itself: make a loop of it to have it inlined
  Out[threadIdx.x] = descend(Of, Depth);
}

struct Handle {
  int Data[2];
};
struct Group {
  const Handle &Its;
  volatile int *Arrived;
};
__global__ void handles(int *Out) {
  Handle Mine{{1, 2}};
  Group All{Mine, Out};
  asm volatile("// %0" ::"l"(&All) : "memory");
}

void launch(float *Out, const float *In, int T) {
  scores<<<T, 128>>>(Out, In, T);
  selected<<<1, 128>>>(Out, In);
  selectedInALoop<<<1, 128>>>(Out, In, (const int *)In, T);
  printed<<<1, 128>>>(T);
  recursive<<<1, 128>>>(Out, T);
  handles<<<1, 128>>>((int *)Out);
}

// Nor is what holds it known where Clang could not read the function that gets its
// address.
int onTheHost(int);
__device__ void unread(float *Values, int N) {
  for (int I = 0; I < N; ++I)
    Values[I] = onTheHost(I);
}

__global__ void passedToIt(float *Out, int N) {
  float Values[64];
  unread(Values, N);
  for (int I = 0; I < N; ++I)
    Out[I * 256 + threadIdx.x] = Values[63 - I % 2];
}

// Stores and copies of lane code stay within what the kernel was given, whatever
// its data are: nothing here ends the analysis.
//
// RUN: %warpwise reuse --quiet --cuda-path=none --arg n=64 --buffer q=iota,count=4096 %s -- \
// RUN:   >%t.out 2>%t.err || true
// RUN: FileCheck --implicit-check-not=crashed --allow-empty %s --check-prefix=CALM <%t.err
// RUN: FileCheck --implicit-check-not=crashed %s <%t.out
// CALM-NOT: signal

// Through a pointer that may be private.
// CHECK: selected(
// CHECK: L1 stores
__global__ void selected(long *out, long *q, int n) {
  long a[4] = {1, 2, 3, 4};
  long *t = n > 5 ? a : q;
  for (int i = 0; i < n; ++i)
    t[i] = 0x4242424242424242;
  out[a[threadIdx.x & 3] & 1023] = 1;
}

// Behind a private array whose contents decide addresses.
// CHECK: behind(
// CHECK: L1 stores
__global__ void behind(long *out, long *q, int n) {
  long a[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i)
    a[q[i] * 1000] = i;
  out[a[threadIdx.x & 3] & 1023] = 1;
}

// The results of a function of mathematics.
// CHECK: results(
extern "C" __device__ void __nv_sincosf(float, float *, float *);
__global__ void results(long *out, long *q, int n) {
  float s[2] = {0, 0}, c = 0;
  __nv_sincosf(1.0f, s + q[n & 7] * 1000, &c);
  out[long(c + s[threadIdx.x & 1]) & 1023] = 1;
}

// A copy that begins inside.
// CHECK: copied(
__global__ void copied(long *out, long *q, int n) {
  long a[4] = {1, 2, 3, 4};
  memcpy(a, q, 1 << 26);
  out[a[threadIdx.x & 3] & 1023] = 1;
}

// A structure that is passed by value.
struct Numbers {
  long Values[4];
};
// CHECK: byValue(
__global__ void byValue(long *out, Numbers s, int n) {
  out[s.Values[n * 1000000 + threadIdx.x] & 1023] = 1;
}

// A large vector, beyond a private array.
typedef int Wide __attribute__((vector_size(64)));
// CHECK: wide(
__global__ void wide(long *out, long *q, int n) {
  Wide a[2];
  for (int i = 0; i < n; ++i)
    a[q[i] * 100] = Wide{i};
  out[a[threadIdx.x & 1][0] & 1023] = 1;
}

// Exchanged values, so that threads run side by side.
// CHECK: sideBySide(
// CHECK: L1 stores
__global__ void sideBySide(long *out, long *q, int n) {
  long a[4] = {1, 2, 3, 4};
  long *t = n > 5 ? a : q;
  for (int i = 0; i < n; ++i)
    t[i * 100 - 3000] = 0x4242424242424242;
  const int v = __shfl_sync(~0u, int(a[threadIdx.x & 3]), threadIdx.x ^ 3);
  out[v & 1023] = 1;
}

// Divisions that a CPU does not survive.
// CHECK: divided(
// CHECK: L1 stores
__global__ void divided(long *out, int least, int minusOne, int zero) {
  const int a = least / minusOne + least % minusOne;
  const int b = least / zero + least % zero;
  const unsigned c = unsigned(least) / unsigned(zero);
  out[(a + b + c + threadIdx.x) & 1023] = 1;
}

void launch(long *out, long *q, int n) {
  selected<<<1, 32>>>(out, q, n);
  behind<<<1, 32>>>(out, q, n);
  results<<<1, 32>>>(out, q, n);
  copied<<<1, 32>>>(out, q, n);
  Numbers s = {{1, 2, 3, 4}};
  byValue<<<1, 32>>>(out, s, n);
  wide<<<1, 32>>>(out, q, n);
  sideBySide<<<1, 32>>>(out, q, n);
  divided<<<1, 32>>>(out, -2147483647 - 1, -1, 0);
}

// The host takes the widest vector that divides a row. What is left for odd rows
// is narrow, and there is nothing to be done about it; but without the wider ones
// there is.
//
// RUN: %warpwise check --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=tesla-k20c --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

template <typename T, int Width> struct alignas(Width * sizeof(T)) Vector {
  T Values[Width];
};

template <typename T, int Width>
__global__ void copy(const T *From, T *To, int Row) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  using V = Vector<T, Width>;
  if (I < Row / Width)
    reinterpret_cast<V *>(To)[I] = reinterpret_cast<const V *>(From)[I];
}

template <typename T, int Width>
__global__ void negate(const T *From, T *To, int Row) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Row)
    To[I] = Width - From[I];
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: global {{load|store}} moves 1 byte per lane
}

// Another number that changes nothing is no cure.
template <int Scale>
__global__ void scale(const unsigned char *From, unsigned char *To) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = From[I] * Scale;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: global {{load|store}} moves 1 byte per lane
}

// By a type, as half and half2 are.
struct Byte { unsigned char Value; };
struct alignas(4) Byte4 { unsigned char X, Y, Z, W; };

template <typename T> __global__ void copyAs(const T *From, T *To, int Row) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Row)
    To[I] = From[I];
}

bool mayBeVectors(const void *Row);

void launchAs(const unsigned char *From, unsigned char *To, int Row) {
  if (mayBeVectors(From))
    copyAs<<<64, 256>>>((const Byte4 *)From, (Byte4 *)To, Row / 4);
  else
    copyAs<<<256, 256>>>((const Byte *)From, (Byte *)To, Row);
}

void launch(const unsigned char *From, unsigned char *To, int Row) {
  if (Row % 4 == 0)
    copy<unsigned char, 4><<<64, 256>>>(From, To, Row);
  else
    copy<unsigned char, 1><<<256, 256>>>(From, To, Row);
  negate<unsigned char, 255><<<256, 256>>>(From, To, Row);
  scale<2><<<65536, 256>>>(From, To);
  scale<3><<<1, 256>>>(From, To);
}

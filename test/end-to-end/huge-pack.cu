// A template's name may be hundreds of kilobytes long: what is printed of it is
// cut, and the finding still stands.
// RUN: %warpwise check --gpu=nvidia-h200 %s -- > %t.check 2>&1
// RUN: FileCheck %s < %t.check
// RUN: FileCheck %s --check-prefix=LARGE < %t.check
// RUN: awk 'length > 1200 { exit 1 }' %t.check
// RUN: %warpwise check --gpu=nvidia-h200 --format=json %s -- > %t.json
// RUN: not %warpwise reuse --gpu=nvidia-h200 --buffer Out=zeros,count=1024 \
// RUN:   %s -- > %t.reuse 2>&1
// RUN: awk 'length > 1200 { exit 1 }' %t.reuse

template <typename T, T... Values> struct Sequence {};

template <int... Values>
__global__ void pack(float *Out, Sequence<int, Values...>) {
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: global store is uncoalesced
  Out[threadIdx.x * 32] = 1;
}

// LARGE: kernel 'void tooLarge<0, 1, 2,{{.*}} 49999>)' was not analysed
template <int... Values>
__global__ void tooLarge(float *Out, Sequence<int, Values...>) {
  __shared__ float Tile[1u << 29];
  Tile[threadIdx.x] = 1;
  Out[threadIdx.x] = Tile[threadIdx.x + 1];
}

void launch(float *Out) {
  pack<<<1, 32>>>(Out, __make_integer_seq<Sequence, int, 50000>());
  tooLarge<<<1, 32>>>(Out, __make_integer_seq<Sequence, int, 50000>());
}

// Where every index has a stride of its own one is likely 1, and the kernel does
// not say which: so there is no likely number, unless the launch says it.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

struct View {
  float *Data;
  long Strides[2];
};

// CHECK-LABEL: "name": "transpose(View, View, long)"
__global__ void transpose(View To, View From, long Count) {
  for (long J = 0; J < Count; ++J)
    // The columns of From lie apart, for all that is known of To.
    // CHECK: "op": "load"
    // CHECK: "proof": "estimated"
    // CHECK: "sectors": 32,
    // CHECK: "op": "store"
    // CHECK: "proof": "estimated"
    // CHECK: "sectors": null,
    To.Data[threadIdx.x * To.Strides[0] + J * To.Strides[1]] =
        From.Data[threadIdx.x * From.Strides[0] + J * From.Strides[1]];
}

// The host code passes 1 or a width, and only with 1 the run comes to the short
// rows at all: that is one of the layouts, not the likely one.
struct Matrix {
  short *Data;
  bool IsFlat;
  unsigned Width;
};

struct Rows {
  short *Data;
  unsigned Row, Column;
};

// CHECK-LABEL: "name": "pad(Rows, unsigned int, unsigned int)"
__global__ void pad(Rows To, unsigned Kept, unsigned Added) {
  const unsigned T = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned I = T / (Kept + Added), J = T % (Kept + Added);
  // CHECK: "sectors": null,
  // CHECK: "sectors": null,
  if (J >= Kept)
    To.Data[J * size_t(To.Row) + I * size_t(To.Column)] = 1;
  else
    To.Data[J * size_t(To.Row) + I * size_t(To.Column)] = 2 * J;
}

void launchPad(const Matrix &To, unsigned Kept, unsigned Added) {
  const Rows All = {To.Data, To.IsFlat ? 1u : To.Width,
                    To.IsFlat ? To.Width : 1u};
  pad<<<Kept, 128>>>(All, Kept, Added);
}

void launch(long Rows, long Columns, long Others) {
  View From, To;
  cudaMalloc(&From.Data, 1 << 30);
  cudaMalloc(&To.Data, 1 << 30);
  From.Strides[0] = Columns;
  From.Strides[1] = 1;
  To.Strides[0] = Rows;
  To.Strides[1] = Others;
  transpose<<<1, 64>>>(To, From, Columns);
}

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

// Instances of one template that do not compile for one cause are one line, but
// for the document, which has them all.
//
// RUN: not %warpwise check --gpu=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:
// RUN: not %warpwise check --gpu=nvidia-h200 --format=json %s -- 2>/dev/null \
// RUN:   | FileCheck --check-prefix=JSON %s

template <typename T> struct Box {
  T Content;
  Box &operator=(const Box &) = delete;
};

template <typename T> __global__ void fill(T *Out) {
  Box<T> One{T()}, Two{T()};
  // CHECK: broken-instances.cu:[[@LINE+1]]:7: error: kernel 'fill<char>' and 2 more instances were not analysed: overload resolution selected deleted operator '='
  One = Two;
  Out[threadIdx.x] = One.Content;
}

void launch(float *F, int *I, char *C) {
  fill<<<1, 32>>>(F);
  fill<<<1, 32>>>(I);
  fill<<<1, 32>>>(C);
}
// JSON-DAG: kernel 'fill<float>' was not analysed
// JSON-DAG: kernel 'fill<int>' was not analysed
// JSON-DAG: kernel 'fill<char>' was not analysed

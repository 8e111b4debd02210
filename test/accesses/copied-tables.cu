// Shapes and strides that the host code copies to the device are taken to be
// there when the kernel runs: likely, as something else may change them. What a
// kernel may store to is not known any more, and neither is what is copied from
// memory that is not known.
//
// RUN: %warpwise accesses --profile=nvidia-h200 %s -- | FileCheck %s

__global__ void permute(const int *Shape, const float *Inverse,
                        const int *Stride, float *To) {
  __shared__ float Tile[2048];
  int Left = threadIdx.x, At = 0;
  for (int I = 0; I < 2; ++I) {
    int Next = Left * Inverse[I];
    At += Stride[I] * (Left - Next * Shape[I]);
    Left = Next;
  }
  // CHECK: "line": [[#@LINE+7]],
  // CHECK: "object": "Tile"
  // CHECK: "proof": "estimated",
  // CHECK-NEXT: "reason": "memory is taken to hold what the host code copies there",
  // CHECK: "wavefronts": 8,
  // CHECK: "low": 8,
  // CHECK-NEXT: "high": 8
  To[threadIdx.x] = Tile[At];
}

// CHECK: "name": "change(
__global__ void change(int *Index) { Index[threadIdx.x] += 1; }

// CHECK: "name": "look(
__global__ void look(const int *Index, float *To) {
  // CHECK: "line": [[#@LINE+4]],
  // CHECK: "object": "To"
  // CHECK: "proof": "data-dependent",
  // CHECK-NEXT: "reason": "the address is computed from values loaded from memory",
  To[Index[threadIdx.x]] = 1;
}

static const int Shape[] = {8, 4};
static const float Inverse[] = {1.0f / 8, 1.0f / 4};
static const int Stride[] = {128, 1};

void launch(const int *Unknown) {
  int *DShape, *DStride, *Index, *Other;
  float *DInverse, *To;
  cudaMalloc(&DShape, sizeof(Shape));
  cudaMalloc(&DStride, sizeof(Stride));
  cudaMalloc(&DInverse, sizeof(Inverse));
  cudaMalloc(&To, 1 << 20);
  cudaMemcpy(DShape, Shape, sizeof(Shape), cudaMemcpyHostToDevice);
  cudaMemcpy(DStride, Stride, sizeof(Stride), cudaMemcpyHostToDevice);
  cudaMemcpy(DInverse, Inverse, sizeof(Inverse), cudaMemcpyHostToDevice);
  permute<<<1, 32>>>(DShape, DInverse, DStride, To);

  int Numbers[32];
  for (int I = 0; I < 32; ++I)
    Numbers[I] = I;
  cudaMalloc(&Index, sizeof(Numbers));
  cudaMemcpy(Index, Numbers, sizeof(Numbers), cudaMemcpyHostToDevice);
  change<<<1, 32>>>(Index);
  look<<<1, 32>>>(Index, To);
  cudaMalloc(&Other, sizeof(Numbers));
  cudaMemcpy(Other, Numbers, sizeof(Numbers), cudaMemcpyHostToDevice);
  cudaMemcpy(Other, Unknown, 64, cudaMemcpyHostToDevice);
  look<<<1, 32>>>(Other, To);
}

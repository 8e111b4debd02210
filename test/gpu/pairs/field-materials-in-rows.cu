// Rule: cuda-memory-constant-nonuniform
// Maxwell's equations where each row of cells is of one of 16 materials, whose
// coefficients are constants. The index is data, yet all lanes have the same.
// Options: --buffer=Material=random,count=8192,below=16
#include "Pair.cuh"

constexpr int Wide = 256, Rows = 8192, Materials = 16;

__constant__ float2 Coefficient[Materials];

__device__ float curl(const float *HX, const float *HY, int I) {
  return HY[I + 1] - HY[I] - HX[I + Wide] + HX[I];
}

__global__ void before(const int *Material, const float *HX, const float *HY,
                       const float *Old, float *New) {
  const int I = blockIdx.x * Wide + threadIdx.x;
  const float2 C = Coefficient[Material[I / Wide]];
  New[I] = C.x * Old[I] + C.y * curl(HX, HY, I);
}

__global__ void after(const int *Material, const float2 *__restrict__ Table,
                      const float *HX, const float *HY, const float *Old,
                      float *New) {
  const int I = blockIdx.x * Wide + threadIdx.x;
  const float2 C = Table[Material[I / Wide]];
  New[I] = C.x * Old[I] + C.y * curl(HX, HY, I);
}

int main() {
  constexpr int Cells = Wide * Rows;
  const int *Material = input<int>(Rows, Materials);
  const float *Table = input<float>(2 * Materials);
  must(cudaMemcpyToSymbol(Coefficient, Table, Materials * sizeof(float2), 0,
                          cudaMemcpyDeviceToDevice));
  const float *HX = input<float>(Cells + Wide), *HY = input<float>(Cells + 1),
              *Old = input<float>(Cells);
  float *Expected = output<float>(Cells), *Out = output<float>(Cells);
  Pair P("field-materials-in-rows");
  P.same(Expected, Out, Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Wide>>>(Material, HX, HY, Old, Expected);
    else
      after<<<Rows, Wide>>>(Material, (const float2 *)Table, HX, HY, Old, Out);
}

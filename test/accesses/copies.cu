// A vector that is copied is one access on each side, wherever it goes; memcpy()
// by name moves bytes, as nvcc compiles it. Tables that a kernel declares are no
// memory of other lanes; const ones of the file lie in global memory.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null \
// RUN:   | %python -c 'import json, sys; [print(k["name"].split("(")[0], a["space"], a["op"], a["bytes"], a["trips"], a["per_launch"][0]["sectors"] or a["per_launch"][0]["wavefronts"]) for k in json.load(sys.stdin)["kernels"] for a in k["accesses"]]' \
// RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{[a-z]}}

// CHECK: intoArray global load 16 2 32
// CHECK: intoArray global store 4 1 4
__global__ void intoArray(const float *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float L[8], S = 0;
  for (int C = 0; C < 2; ++C)
    reinterpret_cast<float4 *>(L)[C] =
        reinterpret_cast<const float4 *>(In)[2 * I + C];
  for (int C = 0; C < 8; ++C)
    S += L[C];
  Out[I] = S;
}

// Each is listed in both lines that line tables may have it in.
// CHECK-COUNT-2: toShared global load 16 1 16
// CHECK-COUNT-2: toShared shared store 16 1 4
__global__ void toShared(const float *In) {
  __shared__ __align__(16) float S[1024];
  *reinterpret_cast<float4 *>(&S[threadIdx.x * 4]) =
      *reinterpret_cast<const float4 *>(
          &In[(blockIdx.x * 256 + threadIdx.x) * 4]);
}

// CHECK: oneMember global load 4 1 16
// CHECK: oneMember global store 4 1 4
__global__ void oneMember(const float4 *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float4 V = In[I];
  Out[I] = V.y;
}

// CHECK: byName global load 1 512 32
// CHECK: byName global store 1 512 32
__global__ void byName(const char *In, char *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __builtin_memcpy(Out + I * 512, In + I * 512, 512);
}

// CHECK: cleared global store 16 1 32
// CHECK: cleared global store 16 1 32
struct alignas(16) Eight {
  float V[8];
};
__global__ void cleared(Eight *Out) {
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Eight{};
}

// CHECK: tables global load 4 1 1
// CHECK: tables global store 4 1 4
// CHECK: tables local store 16 None 16
// CHECK: tables local load 4 None 21.0{{[0-9]*}}
__device__ const float Mine[] = {1, 2, 4, 8};
__global__ void tables(float *Out) {
  const float Own[] = {1, 2, 4, 8, 16, 32, 64, 128};
  Out[threadIdx.x] = Mine[threadIdx.x & 3] + Own[threadIdx.x & 7];
}

void launch(float *F, const float *G, char *C, const char *D) {
  intoArray<<<64, 256>>>(G, F);
  toShared<<<64, 256>>>(G);
  oneMember<<<64, 256>>>((const float4 *)G, F);
  byName<<<64, 256>>>(D, C);
  cleared<<<64, 256>>>((Eight *)F);
  tables<<<1, 256>>>(F);
}

// nvcc makes one store of those that end the arms of a branch, if they go to one
// address: all lanes store together, under the line of any of the arms, so both
// have it. Read off cubins of nvcc 13.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null \
// RUN:   | %python -c 'import json, sys; [print(k["name"].split("(")[0], a["line"], a["op"], a["per_launch"][0]["active_lanes"], a["per_launch"][0]["sectors"]) for k in json.load(sys.stdin)["kernels"] for a in k["accesses"]]' \
// RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{[a-z]}}

// CHECK:      arms [[#@LINE+6]] load 32 4
// CHECK-NEXT: arms [[#@LINE+7]] load 16 4
// CHECK-NEXT: arms [[#@LINE+6]] store 32 4
// CHECK-NEXT: arms [[#@LINE+7]] store 32 4
__global__ void arms(float *Out, const float *In, const float *Other) {
  unsigned I = blockIdx.x * 256 + threadIdx.x;
  float V = In[I];
  if (I & 1)
    Out[I] = Other[I] + V;
  else
    Out[I] = 2 * V;
}

// Around an enclosing `if` another way leads behind the arms.
// CHECK-NEXT: guarded [[#@LINE+8]] load 32 4
// CHECK-NEXT: guarded [[#@LINE+11]] store 16 4
// CHECK-NEXT: guarded [[#@LINE+8]] load 16 4
// CHECK-NEXT: guarded [[#@LINE+7]] store 16 4
__global__ void guarded(float *Out, const float *In, const float *Other) {
  unsigned I = blockIdx.x * 256 + threadIdx.x;
  if (I >= 1 << 20)
    return;
  float V = In[I];
  if (I & 1)
    Out[I] = Other[I] + V;
  else
    Out[I] = 2 * V;
}

// Loads whose results meet are one, too, in the line that uses it.
// CHECK-NEXT: loads [[#@LINE+9]] load 32 8
// CHECK-NEXT: loads [[#@LINE+8]] store 32 4
__global__ void loads(float *Out, const float *In) {
  unsigned I = blockIdx.x * 256 + threadIdx.x;
  float V;
  if (I & 1)
    V = In[I];
  else
    V = In[I + 1048576];
  Out[I] = V;
}

void launch(float *Out, const float *In, const float *Other) {
  arms<<<1024, 256>>>(Out, In, Other);
  guarded<<<1024, 256>>>(Out, In, Other);
  loads<<<1024, 256>>>(Out, In);
}

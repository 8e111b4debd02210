// nvcc's line table has an access of several lines where the last of its operands
// begins that is on a line of its own, and a store where what is stored to ends.
// Clang has it where the expression begins, or at the operator: both are listed.
// The lines are those of PTX that nvcc 13 makes of this file (-lineinfo -O3).
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null \
// RUN:   | %python -c 'import json, sys; [print(k["name"].split("(")[0], a["line"], a["op"]) for k in json.load(sys.stdin)["kernels"] for a in k["accesses"]]' \
// RUN:   > %t
// RUN: grep -v bodies %t \
// RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{[a-z]}}
// RUN: FileCheck %s --check-prefix=LAMBDA < %t

// CHECK:      subscripts [[#@LINE+12]] load
// CHECK-NEXT: subscripts [[#@LINE+14]] load
// CHECK-NEXT: subscripts [[#@LINE+9]] store
// CHECK-NEXT: subscripts [[#@LINE+7]] store
// CHECK-NEXT: subscripts [[#@LINE+14]] load
// CHECK-NEXT: subscripts [[#@LINE+14]] load
// CHECK-NEXT: subscripts [[#@LINE+14]] load
// CHECK-NEXT: subscripts [[#@LINE+10]] store
__global__ void subscripts(float *Out, const float *In, int N) {
  int I = threadIdx.x;
  Out[I
      ] =
      In[
          I * N
          +
          3
      ];
  Out[I + 128] =
      In[I] *
      In[2 * I
         + N];
}

struct Three {
  float X, Y, Z;
};

// The member that is taken of an operand is none itself.
// CHECK-NEXT: members [[#@LINE+8]] load
// CHECK-NEXT: members [[#@LINE+6]] load
// CHECK-NEXT: members [[#@LINE+4]] store
// CHECK-NEXT: members [[#@LINE+2]] store
__global__ void members(Three *Out, const Three *In) {
  Out[threadIdx.x]
      .X =
      In[threadIdx.x]
          .Y;
}

// What a class is copied from comes last; what was made before goes where it
// belongs.
// CHECK-NEXT: copies [[#@LINE+10]] load
// CHECK-NEXT: copies [[#@LINE+10]] load
// CHECK-NEXT: copies [[#@LINE+8]] store
// CHECK-NEXT: copies [[#@LINE+8]] store
// CHECK-NEXT: copies [[#@LINE+11]] load
// CHECK-NEXT: copies [[#@LINE+9]] load
// CHECK-NEXT: copies [[#@LINE+6]] store
__global__ void copies(float4 *Out, const float4 *In, int N) {
  int I = threadIdx.x;
  Out[I] =
      In[
          I + N];
  Out[I + 128] =
      make_float4(
          In[I]
              .x, 0, 0, 0);
}

// After a call the line is that of the call again.
__device__ int twice(int I, int N) { return 2 * I + N; }
// CHECK-NEXT: calls [[#@LINE+7]] load
// CHECK-NEXT: calls [[#@LINE+5]] store
// CHECK-NEXT: calls [[#@LINE+10]] load
// CHECK-NEXT: calls [[#@LINE+8]] store
__global__ void calls(float *Out, const float *In, int N) {
  int I = threadIdx.x;
  Out[I] =
      In[twice(
          I,
          N)
      ];
  Out[I + 128] =
      In[twice(
             I, N)];
}

// Loads that arms of a branch end with are one, in the line of what comes next
// where they meet.
// CHECK-NEXT: arms [[#@LINE+6]] load
// CHECK-NEXT: arms [[#@LINE+10]] load
// CHECK-NEXT: arms [[#@LINE+13]] store
__global__ void arms(float *Out, const float *In, const int *Kinds) {
  int I = threadIdx.x;
  float V;
  int Kind = Kinds[I];
  if (Kind & 1)
    V = In[I];
  else
    V = In[I + 128];
  int Rest = Kind * 3;
  float Sum =
      V * 3
      + Rest;
  Out[I] = Sum;
}

// Lambdas that host code makes, too.
template <class Body> __global__ void bodies(Body Of) { Of(threadIdx.x); }
// LAMBDA: void bodies<launch [[#@LINE+11]] load
// LAMBDA: void bodies<launch [[#@LINE+12]] load

void launch(float *Out, const float *In, float4 *Out4, const float4 *In4,
            Three *Out3, const Three *In3, const int *Kinds) {
  subscripts<<<1, 32>>>(Out, In, 1);
  members<<<1, 32>>>(Out3, In3);
  copies<<<1, 32>>>(Out4, In4, 32);
  calls<<<1, 32>>>(Out, In, 1);
  arms<<<1, 32>>>(Out, In, Kinds);
  bodies<<<1, 32>>>([=] __device__(unsigned I) {
    Out[I] = In[
        I
        * 2];
  });
}

// nvcc 12.8 and later know atomic operations without a declaration. Read off PTX of
// nvcc 13: ld.relaxed, st.relaxed, atom and red.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null \
// RUN:   | %python -c 'import json, sys; [print(k["status"], a["line"], a["op"], a["bytes"], a["object"]) for k in json.load(sys.stdin)["kernels"] for a in k["accesses"]]' \
// RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{[a-z]}}

// CHECK:      clean [[#@LINE+8]] load 4 Out
// CHECK-NEXT: clean [[#@LINE+8]] store 4 Out
// CHECK-NEXT: clean [[#@LINE+8]] atomic 4 Out
// CHECK-NEXT: clean [[#@LINE+8]] atomic 4 Count
// CHECK-NEXT: clean [[#@LINE+8]] atomic 4 Count
// CHECK-NEXT: clean [[#@LINE+10]] atomic 4 Out
// CHECK-NEXT: clean [[#@LINE+13]] store 4 Out
__global__ void builtins(unsigned *Out, int *Count) {
  unsigned Old = __nv_atomic_load_n(Out, __NV_ATOMIC_RELAXED);
  __nv_atomic_store_n(Out + 1, Old, __NV_ATOMIC_RELEASE);
  __nv_atomic_add(Out + 2, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  int Most = __nv_atomic_fetch_max(Count, 3, __NV_ATOMIC_RELAXED);
  Most += __nv_atomic_exchange_n(Count + 1, 3, __NV_ATOMIC_RELAXED);
  unsigned Wanted = Most;
  while (Old < Wanted)
    if (__nv_atomic_compare_exchange_n(Out + 3, &Old, Wanted, true,
                                       __NV_ATOMIC_RELAXED,
                                       __NV_ATOMIC_RELAXED))
      break;
  Out[threadIdx.x + 32] = Old + Most;
}

struct alignas(16) Four {
  int X, Y, Z, W;
};
// Floats and classes, too.
// CHECK-NEXT: clean [[#@LINE+5]] atomic 4 Sum
// CHECK-NEXT: clean [[#@LINE+6]] load 16 Wide
// CHECK-NEXT: clean [[#@LINE+7]] store 16 Wide
__global__ void generic(float *Sum, Four *Wide) {
  float New = 1, Old;
  __nv_atomic_exchange(Sum, &New, &Old, __NV_ATOMIC_RELAXED);
  Four Value;
  __nv_atomic_load(Wide, &Value, __NV_ATOMIC_RELAXED);
  Value.X += int(Old);
  __nv_atomic_store(Wide + 1, &Value, __NV_ATOMIC_RELAXED);
}

void launch(unsigned *Out, int *Count, float *Sum, Four *Wide) {
  builtins<<<64, 256>>>(Out, Count);
  generic<<<64, 256>>>(Sum, Wide);
}

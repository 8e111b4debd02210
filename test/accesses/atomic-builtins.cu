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

void launch(unsigned *Out, int *Count) { builtins<<<64, 256>>>(Out, Count); }

/* Atomic operations that nvcc knows without a declaration since CUDA 12.8. To
   the access model they are the loads, stores and atomic operations that they
   become; their order and scope cost nothing there. */
#ifndef WARPWISE_ATOMIC_BUILTINS_H
#define WARPWISE_ATOMIC_BUILTINS_H

#ifndef __NV_ATOMIC_RELAXED
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4
#endif

#define WARPWISE_BUILTIN                                                       \
  static inline __attribute__((device, unused, always_inline))

/* Classes have no copies that are volatile. */
template <class T, bool IsScalar = __is_scalar(T)> struct __warpwise_copy {
  static inline __attribute__((device, always_inline)) void go(const T *From,
                                                               T *To) {
    *(volatile T *)To = *(const volatile T *)From;
  }
};
template <class T> struct __warpwise_copy<T, false> {
  static inline __attribute__((device, always_inline)) void go(const T *From,
                                                               T *To) {
    __builtin_memcpy(To, From, sizeof(T));
  }
};

template <class T>
WARPWISE_BUILTIN T __nv_atomic_load_n(const T *From, int, int = 0) {
  return *(const volatile T *)From;
}
template <class T>
WARPWISE_BUILTIN void __nv_atomic_load(const T *From, T *To, int, int = 0) {
  __warpwise_copy<T>::go(From, To);
}
template <class T, class V>
WARPWISE_BUILTIN void __nv_atomic_store_n(T *To, V Value, int, int = 0) {
  *(volatile T *)To = (T)Value;
}
template <class T>
WARPWISE_BUILTIN void __nv_atomic_store(T *To, T *Value, int, int = 0) {
  __warpwise_copy<T>::go(Value, To);
}
template <class T, class V>
WARPWISE_BUILTIN T __nv_atomic_exchange_n(T *At, V Value, int, int = 0) {
  return __atomic_exchange_n(At, (T)Value, __ATOMIC_RELAXED);
}
template <class T>
WARPWISE_BUILTIN void __nv_atomic_exchange(T *At, T *Value, T *Old, int,
                                           int = 0) {
  __atomic_exchange(At, Value, Old, __ATOMIC_RELAXED);
}
template <class T, class V>
WARPWISE_BUILTIN bool __nv_atomic_compare_exchange_n(T *At, T *Expected,
                                                     V Desired, bool, int, int,
                                                     int = 0) {
  return __atomic_compare_exchange_n(At, Expected, (T)Desired, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
template <class T>
WARPWISE_BUILTIN bool __nv_atomic_compare_exchange(T *At, T *Expected,
                                                   T *Desired, bool, int, int,
                                                   int = 0) {
  return __atomic_compare_exchange(At, Expected, Desired, false,
                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#define WARPWISE_UPDATE(NAME)                                                  \
  template <class T, class V>                                                  \
  WARPWISE_BUILTIN T __nv_atomic_fetch_##NAME(T *At, V Value, int, int = 0) {  \
    return __atomic_fetch_##NAME(At, (T)Value, __ATOMIC_RELAXED);              \
  }                                                                            \
  template <class T, class V>                                                  \
  WARPWISE_BUILTIN void __nv_atomic_##NAME(T *At, V Value, int, int = 0) {     \
    (void)__atomic_fetch_##NAME(At, (T)Value, __ATOMIC_RELAXED);               \
  }
WARPWISE_UPDATE(add)
WARPWISE_UPDATE(sub)
WARPWISE_UPDATE(and)
WARPWISE_UPDATE(or)
WARPWISE_UPDATE(xor)
WARPWISE_UPDATE(max)
WARPWISE_UPDATE(min)
#undef WARPWISE_UPDATE

WARPWISE_BUILTIN void __nv_atomic_thread_fence(int, int = 0) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#undef WARPWISE_BUILTIN

#endif /* WARPWISE_ATOMIC_BUILTINS_H */

/* Loads and stores with cache hints, which the toolkit declares in a header
   that Clang's wrapper leaves out. To the access model they are loads and
   stores. */
#ifndef WARPWISE_CACHE_HINTS_H
#define WARPWISE_CACHE_HINTS_H

#define WARPWISE_LOAD(NAME)                                                    \
  template <class T>                                                           \
  static inline __attribute__((device)) T NAME(const T *Pointer) {             \
    return *Pointer;                                                           \
  }
WARPWISE_LOAD(__ldcg)
WARPWISE_LOAD(__ldca)
WARPWISE_LOAD(__ldcs)
WARPWISE_LOAD(__ldlu)
WARPWISE_LOAD(__ldcv)
#undef WARPWISE_LOAD

#define WARPWISE_STORE(NAME)                                                   \
  template <class T, class V>                                                  \
  static inline __attribute__((device)) void NAME(T *Pointer, V Value) {       \
    *Pointer = Value;                                                          \
  }
WARPWISE_STORE(__stwb)
WARPWISE_STORE(__stcg)
WARPWISE_STORE(__stcs)
WARPWISE_STORE(__stwt)
#undef WARPWISE_STORE

#endif

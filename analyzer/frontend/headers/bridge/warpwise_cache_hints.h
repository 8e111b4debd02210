/* Loads and stores with cache hints, which the toolkit declares in a header
   that Clang's wrapper leaves out. To the access model they are loads and
   stores; those that pass L1 by are marked for the cache model. */
#ifndef WARPWISE_CACHE_HINTS_H
#define WARPWISE_CACHE_HINTS_H

#define WARPWISE_LOAD(NAME)                                                    \
  template <class T>                                                           \
  static inline __attribute__((device)) T NAME(const T *Pointer) {             \
    return *Pointer;                                                           \
  }
WARPWISE_LOAD(__ldca)
WARPWISE_LOAD(__ldcs)
WARPWISE_LOAD(__ldlu)
#undef WARPWISE_LOAD

/* The mark is "nontemporal", for numbers and vectors of them. */
template <unsigned long Bytes> struct __warpwise_word;
template <> struct __warpwise_word<1> {
  typedef unsigned char type;
};
template <> struct __warpwise_word<2> {
  typedef unsigned short type;
};
template <> struct __warpwise_word<4> {
  typedef unsigned type;
};
template <> struct __warpwise_word<8> {
  typedef unsigned type __attribute__((ext_vector_type(2)));
};
template <> struct __warpwise_word<16> {
  typedef unsigned type __attribute__((ext_vector_type(4)));
};
#define WARPWISE_LOAD_PAST_L1(NAME)                                            \
  template <class T>                                                           \
  static inline __attribute__((device)) T NAME(const T *Pointer) {             \
    typedef typename __warpwise_word<sizeof(T)>::type Word;                    \
    Word Loaded = __builtin_nontemporal_load((const Word *)Pointer);           \
    T Result;                                                                  \
    __builtin_memcpy(&Result, &Loaded, sizeof(T));                             \
    return Result;                                                             \
  }
WARPWISE_LOAD_PAST_L1(__ldcg)
WARPWISE_LOAD_PAST_L1(__ldcv)
#undef WARPWISE_LOAD_PAST_L1

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

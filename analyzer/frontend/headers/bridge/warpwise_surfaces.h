/* Surface reads and writes, which Clang's CUDA headers do not have. Each is a
   call of a function without a body, named __warpwise_surf*read or *write: the
   surface, the bytes of an element, the byte offset x, then the other
   coordinates. Nothing is known about where the element lies. */
#if !defined(WARPWISE_SURFACES_H) && !defined(__SURFACE_INDIRECT_FUNCTIONS_H__)
#define WARPWISE_SURFACES_H
/* The toolkit's header would define them again. */
#define __SURFACE_INDIRECT_FUNCTIONS_H__

typedef int __warpwise_surfel __attribute__((ext_vector_type(4)));

#define WARPWISE_COMMA ,
#define WARPWISE_SURFACE(NAME, PARAMETERS, ARGUMENTS)                          \
  extern "C"                                                                   \
      __attribute__((device, pure)) __warpwise_surfel __warpwise_##NAME##read( \
          unsigned long long Surface, unsigned Bytes, PARAMETERS);             \
  extern "C" __attribute__((device)) void __warpwise_##NAME##write(            \
      __warpwise_surfel Value, unsigned long long Surface, unsigned Bytes,     \
      PARAMETERS);                                                             \
  template <class T>                                                           \
  static inline __attribute__((device)) T NAME##read(                          \
      unsigned long long Surface, PARAMETERS,                                  \
      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                        \
    __warpwise_surfel Raw =                                                    \
        __warpwise_##NAME##read(Surface, sizeof(T), ARGUMENTS);                \
    T Value;                                                                   \
    __builtin_memcpy(&Value, &Raw, sizeof(T));                                 \
    return Value;                                                              \
  }                                                                            \
  template <class T>                                                           \
  static inline __attribute__((device)) void NAME##read(                       \
      T *Value, unsigned long long Surface, PARAMETERS,                        \
      cudaSurfaceBoundaryMode Mode = cudaBoundaryModeTrap) {                   \
    *Value = NAME##read<T>(Surface, ARGUMENTS, Mode);                          \
  }                                                                            \
  template <class T>                                                           \
  static inline __attribute__((device)) void NAME##write(                      \
      T Value, unsigned long long Surface, PARAMETERS,                         \
      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                        \
    __warpwise_surfel Raw = {0, 0, 0, 0};                                      \
    __builtin_memcpy(&Raw, &Value, sizeof(T));                                 \
    __warpwise_##NAME##write(Raw, Surface, sizeof(T), ARGUMENTS);              \
  }
WARPWISE_SURFACE(surf1D, int x, x)
WARPWISE_SURFACE(surf2D, int x WARPWISE_COMMA int y, x WARPWISE_COMMA y)
WARPWISE_SURFACE(surf3D, int x WARPWISE_COMMA int y WARPWISE_COMMA int z,
                 x WARPWISE_COMMA y WARPWISE_COMMA z)
WARPWISE_SURFACE(surf1DLayered, int x WARPWISE_COMMA int Layer,
                 x WARPWISE_COMMA Layer)
WARPWISE_SURFACE(surf2DLayered,
                 int x WARPWISE_COMMA int y WARPWISE_COMMA int Layer,
                 x WARPWISE_COMMA y WARPWISE_COMMA Layer)
WARPWISE_SURFACE(surfCubemap,
                 int x WARPWISE_COMMA int y WARPWISE_COMMA int Face,
                 x WARPWISE_COMMA y WARPWISE_COMMA Face)
#undef WARPWISE_SURFACE
#undef WARPWISE_COMMA

#endif

/* Reads through texture objects. __nv_tex_surf_handler is Clang's. */
#ifndef WARPWISE_TEXTURE_INDIRECT_FUNCTIONS_H
#define WARPWISE_TEXTURE_INDIRECT_FUNCTIONS_H

#include "texture_types.h"

#if defined(__cplusplus) && __cplusplus >= 201103L
#define WARPWISE_TEXTURE(NAME, PARAMETERS, ...)                                \
  template <class T>                                                           \
  static __inline__ __device__ void NAME(                                      \
      T *Value, cudaTextureObject_t Texture, WARPWISE_UNPACK PARAMETERS) {     \
    __nv_tex_surf_handler("__i" #NAME, Value, Texture, __VA_ARGS__);           \
  }                                                                            \
  template <class T>                                                           \
  static __inline__ __device__ T NAME(cudaTextureObject_t Texture,             \
                                      WARPWISE_UNPACK PARAMETERS) {            \
    T Value;                                                                   \
    NAME(&Value, Texture, __VA_ARGS__);                                        \
    return Value;                                                              \
  }
#define WARPWISE_UNPACK(...) __VA_ARGS__
WARPWISE_TEXTURE(tex1Dfetch, (int x), x)
WARPWISE_TEXTURE(tex1D, (float x), x)
WARPWISE_TEXTURE(tex2D, (float x, float y), x, y)
WARPWISE_TEXTURE(tex3D, (float x, float y, float z), x, y, z)
WARPWISE_TEXTURE(tex1DLayered, (float x, int Layer), x, Layer)
WARPWISE_TEXTURE(tex2DLayered, (float x, float y, int Layer), x, y, Layer)
WARPWISE_TEXTURE(texCubemap, (float x, float y, float z), x, y, z)
WARPWISE_TEXTURE(texCubemapLayered, (float x, float y, float z, int Layer), x,
                 y, z, Layer)
WARPWISE_TEXTURE(tex2Dgather, (float x, float y, int Component = 0), x, y,
                 Component)
WARPWISE_TEXTURE(tex1DLod, (float x, float Level), x, Level)
WARPWISE_TEXTURE(tex2DLod, (float x, float y, float Level), x, y, Level)
WARPWISE_TEXTURE(tex3DLod, (float x, float y, float z, float Level), x, y, z,
                 Level)
#undef WARPWISE_UNPACK
#undef WARPWISE_TEXTURE
#endif
#endif

/* Texture references, which CUDA 12 removed. A fetch becomes a call of a
   function without a body, named __warpwise_tex*: the texture, the bytes of an
   element, the coordinates. Nothing is known about where the texel lies. */
#ifndef WARPWISE_TEXTURE_REFERENCES_H
#define WARPWISE_TEXTURE_REFERENCES_H

#ifndef cudaTextureType1D
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#endif

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
};

template <class T, int Type = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture
    : public textureReference {
  __attribute__((host))
  texture(int Normalized = 0,
          enum cudaTextureFilterMode Filter = cudaFilterModePoint,
          enum cudaTextureAddressMode Address = cudaAddressModeClamp) {
    normalized = Normalized;
    filterMode = Filter;
    addressMode[0] = addressMode[1] = addressMode[2] = Address;
  }
  __attribute__((host)) texture(int Normalized,
                                enum cudaTextureFilterMode Filter,
                                enum cudaTextureAddressMode Address,
                                struct cudaChannelFormatDesc Channels)
      : texture(Normalized, Filter, Address) {
    channelDesc = Channels;
  }
};

typedef int __warpwise_texel __attribute__((ext_vector_type(4)));

extern "C" {
__attribute__((device, pure)) __warpwise_texel
__warpwise_tex1Dfetch(const void *Texture, unsigned Bytes, int x);
__attribute__((device, pure)) __warpwise_texel
__warpwise_tex1D(const void *Texture, unsigned Bytes, float x);
__attribute__((device, pure)) __warpwise_texel
__warpwise_tex2D(const void *Texture, unsigned Bytes, float x, float y);
__attribute__((device, pure)) __warpwise_texel __warpwise_tex3D(
    const void *Texture, unsigned Bytes, float x, float y, float z);
__attribute__((device, pure)) __warpwise_texel __warpwise_tex1DLayered(
    const void *Texture, unsigned Bytes, float x, int Layer);
__attribute__((device, pure)) __warpwise_texel __warpwise_tex2DLayered(
    const void *Texture, unsigned Bytes, float x, float y, int Layer);
}

namespace __warpwise {

/* What a fetch returns: the element, or floats when it is normalised. */
template <class T, int Mode> struct Fetched {
  typedef T Type;
};
#define WARPWISE_NORMALIZED(ELEMENT)                                           \
  template <> struct Fetched<ELEMENT, cudaReadModeNormalizedFloat> {           \
    typedef float Type;                                                        \
  };                                                                           \
  template <> struct Fetched<ELEMENT##1, cudaReadModeNormalizedFloat> {        \
    typedef float1 Type;                                                       \
  };                                                                           \
  template <> struct Fetched<ELEMENT##2, cudaReadModeNormalizedFloat> {        \
    typedef float2 Type;                                                       \
  };                                                                           \
  template <> struct Fetched<ELEMENT##4, cudaReadModeNormalizedFloat> {        \
    typedef float4 Type;                                                       \
  };
typedef unsigned char uchar;
typedef unsigned short ushort;
WARPWISE_NORMALIZED(char)
WARPWISE_NORMALIZED(uchar)
WARPWISE_NORMALIZED(short)
WARPWISE_NORMALIZED(ushort)
#undef WARPWISE_NORMALIZED

template <class Result>
static inline __attribute__((device)) Result fromTexel(__warpwise_texel Texel) {
  Result Value;
  __builtin_memcpy(&Value, &Texel, sizeof(Value));
  return Value;
}

} // namespace __warpwise

#define WARPWISE_FETCH(NAME, CALL, ...)                                        \
  template <class T, int D, enum cudaTextureReadMode M>                        \
  static inline __attribute__((device))                                        \
  typename __warpwise::Fetched<T, M>::Type                                     \
  NAME(const texture<T, D, M> &Texture, __VA_ARGS__) {                         \
    return __warpwise::fromTexel<typename __warpwise::Fetched<T, M>::Type>(    \
        __warpwise_##NAME(&Texture, sizeof(T), CALL));                         \
  }
#define WARPWISE_COMMA ,
WARPWISE_FETCH(tex1Dfetch, x, int x)
WARPWISE_FETCH(tex1D, x, float x)
WARPWISE_FETCH(tex2D, x WARPWISE_COMMA y, float x, float y)
WARPWISE_FETCH(tex3D, x WARPWISE_COMMA y WARPWISE_COMMA z, float x, float y,
               float z)
WARPWISE_FETCH(tex1DLayered, x WARPWISE_COMMA Layer, float x, int Layer)
WARPWISE_FETCH(tex2DLayered, x WARPWISE_COMMA y WARPWISE_COMMA Layer, float x,
               float y, int Layer)
#undef WARPWISE_FETCH
#undef WARPWISE_COMMA

template <class T, int D, enum cudaTextureReadMode M, class... Rest>
static inline cudaError_t cudaBindTexture(size_t *, const texture<T, D, M> &,
                                          const void *, Rest...) {
  return cudaSuccess;
}
template <class T, int D, enum cudaTextureReadMode M, class... Rest>
static inline cudaError_t cudaBindTexture2D(size_t *, const texture<T, D, M> &,
                                            const void *, Rest...) {
  return cudaSuccess;
}
template <class T, int D, enum cudaTextureReadMode M, class... Rest>
static inline cudaError_t cudaBindTextureToArray(const texture<T, D, M> &,
                                                 Rest...) {
  return cudaSuccess;
}
template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaUnbindTexture(const texture<T, D, M> &) {
  return cudaSuccess;
}
template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *,
                                                        texture<T, D, M> &) {
  return cudaSuccess;
}

#endif

/* Textures. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A texture object is a struct with a pointer to the texels, and with the texture's shape and
 * modes. (In CUDA it is a number of 64 bits.) The host code of a source fills the same struct
 * (compiler/cuda/host/texture.cuh), so that it is an argument like any other struct.
 *
 * A fetch is a load of the texel. texture_unit.cuh has what the texture unit computes in hardware.
 * The modes of a texture are known when the kernel is compiled
 * (collector/engine/backend/cuda/cuda_textures.c), so that branches on them disappear.
 */
#pragma clang system_header
struct cudaTextureObject_t {
    const void *pm_data;
    unsigned int pm_width;  /* texels in a row */
    unsigned int pm_height; /* rows; 0: the texture has one dimension */
    unsigned int pm_pitch;  /* bytes from a row to the next */
    unsigned int pm_modes;  /* see texture_unit.cuh */

    cudaTextureObject_t() = default;
    PM_MEMBER constexpr cudaTextureObject_t(unsigned long long)
        : pm_data(nullptr), pm_width(0), pm_height(0), pm_pitch(0), pm_modes(0)
    {
    }
    PM_MEMBER operator unsigned long long() const
    {
        return (unsigned long long)pm_data;
    }
};
typedef cudaTextureObject_t CUtexObject; /* the driver's name */
typedef unsigned long long cudaSurfaceObject_t;
typedef struct cudaArray *cudaArray_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
enum cudaChannelFormatKind { cudaChannelFormatKindSigned };
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3 };

#include "texture_unit.cuh"

/* ---- texels ---------------------------------------------------------------------------------- */

/* The bits of a texel in words of 8, 16 or 32 bits. */
template <int PM_BYTES> struct pm_texel {
    unsigned int words[PM_BYTES / 4];

    PM_MEMBER unsigned int word(int i) const
    {
        return words[i];
    }
    PM_MEMBER void keep(bool inside)
    {
#pragma unroll
        for (int i = 0; i < PM_BYTES / 4; i++)
            words[i] = pm_texture_keep_32(words[i], inside);
    }
};
template <> struct pm_texel<1> {
    unsigned char words;

    PM_MEMBER unsigned int word(int) const
    {
        return words;
    }
    PM_MEMBER void keep(bool inside)
    {
        words = pm_texture_keep_8(words, inside);
    }
};
template <> struct pm_texel<2> {
    unsigned short words;

    PM_MEMBER unsigned int word(int) const
    {
        return words;
    }
    PM_MEMBER void keep(bool inside)
    {
        words = pm_texture_keep_16(words, inside);
    }
};
template <> struct __align__(8) pm_texel<8>
{
    unsigned int words[2];

    PM_MEMBER unsigned int word(int i) const
    {
        return words[i];
    }
    PM_MEMBER void keep(bool inside)
    {
        words[0] = pm_texture_keep_32(words[0], inside);
        words[1] = pm_texture_keep_32(words[1], inside);
    }
};

/* Number of float channels of a texel type; 0: it has no floats. A texture with narrower texels
 * converts them to these floats. */
template <typename PM_T> struct pm_channels {
    static const int count = 0;
};
#define PM_CHANNELS(type, number)                                                                  \
    template <> struct pm_channels<type> {                                                         \
        static const int count = number;                                                           \
    };
PM_CHANNELS(float, 1)
PM_CHANNELS(float1, 1)
PM_CHANNELS(float2, 2)
PM_CHANNELS(float4, 4)
#undef PM_CHANNELS

/* Returns the texel at `offset` bytes as it is in memory; 0 if `inside` is false. */
template <typename PM_T>
PM_DEVICE PM_T pm_texture_element(const void *data, long offset, bool inside, unsigned int modes)
{
    PM_T value = *(const PM_T *)((const char *)data + offset);

    if (modes & PM_TEXTURE_ZEROS) {
        pm_texel<sizeof(PM_T)> texel = __builtin_bit_cast(pm_texel<sizeof(PM_T)>, value);

        texel.keep(inside);
        value = __builtin_bit_cast(PM_T, texel);
    }
    return value;
}
/* Returns the texel at `offset` bytes, whose channels have PM_BITS bits, as floats. */
template <typename PM_T, int PM_BITS>
PM_DEVICE PM_T pm_texture_converted(const void *data, long offset, bool inside, unsigned int modes)
{
    typedef pm_texel<pm_channels<PM_T>::count * PM_BITS / 8> stored;
    struct {
        float channels[pm_channels<PM_T>::count];
    } value;
    const stored texel = pm_texture_element<stored>(data, offset, inside, modes);

#pragma unroll
    for (int i = 0; i < pm_channels<PM_T>::count; i++)
        value.channels[i] = pm_texture_channel(texel.word(i * PM_BITS / 32), i, modes);
    return __builtin_bit_cast(PM_T, value);
}
template <typename PM_T>
PM_DEVICE PM_T pm_texture_texel(const void *data, long offset, bool inside, unsigned int modes)
{
    if constexpr (pm_channels<PM_T>::count > 0) {
        if (PM_TEXTURE_BITS(modes) == 8)
            return pm_texture_converted<PM_T, 8>(data, offset, inside, modes);
        if (PM_TEXTURE_BITS(modes) == 16)
            return pm_texture_converted<PM_T, 16>(data, offset, inside, modes);
    }
    return pm_texture_element<PM_T>(data, offset, inside, modes);
}
/* Returns the bytes of a texel, which may be fewer than those of PM_T. */
template <typename PM_T> PM_DEVICE unsigned int pm_texture_bytes(unsigned int modes)
{
    return pm_channels<PM_T>::count > 0 ? pm_channels<PM_T>::count * PM_TEXTURE_BITS(modes) / 8
                                        : sizeof(PM_T);
}

/* ---- fetches --------------------------------------------------------------------------------- */

template <typename PM_T> PM_DEVICE PM_T tex1Dfetch(cudaTextureObject_t of, int x)
{
    const unsigned int modes = of.pm_modes | PM_TEXTURE_ZEROS;

    return pm_texture_texel<PM_T>(
        of.pm_data, pm_texture_offset_1d(x, of.pm_width, pm_texture_bytes<PM_T>(modes)),
        pm_texture_has(x, of.pm_width), modes);
}
template <typename PM_T>
PM_DEVICE PM_T pm_texture_nearest(const cudaTextureObject_t &of, float x, float y)
{
    return pm_texture_texel<PM_T>(
        of.pm_data,
        pm_texture_offset_2d(x, y, of.pm_width, of.pm_height, of.pm_pitch,
                             pm_texture_bytes<PM_T>(of.pm_modes), of.pm_modes),
        pm_texture_has_2d(x, y, of.pm_width, of.pm_height, of.pm_modes), of.pm_modes);
}
/* Returns one of the texels around a point, which are in PM_ROWS rows. PM_X, PM_Y: 0 or 1. */
template <typename PM_T, int PM_ROWS, int PM_X, int PM_Y>
PM_DEVICE PM_T pm_texture_corner(const cudaTextureObject_t &of, float x, float y)
{
    const float left = pm_texture_corner_of(x, of.pm_width, PM_X, of.pm_modes);
    const float top = pm_texture_corner_of(y, of.pm_height, PM_Y, of.pm_modes);
    const unsigned int modes = of.pm_modes & ~PM_TEXTURE_NORMALIZED;
    const unsigned int bytes = pm_texture_bytes<PM_T>(modes);
    const bool is_opposite = PM_X == 1 && (PM_Y == 1 || PM_ROWS == 1);
    const long offset =
        PM_X + PM_Y == 0
            ? pm_texture_offset_2d(left, top, of.pm_width, of.pm_height, of.pm_pitch, bytes, modes)
        : is_opposite ? pm_texture_offset_opposite(left, top, of.pm_width, of.pm_height,
                                                   of.pm_pitch, bytes, modes)
                      : pm_texture_offset_beside(left, top, of.pm_width, of.pm_height, of.pm_pitch,
                                                 bytes, modes);

    return pm_texture_texel<PM_T>(
        of.pm_data, offset, pm_texture_has_2d(left, top, of.pm_width, of.pm_height, modes), modes);
}
template <typename PM_T>
PM_DEVICE PM_T pm_texture_linear(const cudaTextureObject_t &of, float x, float y)
{
    struct floats {
        float channels[pm_channels<PM_T>::count];
    } value, a, b, c, d;

    a = __builtin_bit_cast(floats, pm_texture_corner<PM_T, 2, 0, 0>(of, x, y));
    b = __builtin_bit_cast(floats, pm_texture_corner<PM_T, 2, 1, 0>(of, x, y));
    c = __builtin_bit_cast(floats, pm_texture_corner<PM_T, 2, 0, 1>(of, x, y));
    d = __builtin_bit_cast(floats, pm_texture_corner<PM_T, 2, 1, 1>(of, x, y));
#pragma unroll
    for (int i = 0; i < pm_channels<PM_T>::count; i++)
        value.channels[i] =
            pm_texture_mean(a.channels[i], b.channels[i], c.channels[i], d.channels[i], x, y,
                            of.pm_width, of.pm_height, of.pm_modes);
    return __builtin_bit_cast(PM_T, value);
}
/* Returns the mean of two texels of a texture with one dimension. */
template <typename PM_T> PM_DEVICE PM_T pm_texture_between(const cudaTextureObject_t &of, float x)
{
    struct floats {
        float channels[pm_channels<PM_T>::count];
    } value, a, b;

    a = __builtin_bit_cast(floats, pm_texture_corner<PM_T, 1, 0, 0>(of, x, 0));
    b = __builtin_bit_cast(floats, pm_texture_corner<PM_T, 1, 1, 0>(of, x, 0));
#pragma unroll
    for (int i = 0; i < pm_channels<PM_T>::count; i++)
        value.channels[i] =
            pm_texture_mean(a.channels[i], b.channels[i], 0, 0, x, 0, of.pm_width, 0, of.pm_modes);
    return __builtin_bit_cast(PM_T, value);
}
template <typename PM_T> PM_DEVICE PM_T tex2D(cudaTextureObject_t of, float x, float y)
{
    if constexpr (pm_channels<PM_T>::count > 0)
        if (of.pm_modes & PM_TEXTURE_FILTERED)
            return pm_texture_linear<PM_T>(of, x, y);
    return pm_texture_nearest<PM_T>(of, x, y);
}
template <typename PM_T> PM_DEVICE PM_T tex1D(cudaTextureObject_t of, float x)
{
    if constexpr (pm_channels<PM_T>::count > 0)
        if (of.pm_modes & PM_TEXTURE_FILTERED)
            return pm_texture_between<PM_T>(of, x);
    return pm_texture_nearest<PM_T>(of, x, 0);
}

/* ---- texture references ---------------------------------------------------------------------- */

/* A texture reference is a variable at file scope, which CUDA had before version 12. clang passes
 * it to functions as a handle, a number of 64 bits. */
template <typename PM_T, int PM_DIMENSIONS = 1,
          cudaTextureReadMode PM_MODE = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {
    int normalized, filterMode, addressMode[3];
};
/* Returns the texture that is bound to a reference. The trace engine replaces the call by an
 * argument of the kernel (collector/engine/backend/cuda/cuda_references.c). */
template <typename PM_T, int PM_N, cudaTextureReadMode PM_MODE>
__attribute__((device)) const cudaTextureObject_t &
pm_bound_texture(texture<PM_T, PM_N, PM_MODE> reference);

/* The type of a fetch that converts texels to floats. */
template <typename PM_T> struct pm_normalized;
#define PM_NORMALIZED_AS(type, to)                                                                 \
    template <> struct pm_normalized<type> {                                                       \
        typedef to value;                                                                          \
    };
#define PM_NORMALIZED(type, name)                                                                  \
    PM_NORMALIZED_AS(type, float)                                                                  \
    PM_NORMALIZED_AS(name##1, float1)                                                              \
    PM_NORMALIZED_AS(name##2, float2)                                                              \
    PM_NORMALIZED_AS(name##4, float4)
PM_NORMALIZED(signed char, char)
PM_NORMALIZED(unsigned char, uchar)
PM_NORMALIZED(short, short)
PM_NORMALIZED(unsigned short, ushort)
PM_NORMALIZED_AS(char, float)
#undef PM_NORMALIZED
#undef PM_NORMALIZED_AS

/* Defines a fetch of references by the fetch of texture objects with the same name. */
#define PM_REFERENCE(name, parameters, ...)                                                        \
    template <typename PM_T, int PM_N>                                                             \
    PM_DEVICE PM_T name(texture<PM_T, PM_N, cudaReadModeElementType> of, PM_LIST parameters)       \
    {                                                                                              \
        return name<PM_T>(pm_bound_texture(of), __VA_ARGS__);                                      \
    }                                                                                              \
    template <typename PM_T, int PM_N>                                                             \
    PM_DEVICE typename pm_normalized<PM_T>::value name(                                            \
        texture<PM_T, PM_N, cudaReadModeNormalizedFloat> of, PM_LIST parameters)                   \
    {                                                                                              \
        return name<typename pm_normalized<PM_T>::value>(pm_bound_texture(of), __VA_ARGS__);       \
    }
#define PM_LIST(...) __VA_ARGS__
PM_REFERENCE(tex1Dfetch, (int x), x)
PM_REFERENCE(tex1D, (float x), x)
PM_REFERENCE(tex2D, (float x, float y), x, y)
#undef PM_LIST
#undef PM_REFERENCE

/* ---- without a definition: the trace engine refuses kernels that call these functions ------- */

#define PM_TEXTURE(name, ...)                                                                      \
    template <typename PM_T>                                                                       \
    __attribute__((device, host)) PM_T name(cudaTextureObject_t, __VA_ARGS__);                     \
    template <typename PM_T, int PM_N>                                                             \
    __attribute__((device, host))                                                                  \
    PM_T name(texture<PM_T, PM_N, cudaReadModeElementType>, __VA_ARGS__);                          \
    template <typename PM_T, int PM_N>                                                             \
    __attribute__((device, host)) typename pm_normalized<PM_T>::value name(                        \
        texture<PM_T, PM_N, cudaReadModeNormalizedFloat>, __VA_ARGS__);
PM_TEXTURE(tex3D, float, float, float)
PM_TEXTURE(tex1DLod, float, float)
PM_TEXTURE(tex2DLod, float, float, float)
PM_TEXTURE(tex3DLod, float, float, float, float)
PM_TEXTURE(tex1DLayered, float, int)
PM_TEXTURE(tex2DLayered, float, float, int)
PM_TEXTURE(tex2Dgather, float, float, int = 0)
PM_TEXTURE(texCubemap, float, float, float)
#undef PM_TEXTURE

#define PM_SURFACE(name, ...)                                                                      \
    template <typename PM_T>                                                                       \
    __attribute__((device, host)) PM_T name##read(cudaSurfaceObject_t, __VA_ARGS__,                \
                                                  cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
    template <typename PM_T>                                                                       \
    __attribute__((device, host)) void name##write(                                                \
        PM_T, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
PM_SURFACE(surf1D, int)
PM_SURFACE(surf2D, int, int)
PM_SURFACE(surf3D, int, int, int)
#undef PM_SURFACE

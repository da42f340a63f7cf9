/* Textures and CUDA arrays in host code. See host.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A texture object is the struct that compiler/cuda/texture.cuh reads in kernels, so that the
 * interpreter of host code passes it to a kernel like any other struct with a pointer.
 */
#pragma clang system_header
#include "../texture_modes.h"

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits of each channel; 0: the texel does not have the channel */
    cudaChannelFormatKind f;
};
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind f)
{
    return {x, y, z, w, f};
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
#define PM_CHANNELS(type, x, y, z, w, kind)                                                        \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>()                         \
    {                                                                                              \
        return {x, y, z, w, cudaChannelFormatKind##kind};                                          \
    }
#define PM_CHANNELS_OF(type, name, bits, kind)                                                     \
    PM_CHANNELS(type, bits, 0, 0, 0, kind)                                                         \
    PM_CHANNELS(name##1, bits, 0, 0, 0, kind)                                                      \
    PM_CHANNELS(name##2, bits, bits, 0, 0, kind)                                                   \
    PM_CHANNELS(name##4, bits, bits, bits, bits, kind)
PM_CHANNELS_OF(signed char, char, 8, Signed)
PM_CHANNELS_OF(unsigned char, uchar, 8, Unsigned)
PM_CHANNELS_OF(short, short, 16, Signed)
PM_CHANNELS_OF(unsigned short, ushort, 16, Unsigned)
PM_CHANNELS_OF(int, int, 32, Signed)
PM_CHANNELS_OF(unsigned int, uint, 32, Unsigned)
PM_CHANNELS_OF(float, float, 32, Float)
PM_CHANNELS(char, 8, 0, 0, 0, Signed)
PM_CHANNELS(half, 16, 0, 0, 0, Float)
PM_CHANNELS(half2, 16, 16, 0, 0, Float)
#undef PM_CHANNELS_OF
#undef PM_CHANNELS

struct cudaArray;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
struct cudaResourceDesc {
    cudaResourceType resType;
    struct {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
    int format;
    size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
struct cudaTextureObject_t {
    const void *pm_data;
    unsigned int pm_width, pm_height, pm_pitch, pm_modes;
    cudaTextureObject_t() = default;
    PM_BOTH cudaTextureObject_t(unsigned long long number)
    {
    }
};
typedef cudaTextureObject_t cudaSurfaceObject_t, CUtexObject;

/* ---- CUDA arrays ------------------------------------------------------------------------------
 */

struct cudaArray {
    void *pm_data;
    size_t pm_width, pm_height; /* in texels; a height of 0: one dimension */
    size_t pm_pitch;            /* bytes of a row, with the bytes that fill its last tile */
    unsigned int pm_tiles;      /* height of a block in tiles of 8 rows; 0: one dimension */
    cudaChannelFormatDesc pm_desc;
};

inline unsigned int pm_texel_bytes(const cudaChannelFormatDesc &desc)
{
    return (desc.x + desc.y + desc.z + desc.w) / 8;
}
template <class T> void pm_array_allocate(cudaArray *array, size_t bytes)
{
    T *data;

    cudaMalloc(&data, bytes);
    array->pm_data = data;
}
/* Allocates an array's memory with the element type of its texels, which says what random contents
 * are. */
inline void pm_array_allocate_for(cudaArray *array, size_t bytes)
{
    const cudaChannelFormatDesc desc = array->pm_desc;
    const bool is_float = desc.f == cudaChannelFormatKindFloat;

    if (is_float && desc.x == 16)
        pm_array_allocate<half>(array, bytes);
    else if (is_float && desc.y == 0)
        pm_array_allocate<float>(array, bytes);
    else if (is_float && desc.z == 0)
        pm_array_allocate<float2>(array, bytes);
    else if (is_float)
        pm_array_allocate<float4>(array, bytes);
    else if (desc.x == 32)
        pm_array_allocate<int>(array, bytes);
    else if (desc.x == 16)
        pm_array_allocate<unsigned short>(array, bytes);
    else
        pm_array_allocate<unsigned char>(array, bytes);
}
/* Returns the height of a block: the smallest power of two of tiles, up to 16, that contains all
 * rows. */
inline unsigned int pm_array_tiles(size_t height)
{
    unsigned int tiles = 1;

    while (tiles < 16 && tiles * 8 < height)
        tiles = tiles * 2;
    return tiles;
}
inline cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                                   size_t width, size_t height = 0, unsigned int flags = 0)
{
    cudaArray *made = (cudaArray *)malloc(sizeof(cudaArray));
    size_t rows = 1;

    made->pm_width = width;
    made->pm_height = height;
    made->pm_desc = *desc;
    made->pm_pitch = (width * pm_texel_bytes(*desc) + 63) / 64 * 64;
    made->pm_tiles = 0;
    if (height > 0) {
        made->pm_tiles = pm_array_tiles(height);
        rows = (height + made->pm_tiles * 8 - 1) / (made->pm_tiles * 8) * made->pm_tiles * 8;
    }
    pm_array_allocate_for(made, made->pm_pitch * rows);
    *array = made;
    return cudaSuccess;
}
inline cudaError_t cudaFreeArray(cudaArray_t array)
{
    return cudaSuccess;
}
/* The contents of buffers on the GPU are not followed. */
template <class... T>
cudaError_t cudaMemcpyToArray(const T &...) PM_SUCCEEDS template <class... T>
cudaError_t cudaMemcpyToArrayAsync(const T &...) PM_SUCCEEDS template <class... T>
cudaError_t cudaMemcpy2DToArray(const T &...) PM_SUCCEEDS template <class... T>
cudaError_t cudaMemcpy2DToArrayAsync(const T &...) PM_SUCCEEDS template <class... T>
cudaError_t cudaMemcpyFromArray(const T &...) PM_SUCCEEDS template <class... T>
cudaError_t cudaMemcpy2DFromArray(const T &...) PM_SUCCEEDS template <class... T>
cudaError_t cudaMemcpyArrayToArray(const T &...) PM_SUCCEEDS

    /* ---- textures
       --------------------------------------------------------------------------------- */

    inline unsigned int pm_texture_modes(const cudaTextureDesc &how,
                                         const cudaChannelFormatDesc &desc, unsigned int tiles)
{
    unsigned int x = how.addressMode[0], y = how.addressMode[1], modes;

    /* only normalized coordinates can be wrapped or mirrored */
    if (!how.normalizedCoords && x != cudaAddressModeBorder)
        x = cudaAddressModeClamp;
    if (!how.normalizedCoords && y != cudaAddressModeBorder)
        y = cudaAddressModeClamp;
    modes = x + 4 * y + PM_TEXTURE_OF_TILES(tiles);
    if (how.normalizedCoords)
        modes = modes + PM_TEXTURE_NORMALIZED;
    if (how.filterMode == cudaFilterModeLinear)
        modes = modes + PM_TEXTURE_FILTERED;
    if (x == cudaAddressModeBorder || y == cudaAddressModeBorder)
        modes = modes + PM_TEXTURE_ZEROS;
    if (how.readMode == cudaReadModeNormalizedFloat ||
        (desc.f == cudaChannelFormatKindFloat && desc.x == 16))
        modes = modes + PM_TEXTURE_OF_BITS(desc.x) + PM_TEXTURE_OF_KIND(desc.f);
    return modes;
}
inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                           const cudaResourceDesc *resource,
                                           const cudaTextureDesc *how,
                                           const cudaResourceViewDesc *view = nullptr)
{
    if (resource->resType == cudaResourceTypeLinear) {
        texture->pm_data = resource->res.linear.devPtr;
        texture->pm_width =
            resource->res.linear.sizeInBytes / pm_texel_bytes(resource->res.linear.desc);
        texture->pm_height = 0;
        texture->pm_pitch = 0;
        texture->pm_modes = pm_texture_modes(*how, resource->res.linear.desc, 0);
    } else if (resource->resType == cudaResourceTypePitch2D) {
        texture->pm_data = resource->res.pitch2D.devPtr;
        texture->pm_width = resource->res.pitch2D.width;
        texture->pm_height = resource->res.pitch2D.height;
        texture->pm_pitch = resource->res.pitch2D.pitchInBytes;
        texture->pm_modes = pm_texture_modes(*how, resource->res.pitch2D.desc, 0);
    } else if (resource->resType == cudaResourceTypeArray) {
        const cudaArray *array = resource->res.array.array;

        texture->pm_data = array->pm_data;
        texture->pm_width = array->pm_width;
        texture->pm_height = array->pm_height;
        texture->pm_pitch = array->pm_pitch;
        texture->pm_modes = pm_texture_modes(*how, array->pm_desc, array->pm_tiles);
    }
    return cudaSuccess;
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    return cudaSuccess;
}

/* ---- texture references -----------------------------------------------------------------------
 */

/* A variable at file scope, to which the host code binds a texture. The texture object is the first
 * member, where transform/source/host/results.c reads it. */
template <class T, int N = 1, cudaTextureReadMode M = cudaReadModeElementType> struct texture {
    cudaTextureObject_t pm_bound;
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
};
template <class R>
void pm_texture_bind(R *reference, const cudaResourceDesc *resource, cudaTextureReadMode mode)
{
    cudaTextureDesc how;

    how.addressMode[0] = reference->addressMode[0];
    how.addressMode[1] = reference->addressMode[1];
    how.filterMode = reference->filterMode;
    how.normalizedCoords = reference->normalized;
    how.readMode = mode;
    cudaCreateTextureObject(&reference->pm_bound, resource, &how);
}
template <class T, int N, cudaTextureReadMode M>
cudaError_t cudaBindTexture(size_t *offset, texture<T, N, M> &reference, const void *data,
                            const cudaChannelFormatDesc &desc, size_t bytes = 1 << 28)
{
    cudaResourceDesc resource;

    if (offset)
        *offset = 0;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (void *)data;
    resource.res.linear.desc = desc;
    resource.res.linear.sizeInBytes = bytes;
    pm_texture_bind(&reference, &resource, M);
    return cudaSuccess;
}
template <class T, int N, cudaTextureReadMode M>
cudaError_t cudaBindTexture(size_t *offset, texture<T, N, M> &reference, const void *data,
                            size_t bytes = 1 << 28)
{
    return cudaBindTexture(offset, reference, data, cudaCreateChannelDesc<T>(), bytes);
}
template <class T, int N, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(size_t *offset, texture<T, N, M> &reference, const void *data,
                              const cudaChannelFormatDesc &desc, size_t width, size_t height,
                              size_t pitch)
{
    cudaResourceDesc resource;

    if (offset)
        *offset = 0;
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = (void *)data;
    resource.res.pitch2D.desc = desc;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    pm_texture_bind(&reference, &resource, M);
    return cudaSuccess;
}
template <class T, int N, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(size_t *offset, texture<T, N, M> &reference, const void *data,
                              size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, reference, data, cudaCreateChannelDesc<T>(), width, height,
                             pitch);
}
template <class T, int N, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(texture<T, N, M> &reference, cudaArray_const_t array)
{
    cudaResourceDesc resource;

    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = (cudaArray_t)array;
    pm_texture_bind(&reference, &resource, M);
    return cudaSuccess;
}
template <class T, int N, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(texture<T, N, M> &reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &desc)
{
    return cudaBindTextureToArray(reference, array);
}
template <class T, int N, cudaTextureReadMode M>
cudaError_t cudaUnbindTexture(const texture<T, N, M> &reference)
{
    return cudaSuccess;
}

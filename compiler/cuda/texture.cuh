/* Declarations of textures and surfaces, so that a source with them compiles. The trace engine
 * refuses kernels that read them, and traces the other kernels of the source. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef struct cudaArray *cudaArray_t;
enum cudaChannelFormatKind { cudaChannelFormatKindSigned };
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3 };

/* Type of texture references, which CUDA had before version 12. */
template <typename PM_T, int PM_DIMENSIONS = 1,
          cudaTextureReadMode PM_MODE = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {
    int normalized, filterMode, addressMode[3];
};

#define PM_TEXTURE(name, ...)                                                                      \
    template <typename PM_T>                                                                       \
    __attribute__((device, host)) PM_T name(cudaTextureObject_t, __VA_ARGS__);                     \
    template <typename PM_T, int PM_N>                                                             \
    __attribute__((device, host))                                                                  \
    PM_T name(texture<PM_T, PM_N, cudaReadModeElementType>, __VA_ARGS__);                          \
    template <typename PM_T, int PM_N>                                                             \
    __attribute__((device, host)) float name(texture<PM_T, PM_N, cudaReadModeNormalizedFloat>,     \
                                             __VA_ARGS__);
PM_TEXTURE(tex1Dfetch, int)
PM_TEXTURE(tex1D, float)
PM_TEXTURE(tex2D, float, float)
PM_TEXTURE(tex3D, float, float, float)
PM_TEXTURE(tex2DLod, float, float, float)
PM_TEXTURE(tex3DLod, float, float, float, float)
PM_TEXTURE(tex1DLayered, float, int)
PM_TEXTURE(tex2DLayered, float, float, int)
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

/* Textures and surfaces: kernels that read none of them can be traced beside those that do, whose
 * calls the engine refuses. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef struct cudaArray *cudaArray_t;
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3 };

/* An object of this name, or the reference of old. */
template <typename T, int DIMENSIONS = 1, cudaTextureReadMode MODE = cudaReadModeElementType>
struct texture {
    int normalized, filterMode, addressMode[3];
};

#define PM_TEXTURE(name, ...)                                                                      \
    template <typename T> __attribute__((device, host)) T name(cudaTextureObject_t, __VA_ARGS__);  \
    template <typename T, int N>                                                                   \
    __attribute__((device, host)) T name(texture<T, N, cudaReadModeElementType>, __VA_ARGS__);     \
    template <typename T, int N>                                                                   \
    __attribute__((device, host)) float name(texture<T, N, cudaReadModeNormalizedFloat>,           \
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
    template <typename T>                                                                          \
    __attribute__((device, host)) T name##read(cudaSurfaceObject_t, __VA_ARGS__,                   \
                                               cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);    \
    template <typename T>                                                                          \
    __attribute__((device, host)) void name##write(T, cudaSurfaceObject_t, __VA_ARGS__,            \
                                                   cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
PM_SURFACE(surf1D, int)
PM_SURFACE(surf2D, int, int)
PM_SURFACE(surf3D, int, int, int)
#undef PM_SURFACE

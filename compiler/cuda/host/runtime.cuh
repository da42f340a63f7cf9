/* Declarations of CUDA's runtime for host code. See host.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorNoDevice = 100,
    cudaErrorNotReady = 600,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorUnknown = 999
};
typedef cudaError_t cudaError;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct cublasContext *cublasHandle_t;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct curandGenerator_st *curandGenerator_t;
typedef int cufftHandle, CUdevice, CUresult, cublasStatus_t, cusparseStatus_t, curandStatus_t,
    cufftResult;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaFuncAttributes {
    int binaryVersion, maxThreadsPerBlock, numRegs, maxDynamicSharedSizeBytes;
    size_t constSizeBytes, localSizeBytes, sharedSizeBytes;
};
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor, sharedMemPerBlockOptin,
        totalConstMem, memPitch, textureAlignment;
    int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock,
        maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor, maxThreadsDim[3], maxGridSize[3],
        clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, major, minor, multiProcessorCount,
        concurrentKernels, cooperativeLaunch, integrated, canMapHostMemory, deviceOverlap,
        asyncEngineCount, unifiedAddressing, managedMemory, concurrentManagedAccess, computeMode,
        kernelExecTimeoutEnabled, ECCEnabled, tccDriver, pciBusID, pciDeviceID, persistingL2CacheMaxSize;
    char gcnArchName[256];
};
struct cudaLaunchAttribute {
    int id;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrConcurrentManagedAccess = 89
};
#define cudaMemAttachGlobal 1
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterMapped 2
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaDeviceMapHost 8
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleBlockingSync 4
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaCpuDeviceId (-1)
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseSetAccessedBy = 5
};
enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize
};

/* Functions that clang calls for the launch syntax <<<...>>>. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
unsigned cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);

/* Functions that the interpreter of host code (transform/source/host) executes by their names. */
template <class P> cudaError_t cudaMalloc(P pointer, size_t bytes);
template <class P> cudaError_t cudaMallocManaged(P pointer, size_t bytes, unsigned = 1);
template <class P> cudaError_t cudaMallocAsync(P pointer, size_t bytes, cudaStream_t);
template <class P> cudaError_t cudaMallocAsync(P pointer, size_t bytes, cudaMemPool_t, cudaStream_t);
template <class P>
cudaError_t cudaMallocFromPoolAsync(P pointer, size_t bytes, cudaMemPool_t, cudaStream_t);
template <class P> cudaError_t cudaMallocHost(P pointer, size_t bytes, unsigned = 0);
template <class P> cudaError_t cudaHostAlloc(P pointer, size_t bytes, unsigned);
template <class P>
cudaError_t cudaMallocPitch(P pointer, size_t *pitch, size_t width, size_t height);
template <class P> CUresult cuMemAlloc(P pointer, size_t bytes);
cudaError_t cudaFree(const void *);
cudaError_t cudaFreeAsync(const void *, cudaStream_t);
cudaError_t cudaFreeHost(const void *);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
template <class S>
cudaError_t cudaMemcpyToSymbol(const S &symbol, const void *, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class S>
cudaError_t cudaMemcpyToSymbolAsync(const S &symbol, const void *, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0);
template <class S>
cudaError_t cudaMemcpyFromSymbol(void *, const S &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class S>
cudaError_t cudaMemcpyFromSymbolAsync(void *, const S &symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = 0);
template <class P, class S> cudaError_t cudaGetSymbolAddress(P pointer, const S &symbol);
template <class S> cudaError_t cudaGetSymbolSize(size_t *bytes, const S &symbol);
template <class F>
cudaError_t cudaLaunchKernel(F kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                             cudaStream_t = 0);
template <class F, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *configuration, F kernel, A &&...arguments);
template <class F>
cudaError_t cudaLaunchCooperativeKernel(F kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared = 0, cudaStream_t = 0);

/* Followed by their bodies. */
#define PM_SUCCEEDS                                                                                \
    {                                                                                              \
        return cudaSuccess;                                                                        \
    }
inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *of, int device)
{
    of->sharedMemPerBlock = 49152;
    of->sharedMemPerMultiprocessor = 102400;
    of->sharedMemPerBlockOptin = 101376;
    of->totalConstMem = 65536;
    of->totalGlobalMem = 17179869184;
    of->regsPerBlock = 65536;
    of->warpSize = 32;
    of->maxThreadsPerBlock = 1024;
    of->maxThreadsPerMultiProcessor = 2048;
    of->maxThreadsDim[0] = 1024;
    of->maxThreadsDim[1] = 1024;
    of->maxThreadsDim[2] = 64;
    of->maxGridSize[0] = 2147483647;
    of->maxGridSize[1] = 65535;
    of->maxGridSize[2] = 65535;
    of->major = 8;
    of->minor = 0;
    of->cooperativeLaunch = 1;
    of->concurrentKernels = 1;
    of->concurrentManagedAccess = 1;
    of->managedMemory = 1;
    of->unifiedAddressing = 1;
    of->canMapHostMemory = 1;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *multiProcessorCount, cudaDeviceAttr what, int)
{
    cudaDeviceProp of;

    cudaGetDeviceProperties(&of, 0);
    switch (what) {
    case cudaDevAttrMaxThreadsPerBlock:
        *multiProcessorCount = of.maxThreadsPerBlock;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *multiProcessorCount = of.sharedMemPerBlock;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *multiProcessorCount = of.sharedMemPerBlockOptin;
        break;
    case cudaDevAttrWarpSize:
        *multiProcessorCount = of.warpSize;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *multiProcessorCount = of.maxThreadsPerMultiProcessor;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *multiProcessorCount = of.major;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *multiProcessorCount = of.minor;
        break;
    case cudaDevAttrMultiProcessorCount:
        *multiProcessorCount = of.multiProcessorCount;
        break;
    default:
        *multiProcessorCount = 1;
    }
    return cudaSuccess;
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    cudaExtent of;

    of.width = width;
    of.height = height;
    of.depth = depth;
    return of;
}
inline cudaPitchedPtr make_cudaPitchedPtr(void *data, size_t pitch, size_t width, size_t height)
{
    cudaPitchedPtr of;

    of.ptr = data;
    of.pitch = pitch;
    of.xsize = width;
    of.ysize = height;
    return of;
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr *to, cudaExtent extent)
{
    to->pitch = (extent.width + 511) / 512 * 512;
    to->xsize = extent.width;
    to->ysize = extent.height;
    return cudaMalloc(&to->ptr, to->pitch * extent.height * extent.depth);
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr of, int value, cudaExtent extent)
{
    return cudaMemset(of.ptr, value, of.pitch * extent.height * extent.depth);
}
inline cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return cudaMemset(to, value, pitch * height);
}
inline cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t = 0)
{
    return cudaMemset(to, value, pitch * height);
}
/* Copies rows only if they have no gaps. The contents of other copies are unknown. */
inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                size_t width, size_t height, cudaMemcpyKind kind)
{
    if (to_pitch == width && from_pitch == width)
        return cudaMemcpy(to, from, width * height, kind);
    return cudaMemset(to, 1, width);
}
inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t = 0)
{
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
inline cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    *free = *total = 17179869184;
    return cudaSuccess;
}
template <class P> cudaError_t cudaHostGetDevicePointer(P **device, void *host, unsigned)
{
    *device = (P *)host;
    return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, F kernel,
                                               size_t shared = 0, int limit = 0)
{
    cudaDeviceProp of;

    cudaGetDeviceProperties(&of, 0);
    *minGridSize = of.multiProcessorCount * 8;
    *blockSize = 256;
    return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F kernel, int blockSize,
                                                          size_t shared)
{
    *blocks = 2048 / blockSize;
    return cudaSuccess;
}
inline cudaError_t cudaGetLastError() PM_SUCCEEDS inline cudaError_t
cudaPeekAtLastError() PM_SUCCEEDS inline cudaError_t
cudaDeviceSynchronize() PM_SUCCEEDS inline cudaError_t
cudaThreadSynchronize() PM_SUCCEEDS inline cudaError_t cudaThreadExit() PM_SUCCEEDS
    inline cudaError_t
    cudaDeviceReset() PM_SUCCEEDS inline cudaError_t cudaProfilerStart() PM_SUCCEEDS inline cudaError_t
    cudaProfilerStop() PM_SUCCEEDS

#define PM_DOES_NOTHING(name)                                                                      \
    template <class... T> cudaError_t name(const T &...) PM_SUCCEEDS
        PM_DOES_NOTHING(cudaSetDevice)
PM_DOES_NOTHING(cudaSetDeviceFlags)
PM_DOES_NOTHING(cudaDeviceSetCacheConfig)
PM_DOES_NOTHING(cudaDeviceSetSharedMemConfig)
PM_DOES_NOTHING(cudaDeviceSetLimit)
PM_DOES_NOTHING(cudaDeviceEnablePeerAccess)
PM_DOES_NOTHING(cudaFuncSetCacheConfig)
PM_DOES_NOTHING(cudaFuncSetSharedMemConfig)
PM_DOES_NOTHING(cudaFuncSetAttribute)
PM_DOES_NOTHING(cudaMemcpy3D)
PM_DOES_NOTHING(cudaMemPrefetchAsync)
PM_DOES_NOTHING(cudaMemAdvise)
PM_DOES_NOTHING(cudaHostRegister)
PM_DOES_NOTHING(cudaHostUnregister)
PM_DOES_NOTHING(cudaStreamSynchronize)
PM_DOES_NOTHING(cudaStreamDestroy)
PM_DOES_NOTHING(cudaStreamWaitEvent)
PM_DOES_NOTHING(cudaStreamBeginCapture)
PM_DOES_NOTHING(cudaStreamAttachMemAsync)
PM_DOES_NOTHING(cudaEventRecord)
PM_DOES_NOTHING(cudaEventSynchronize)
PM_DOES_NOTHING(cudaEventDestroy)
PM_DOES_NOTHING(cudaEventQuery)
PM_DOES_NOTHING(cudaStreamQuery)
PM_DOES_NOTHING(cudaGraphLaunch)
PM_DOES_NOTHING(cudaGraphDestroy)
PM_DOES_NOTHING(cudaGraphExecDestroy)
#undef PM_DOES_NOTHING
#define PM_CREATES(name)                                                                           \
    template <class P, class... T> cudaError_t name(P *made, const T &...) PM_SUCCEEDS
    PM_CREATES(cudaStreamCreate)
PM_CREATES(cudaStreamCreateWithFlags)
PM_CREATES(cudaStreamCreateWithPriority)
PM_CREATES(cudaEventCreate)
PM_CREATES(cudaEventCreateWithFlags)
#undef PM_CREATES
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
template <class... T> cudaError_t cudaStreamEndCapture(cudaStream_t, T...);
template <class... T> cudaError_t cudaGraphInstantiate(T...);
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);

namespace thrust
{
template <class T> struct device_ptr {
    T *pm_data;
    device_ptr(T *data = nullptr) : pm_data(data)
    {
    }
    T *get() const
    {
        return pm_data;
    }
};
template <class T> struct host_vector : std::vector<T> {
    host_vector() : std::vector<T>()
    {
    }
    host_vector(size_t n) : std::vector<T>(n)
    {
    }
    host_vector(size_t n, const T &value) : std::vector<T>(n, value)
    {
    }
    host_vector(std::initializer_list<T> list) : std::vector<T>(list)
    {
    }
    template <class I, class = decltype(*I())> host_vector(I from, I to) : std::vector<T>(from, to)
    {
    }
    template <class V, class = decltype(V().size())>
    host_vector(const V &other) : std::vector<T>(other.size())
    {
    }
};
template <class T> struct device_vector {
    T *pm_data;
    size_t pm_size;
    device_vector() : pm_data(nullptr), pm_size(0)
    {
    }
    device_vector(size_t n) : pm_data(nullptr), pm_size(n)
    {
        cudaMalloc(&pm_data, n * sizeof(T));
        cudaMemset(pm_data, 0, n * sizeof(T));
    }
    device_vector(size_t n, const T &value) : pm_data(nullptr), pm_size(n)
    {
        cudaMalloc(&pm_data, n * sizeof(T));
    }
    device_vector(const device_vector &other) : pm_data(nullptr), pm_size(other.pm_size)
    {
        cudaMalloc(&pm_data, pm_size * sizeof(T));
    }
    device_vector(const host_vector<T> &other) : pm_data(nullptr), pm_size(other.pm_size)
    {
        pm_copy(other.pm_data);
    }
    device_vector(const std::vector<T> &other) : pm_data(nullptr), pm_size(other.pm_size)
    {
        pm_copy(other.pm_data);
    }
    device_vector(std::initializer_list<T> list) : pm_data(nullptr), pm_size(list.pm_size)
    {
        pm_copy(list.pm_data);
    }
    void pm_copy(const T *from)
    {
        cudaMalloc(&pm_data, pm_size * sizeof(T));
        cudaMemcpy(pm_data, from, pm_size * sizeof(T), cudaMemcpyHostToDevice);
    }
    template <template <class...> class V, class... U>
    device_vector(const V<U...> &other) : pm_data(nullptr), pm_size(other.size())
    {
        cudaMalloc(&pm_data, pm_size * sizeof(T));
    }
    template <class I, class = decltype(*I())>
    device_vector(I from, I to) : pm_data(nullptr), pm_size(to - from)
    {
        cudaMalloc(&pm_data, pm_size * sizeof(T));
    }
    template <class V> device_vector &operator=(const V &other)
    {
        if (pm_size != other.size()) {
            pm_size = other.size();
            cudaMalloc(&pm_data, pm_size * sizeof(T));
        }
        return *this;
    }
    void resize(size_t n)
    {
        pm_size = n;
        cudaMalloc(&pm_data, n * sizeof(T));
    }
    device_ptr<T> data()
    {
        return device_ptr<T>(pm_data);
    }
    T &operator[](size_t i)
    {
        return pm_data[i];
    }
    device_ptr<T> begin()
    {
        return device_ptr<T>(pm_data);
    }
    device_ptr<T> end();
    size_t size() const
    {
        return pm_size;
    }
};
template <class T> T *raw_pointer_cast(device_ptr<T> pointer)
{
    return pointer.pm_data;
}
template <class T> T *raw_pointer_cast(T *pointer)
{
    return pointer;
}
template <class T> device_ptr<T> device_malloc(size_t n)
{
    T *data;

    cudaMalloc(&data, n * sizeof(T));
    return device_ptr<T>(data);
}
template <class T> void device_free(device_ptr<T> pointer)
{
    cudaFree(pointer.pm_data);
}
template <class T> device_ptr<T> device_pointer_cast(T *pointer)
{
    return device_ptr<T>(pointer);
}
/* Algorithms that write to a buffer: its contents are not zeros any more. */
#define PM_WRITES(name)                                                                            \
    template <class T, class... A> void name(device_ptr<T> first, A...)                            \
    {                                                                                              \
        cudaMemset(first.pm_data, 1, sizeof(T));                                                   \
    }                                                                                              \
    template <class... A> void name(A...);
PM_WRITES(fill)
PM_WRITES(sequence)
PM_WRITES(generate)
PM_WRITES(tabulate)
PM_WRITES(sort)
PM_WRITES(exclusive_scan)
PM_WRITES(inclusive_scan)
#undef PM_WRITES
template <class... T> void copy(T...);
template <class... T> pm_any reduce(T...);
} // namespace thrust

/* Replacements for macros and functions of helper_cuda.h of the CUDA samples, if that header is
 * missing. */
#define checkCudaErrors(...) (__VA_ARGS__)
#define getLastCudaError(...) ((void)0)
int findCudaDevice(...);
int gpuGetMaxGflopsDeviceId(...);
template <class... T> bool checkCmdLineFlag(const T &...)
{
    return false;
}
template <class... T> bool getCmdLineArgumentString(const T &...)
{
    return false;
}
int getCmdLineArgumentInt(...);
float getCmdLineArgumentFloat(...);
class StopWatchInterface;
bool sdkCreateTimer(...);
bool sdkStartTimer(...);
bool sdkStopTimer(...);
bool sdkResetTimer(...);
bool sdkDeleteTimer(...);
float sdkGetTimerValue(...);

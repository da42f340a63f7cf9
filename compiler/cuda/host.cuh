/* Declarations of the host's libraries, for code that remains in a source after its host code was
 * removed. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

/* Printing is not executed in a trace. A notice reports this
 * (compiler/cuda_source/cuda_bitcode.c). */
template <typename... PM_T> PM_DEVICE int printf(const char *, PM_T...)
{
    return 0;
}
#define assert(condition) ((void)0)
/* Function that the macro assert calls, in sources that were preprocessed with the host's
 * headers. */
PM_DEVICE void __assert_fail(const char *, const char *, unsigned int, const char *)
{
}

/* Functions that stop a kernel with an error. Traces assume that none happens. */
PM_DEVICE void __trap()
{
}
PM_DEVICE void __brkpt()
{
}

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaError_t { cudaSuccess };
typedef cudaError_t cudaError;

/* Empty namespaces of libraries whose headers are left out, so that `using namespace` of a source
 * compiles. */
namespace thrust
{
}
namespace cub
{
}
namespace hipcub
{
}
namespace nvcuda
{
namespace wmma
{
}
} // namespace nvcuda

/* Declared without a definition: the trace engine refuses kernels that call these functions. */
extern "C" __attribute__((device, host)) void *malloc(size_t bytes);
extern "C" __attribute__((device, host)) void free(void *memory);
typedef long clock_t;
extern "C" __attribute__((device, host)) clock_t clock();
extern "C" __attribute__((device, host)) long long clock64();
extern "C" __attribute__((device, host)) unsigned long long __globaltimer();

/* Types of the host's libraries. Kernels do not access members of these structs. */
typedef unsigned long pthread_t;
typedef int pid_t;
typedef long off_t, time_t, ssize_t;
struct pm_host {
    long pm_host[8];
};
typedef pm_host FILE, pthread_mutex_t, pthread_cond_t, pthread_barrier_t, pthread_attr_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef CUstream_st *CUstream;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct cublasContext *cublasHandle_t;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef int cufftHandle, CUdevice;
typedef unsigned long long CUdeviceptr;
enum cudaMemAllocationHandleType { cudaMemHandleTypeNone };
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
typedef pm_host cudaDeviceProp, cudaIpcMemHandle_t,
    cudaIpcEventHandle_t, cudaMemPoolPtrExportData, cudaFuncAttributes;
struct timeval {
    long tv_sec, tv_usec;
};

/* Functions that C++ also has in namespace std. */
namespace std
{
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::isnan;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::max;
using ::min;
using ::pow;
using ::ptrdiff_t;
using ::rint;
using ::round;
using ::sin;
using ::sinh;
using ::size_t;
using ::sqrt;
using ::tan;
using ::tanh;
using ::trunc;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
} // namespace std

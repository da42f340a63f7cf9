/* What host code leaves behind when it is taken out of a source. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

/* The engine refuses the call, with its line. */
extern "C" __attribute__((device, host)) int printf(const char *format, ...);
#define assert(condition) ((void)0)

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaError_t { cudaSuccess };

/* Members of structs that kernels do not look at. */
typedef long clock_t;
typedef unsigned long pthread_t;
struct pm_host {
    long pm_host[8];
};
typedef pm_host FILE, pthread_mutex_t, pthread_cond_t, pthread_barrier_t;
struct timeval {
    long tv_sec, tv_usec;
};

/* Functions that the library has in namespace std too. */
namespace std
{
using ::abs;
using ::acos;
using ::asin;
using ::atan;
using ::atan2;
using ::ceil;
using ::cos;
using ::exp;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::isnan;
using ::log;
using ::log2;
using ::max;
using ::min;
using ::pow;
using ::ptrdiff_t;
using ::round;
using ::sin;
using ::size_t;
using ::sqrt;
using ::tan;
using ::tanh;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
} // namespace std

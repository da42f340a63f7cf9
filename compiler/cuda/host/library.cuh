/* Declarations of the C library for host code. See host.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long ssize_t, off_t, time_t, clock_t, suseconds_t;
typedef signed char int8_t;
typedef unsigned char uint8_t, u_char, uchar;
typedef short int16_t;
typedef unsigned short uint16_t, u_short, ushort;
typedef int int32_t;
typedef unsigned int uint32_t, u_int, uint;
typedef long int64_t, intptr_t, intmax_t;
typedef unsigned long uint64_t, u_long, ulong, uintptr_t, uintmax_t;
typedef __builtin_va_list va_list;
typedef unsigned long pthread_t;
typedef int pid_t;

#define NULL __null
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define CLOCKS_PER_SEC 1000000L
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define EOF (-1)
#define CHAR_BIT 8
#define CHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LONG_MAX
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#define FLT_EPSILON 1.19209290e-7f
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF INFINITY
#define HUGE_VAL ((double)INFINITY)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define assert(...) ((void)0)
#define static_assert_message(...)
#define PRId64 "ld"
#define PRIu64 "lu"
#define PRIx64 "lx"
#define va_start(list, last) ((void)0)
#define va_end(list) ((void)0)
#define errno (*__errno_location())

struct FILE;
extern FILE *stdin, *stdout, *stderr;
struct timeval {
    long tv_sec, tv_usec;
};
struct timespec {
    long tv_sec, tv_nsec;
};
struct timezone {
    int tz_minuteswest, tz_dsttime;
};
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1

#ifdef PM_OF_C /* the source is C, where void * converts implicitly to every pointer type */
struct pm_allocated {
    void *pm_data;
    template <class T> operator T *() const
    {
        return (T *)pm_data;
    }
};
#else
typedef void *pm_allocated;
#endif

extern "C" {
int *__errno_location();
char *strerror(int);
pm_allocated malloc(size_t bytes);
pm_allocated calloc(size_t count, size_t bytes);
pm_allocated realloc(void *memory, size_t bytes);
pm_allocated aligned_alloc(size_t alignment, size_t bytes);
int posix_memalign(void **memory, size_t alignment, size_t bytes);
void free(void *memory);
void exit(int);
void _exit(int);
void abort();
int atexit(void (*)());
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
int rand();
void srand(unsigned);
double drand48();
void srand48(long);
long random();
void srandom(unsigned);
int rand_r(unsigned *);
char *getenv(const char *);
int system(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int scanf(const char *, ...);
int sscanf(const char *, const char *, ...);
int fscanf(FILE *, const char *, ...);
int puts(const char *);
int putchar(int);
int fputs(const char *, FILE *);
int fputc(int, FILE *);
int fflush(FILE *);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
char *fgets(char *, int, FILE *);
int fgetc(FILE *);
int feof(FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
void rewind(FILE *);
void perror(const char *);
int getopt(int, char *const *, const char *);
extern char *optarg;
extern int optind;
struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};
#define no_argument 0
#define required_argument 1
#define optional_argument 2
int getopt_long(int, char *const *, const char *, const struct option *, int *);

void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strtok(char *, const char *);
char *strdup(const char *);
int isdigit(int);
int isalpha(int);
int isspace(int);
int toupper(int);
int tolower(int);

time_t time(time_t *);
clock_t clock();
int gettimeofday(timeval *, void *);
int clock_gettime(int, timespec *);
double omp_get_wtime();
int omp_get_max_threads();
int omp_get_thread_num();
void omp_set_num_threads(int);
unsigned sleep(unsigned);
int usleep(unsigned);
}

#define PM_MATH(name) PM_BOTH double name(double);
#define PM_MATHS(name)                                                                             \
    extern "C" __attribute__((device, host)) double name(double);                                  \
    extern "C" __attribute__((device, host)) float name##f(float);                                 \
    PM_BOTH float name(float x)                                                                    \
    {                                                                                              \
        return name##f(x);                                                                         \
    }                                                                                              \
    PM_BOTH double name(int x)                                                                     \
    {                                                                                              \
        return name((double)x);                                                                    \
    }                                                                                              \
    PM_BOTH double name(unsigned x)                                                                \
    {                                                                                              \
        return name((double)x);                                                                    \
    }                                                                                              \
    PM_BOTH double name(long x)                                                                    \
    {                                                                                              \
        return name((double)x);                                                                    \
    }                                                                                              \
    PM_BOTH double name(unsigned long x)                                                           \
    {                                                                                              \
        return name((double)x);                                                                    \
    }
PM_MATHS(sqrt)
PM_MATHS(cbrt)
PM_MATHS(ceil)
PM_MATHS(floor)
PM_MATHS(round)
PM_MATHS(rint)
PM_MATHS(trunc)
PM_MATHS(fabs)
PM_MATHS(exp)
PM_MATHS(exp2)
PM_MATHS(log)
PM_MATHS(log2)
PM_MATHS(log10)
PM_MATHS(sin)
PM_MATHS(cos)
PM_MATHS(tan)
PM_MATHS(asin)
PM_MATHS(acos)
PM_MATHS(atan)
PM_MATHS(sinh)
PM_MATHS(cosh)
PM_MATHS(tanh)
PM_MATHS(erf)
PM_MATHS(erfc)
PM_MATHS(tgamma)
PM_MATHS(lgamma)
#undef PM_MATHS
#undef PM_MATH
#define PM_MATHS2(name)                                                                            \
    extern "C" __attribute__((device, host)) double name(double, double);                          \
    extern "C" __attribute__((device, host)) float name##f(float, float);                          \
    PM_BOTH float name(float x, float y)                                                           \
    {                                                                                              \
        return name##f(x, y);                                                                      \
    }                                                                                              \
    template <class A, class B> PM_BOTH double name(A x, B y)                                      \
    {                                                                                              \
        return name((double)x, (double)y);                                                         \
    }
PM_MATHS2(pow)
PM_MATHS2(fmin)
PM_MATHS2(fmax)
PM_MATHS2(fmod)
PM_MATHS2(atan2)
PM_MATHS2(hypot)
#undef PM_MATHS2

PM_BOTH int abs(int x)
{
    return x < 0 ? -x : x;
}
PM_BOTH long abs(long x)
{
    return x < 0 ? -x : x;
}
PM_BOTH float abs(float x)
{
    return x < 0 ? -x : x;
}
PM_BOTH double abs(double x)
{
    return x < 0 ? -x : x;
}
PM_BOTH bool isnan(double x)
{
    return x != x;
}
bool isinf(double);
bool isfinite(double);
PM_BOTH long labs(long x)
{
    return x < 0 ? -x : x;
}

/* min and max of nvcc, which accept arguments of two different types. */
template <class A, class B> PM_BOTH auto min(A a, B b) -> decltype(a + b)
{
    return a < b ? a : b;
}
template <class A, class B> PM_BOTH auto max(A a, B b) -> decltype(a + b)
{
    return a < b ? b : a;
}

/* Workload: what to run, with no knowledge of any device.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source and build options, buffers with their initial contents, launches in order, and a check of
 * the outputs against a CPU reference. Every executor runs the same Workload, and may run its
 * launches many times: buffers marked PM_BUFFER_RESTORE are set back to their initial contents
 * before each pass, all others must not need it.
 *
 * A builder keeps its first error and ignores what follows, so that a program can add all its parts
 * and look once: pm_workload_finish returns the error.
 */
#ifndef PM_PROGRAM_WORKLOAD_H
#define PM_PROGRAM_WORKLOAD_H

#include <stdint.h>

#include "perfmodel.h"

/* The trace engine is to stay within a gigabyte or so; buffers of which only a sample is touched
 * may be larger. */
#define PM_TRACE_MOST_BYTES ((size_t)1 << 30)    /* of a buffer */
#define PM_TRACE_MOST_TOGETHER ((size_t)3 << 30) /* of a workload's */

enum {
    PM_BUFFER_IN = 0,           /* read by the kernels only, or scratch */
    PM_BUFFER_OUTPUT = 1 << 0,  /* read back for the check */
    PM_BUFFER_RESTORE = 1 << 1, /* kernels both read and write it: restore before each pass */
    PM_BUFFER_POISON = 1 << 2,  /* without initial contents: starts with all bits set, not zeros */
    PM_BUFFER_SCRATCH = 1 << 3  /* a launch neither needs what it holds nor leaves anything there
                                 * that  is needed */
};

typedef struct pm_workload pm_workload;

typedef struct {
    char *name;
    size_t bytes;
    void *initial; /* NULL: starts as zeros, or poisoned */
    unsigned flags;
    char *origin;              /* where a user described it, "path:line"; NULL: nowhere */
    const pm_workload *lender; /* whose initial it is; NULL: this one's */
} pm_buffer;

/* A variable of a CUDA source in __constant__ memory, with what the host copies there. */
typedef struct {
    char *name;
    size_t bytes;
    void *data;
} pm_device_symbol;

/* PM_ARG_NULL: a pointer to no buffer. */
typedef enum { PM_ARG_BUFFER, PM_ARG_LOCAL, PM_ARG_VALUE, PM_ARG_NULL } pm_arg_kind;

typedef struct {
    pm_arg_kind kind;
    size_t buffer;           /* PM_ARG_BUFFER: index of the buffer */
    size_t offset;           /* PM_ARG_BUFFER: the kernel gets it from this byte on */
    size_t bytes;            /* PM_ARG_LOCAL and PM_ARG_VALUE */
    unsigned char value[16]; /* PM_ARG_VALUE, where it fits; see pm_arg_value */
    unsigned char *large;    /* where it does not; the launch's own */
} pm_arg;

#define PM_MAX_ARGS 64
/* Of a value: as many as a CUDA kernel has for all of its arguments. */
#define PM_MOST_VALUE ((size_t)4096)

typedef struct {
    char *kernel;
    char *label;         /* the launch's name in its file, whatever its kernel is; NULL: none */
    unsigned dimensions; /* 1 to 3 */
    size_t global[3];    /* work-items; unused dimensions are 1 */
    size_t local[3];     /* work-group; divides global */
    size_t offset[3];    /* of the global ids */
    size_t shared;       /* bytes of shared memory for CUDA's extern __shared__ arrays */
    size_t arg_count;
    pm_arg args[PM_MAX_ARGS];
} pm_launch;

/* Memory for a buffer's initial contents that can be mapped a second time. */
typedef struct {
    void *data;
    size_t bytes;
    int file; /* an unnamed file that data is mapped from */
} pm_contents;

/* Compares outputs with the reference. outputs[i] is the contents of buffer i after one pass, for
 * buffers with PM_BUFFER_OUTPUT, else NULL. Says what differs in err and returns PM_FAILED. */
typedef pm_status (*pm_check_fn)(const pm_workload *workload, const void *const *outputs,
                                 pm_error *err);

struct pm_workload {
    char *program, *variant, *size;
    char *source; /* OpenCL C 1.2, or CUDA C++ (compiler/language.h) */
    char *source_path;
    char *build_options;
    char *origin; /* the file that describes it; NULL: none does */
    size_t buffer_count;
    pm_buffer *buffers;
    size_t symbol_count;
    pm_device_symbol *symbols;
    size_t launch_count;
    pm_launch *launches;
    size_t contents_count;
    pm_contents *contents;
    double work; /* amount of work of one pass, proportional between sizes of a variant */
    /* What defines the results, where running it does: it is run by the same executor first, and
     * the check compares with its outputs. NULL: none; then the check knows the results itself. */
    pm_workload *reference;
    void **expected; /* its outputs, by buffer; NULL: it has not been run, and check accepts all */
    pm_check_fn check;
    /* The workload whose reference the check compares with: one that this is made of; NULL: this.
     */
    pm_workload *original;
    void *check_context; /* for the check; NULL: it needs none */
    void (*free_context)(void *context);
    uint64_t check_files; /* digest of the identities of files that the check reads; 0: none */
    uint64_t salt;        /* further part of its identity: workloads with different salts differ */
    pm_error error;       /* the first one of the builder */
};

pm_workload *pm_workload_create(const char *program, const char *variant, const char *size);
void pm_workload_free(pm_workload *workload);
/* The workload as another variant; without memory it is freed, and NULL. */
pm_workload *pm_workload_rename(pm_workload *workload, const char *variant, pm_error *err);

/* Reads the source from the shipped kernels, for example "sobel/sobel_local.cl". */
void pm_workload_source(pm_workload *workload, const char *name);
/* The same from anywhere. */
void pm_workload_source_file(pm_workload *workload, const char *path);
void pm_workload_options(pm_workload *workload, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Zeroed memory for initial contents; NULL: out of memory, which finish will say. It is the
 * workload's whether a buffer is made of it or not. */
void *pm_workload_contents(pm_workload *workload, size_t bytes);
/* The file that data of pm_workload_contents is mapped from, from its start; -1: it has none. */
int pm_workload_contents_file(const pm_workload *workload, const void *data);
/* Adds a buffer and returns its index. Takes ownership of initial, which is of pm_workload_contents
 * or malloc, and may be NULL. */
size_t pm_workload_buffer(pm_workload *workload, const char *name, size_t bytes, void *initial,
                          unsigned flags);
/* Says where a user described the buffer. */
void pm_workload_origin(pm_workload *workload, size_t buffer, const char *origin);
/* Adds a buffer that is like one of another workload: its name, size, flags and initial contents,
 * which are not copied, and origin. That workload must outlive this one. Returns the new buffer's
 * index. */
size_t pm_workload_share(pm_workload *workload, const pm_workload *from, size_t buffer);
/* Adds a symbol, whose data are copied. symbols.c */
void pm_workload_symbol(pm_workload *workload, const char *name, const void *data, size_t bytes);
void pm_workload_free_symbols(pm_workload *workload);
/* The largest work-group of up to 256 work-items that divides the global size, as drivers choose
 * one where the program leaves it to them: along the first dimension, of several up to 32 there,
 * then the others. usual_group.c */
void pm_workload_usual_group(unsigned dimensions, const size_t *global, size_t *local);
/* Adds a launch; its arguments follow in order. global and local have `dimensions` members. */
void pm_workload_launch(pm_workload *workload, const char *kernel, unsigned dimensions,
                        const size_t *global, const size_t *local);
/* Names the last launch; label NULL: it has no name. */
void pm_workload_label(pm_workload *workload, const char *label);
/* Global ids of the last launch start there; offset has its `dimensions` members. */
void pm_workload_offset(pm_workload *workload, const size_t *offset);
/* Bytes of shared memory that the last launch gives its kernel's extern __shared__ arrays. */
void pm_workload_shared(pm_workload *workload, size_t bytes);
void pm_workload_arg_buffer(pm_workload *workload, size_t buffer);
/* The buffer from byte `offset` on, which is inside of it. */
void pm_workload_arg_part(pm_workload *workload, size_t buffer, size_t offset);
void pm_workload_arg_null(pm_workload *workload);
void pm_workload_arg_local(pm_workload *workload, size_t bytes);
void pm_workload_arg_int(pm_workload *workload, int32_t value);
void pm_workload_arg_ulong(pm_workload *workload, uint64_t value);
void pm_workload_arg_float(pm_workload *workload, float value);
/* Of a scalar, vector or struct of up to PM_MOST_VALUE bytes, which are copied. */
void pm_workload_arg_value(pm_workload *workload, const void *value, size_t bytes);
/* The bytes of a PM_ARG_VALUE. */
const void *pm_arg_value(const pm_arg *arg);
/* Several in order: PM_ARGS(workload, PM_BUFFER(0), PM_INT(n), PM_FLOAT(x)). */
#define PM_ARGS(workload, ...)                                                                     \
    pm_workload_args(workload, (const pm_arg[]){__VA_ARGS__},                                      \
                     sizeof((const pm_arg[]){__VA_ARGS__}) / sizeof(pm_arg))
#define PM_BUFFER(index) ((pm_arg){.kind = PM_ARG_BUFFER, .buffer = (index)})
#define PM_INT(number) pm_arg_int((int32_t)(number))
#define PM_FLOAT(number) pm_arg_float(number)
void pm_workload_args(pm_workload *workload, const pm_arg *args, size_t count);
pm_arg pm_arg_int(int32_t value);
pm_arg pm_arg_float(float value);
/* context (may be NULL) is freed with free_context (may be NULL) when the workload is. */
void pm_workload_check(pm_workload *workload, pm_check_fn check, void *context,
                       void (*free_context)(void *context));
/* Returns workload, or frees it, passes on the first error and returns NULL. */
pm_workload *pm_workload_finish(pm_workload *workload, pm_error *err);

#endif

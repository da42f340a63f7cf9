/* A workload: sources, data and launches to run, independent of any device.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It has a source with build options, buffers with their initial contents, launches in order, and a
 * check of the outputs against a CPU reference. Executors (the trace engine or a device's driver)
 * run it, and may run its launches many times. Buffers marked PM_BUFFER_RESTORE get their initial
 * contents again before each pass, which makes each launch once. Other buffers must not need that.
 *
 * A workload is built by functions that add to it. They record the first error and ignore further
 * calls. The caller can therefore add everything and check once: pm_workload_finish returns the
 * error.
 */
#ifndef PM_PROGRAM_WORKLOAD_H
#define PM_PROGRAM_WORKLOAD_H

#include <stdint.h>

#include "perfmodel.h"

/* Largest sum of the sizes of a workload's buffers in bytes. No GPU has as much memory. The trace
 * engine needs memory only for those pages of buffers that the sampled work-groups access. */
#define PM_TRACE_MOST_TOGETHER ((size_t)1 << 40)

enum {
    PM_BUFFER_IN = 0, /* kernels only read the buffer, or use it as scratch memory */
    /* an output: its contents after the launches are compared with the expected results */
    PM_BUFFER_OUTPUT = 1 << 0,
    /* kernels read and write the buffer, so that its initial contents are restored before each pass
     * (each launch once) */
    PM_BUFFER_RESTORE = 1 << 1,
    /* the buffer has no initial contents, and all its bits start as 1 instead of 0 */
    PM_BUFFER_POISON = 1 << 2,
    /* scratch memory: no launch needs contents that the buffer had before the launch, and nothing
     * reads its contents after the launch */
    PM_BUFFER_SCRATCH = 1 << 3
};

typedef struct pm_workload pm_workload;
/* rules for the initial contents of a buffer; see program/contents/fill.h */
typedef struct pm_fills pm_fills;

/* A pointer in the contents of a buffer or in an argument: the 8 bytes from byte `at` on are the
 * address of byte `offset` of buffer number `buffer`. */
typedef struct {
    size_t at, buffer, offset;
} pm_pointer;

/* The pointers in a buffer or in a struct argument, in ascending order of `at`. The stored contents
 * have zeros in their place, because addresses are known only when the workload runs. */
typedef struct {
    size_t count;
    pm_pointer *items;
} pm_pointers;

typedef struct {
    char *name;
    size_t bytes;
    /* Initial contents; NULL: zeros, or all bits set with PM_BUFFER_POISON. Call pm_workload_write
     * before reading them. */
    void *initial;
    unsigned flags;
    /* location "path:line" of the buffer's section in a workload file, for messages; NULL: none */
    char *origin;
    /* Rules of the initial contents, which the buffer owns, if it is in the worker process;
     * `initial` is then NULL. */
    pm_fills *rules;
    const pm_workload *lender; /* workload that owns the memory `initial`; NULL: this workload */
    pm_pointers pointers;      /* pointers in the initial contents; the buffer owns them */
} pm_buffer;

/* A symbol: a variable of a CUDA source in __constant__ memory, or in global memory (__device__),
 * with the data that the host code copies to it. */
typedef struct {
    char *name;
    size_t bytes;
    void *data;
    /* true: the variable is the memory of buffer number `buffer`, with the same initial contents;
     * `data` is then a copy of them, or empty if they are too large for constant memory */
    bool in_buffer;
    size_t buffer;
} pm_device_symbol;

/* Kinds of arguments; PM_ARG_NULL is a null pointer. */
typedef enum { PM_ARG_BUFFER, PM_ARG_LOCAL, PM_ARG_VALUE, PM_ARG_NULL } pm_arg_kind;

typedef struct {
    pm_arg_kind kind;
    size_t buffer; /* PM_ARG_BUFFER: index of the buffer */
    /* PM_ARG_BUFFER: offset in bytes from the buffer's start to the address that the kernel gets */
    size_t offset;
    size_t bytes; /* PM_ARG_LOCAL and PM_ARG_VALUE: size in bytes */
    /* PM_ARG_VALUE: the value if it has up to 16 bytes; read it by pm_arg_value */
    unsigned char value[16];
    /* PM_ARG_VALUE: the value if it has more than 16 bytes; the launch owns it */
    unsigned char *large;
    pm_pointers pointers; /* PM_ARG_VALUE: pointers in the value; the launch owns them */
} pm_arg;

#define PM_MAX_ARGS 64
/* Largest PM_ARG_VALUE in bytes: CUDA's limit on all arguments of a kernel. */
#define PM_MOST_VALUE ((size_t)4096)

typedef struct {
    char *kernel;
    /* name of the launch in its workload file, independent of its kernel's name; NULL: none */
    char *label;
    unsigned dimensions; /* 1 to 3 */
    size_t global[3];    /* number of work-items in each dimension; 1 in unused dimensions */
    size_t local[3];     /* work-items of a work-group in each dimension; divides global */
    size_t offset[3];    /* offset of the global ids */
    size_t shared;       /* dynamic shared memory in bytes, for CUDA's extern __shared__ arrays */
    size_t arg_count;
    pm_arg args[PM_MAX_ARGS];
} pm_launch;

/* A texture of CUDA, which the host binds to a texture reference of the same name. */
typedef struct {
    char *name;
    pm_arg object; /* the texture object: a PM_ARG_VALUE that contains a pointer to the texels */
} pm_texture;

/* Rules of a buffer's initial contents that are computed only when they are needed, and a flag that
 * this was done. Defined in later.c. */
typedef struct pm_contents_later pm_contents_later;

/* Memory of a buffer's initial contents. If it is mapped from an unnamed file, the worker process
 * can map it, too. */
typedef struct {
    void *data;
    size_t bytes;
    int file; /* unnamed file (memfd) from which data is mapped */
    /* rules of contents that are computed when they are needed; NULL: `data` has the contents */
    pm_contents_later *later;
} pm_contents;

/* Function that compares the results of a workload with the correct ones. outputs[i] is the
 * contents of buffer i after one run of all launches if the buffer has PM_BUFFER_OUTPUT, otherwise
 * NULL. PM_FAILED if they differ; err describes the difference. */
typedef pm_status (*pm_check_fn)(const pm_workload *workload, const void *const *outputs,
                                 pm_error *err);

struct pm_workload {
    char *program, *variant, *size;
    char *source; /* source text in OpenCL C 1.2, or in CUDA C++ (compiler/language.h) */
    char *source_path;
    char *build_options;
    char *origin; /* path of the workload file or source that describes the workload; NULL: none */
    size_t buffer_count;
    pm_buffer *buffers;
    size_t symbol_count;
    pm_device_symbol *symbols;
    size_t texture_count;
    pm_texture *textures;
    size_t launch_count;
    pm_launch *launches;
    size_t contents_count;
    pm_contents *contents;
    /* Amount of work of one pass (each launch once), in arbitrary units. Sizes of one variant can
     * be compared by it. */
    double work;
    /* Reference workload, which computes the correct results. The executor runs it first, and
     * `check` compares outputs with its outputs. NULL: `check` needs none. */
    pm_workload *reference;
    /* expected[i]: contents of buffer i after `reference` has run. NULL: the reference was not run,
     * and `check` accepts all outputs. */
    void **expected;
    pm_check_fn check;
    /* The workload from which this one was made by a rewrite; the results are compared with its
     * reference. NULL: this one is no rewrite. */
    pm_workload *original;
    void *check_context; /* data for `check`, which free_context frees; NULL: none */
    void (*free_context)(void *context);
    /* hash of paths, sizes and times of the files that `check` reads; 0: it reads none */
    uint64_t check_files;
    /* A number that becomes part of the hash that identifies the workload. Workloads with different
     * salts therefore have different cache keys. */
    uint64_t salt;
    pm_error error; /* first error of the functions that add to the workload */
};

pm_workload *pm_workload_create(const char *program, const char *variant, const char *size);
void pm_workload_free(pm_workload *workload);
/* Changes the name of the workload's variant and returns the workload. If memory runs out, frees
 * the workload and returns NULL. */
pm_workload *pm_workload_rename(pm_workload *workload, const char *variant, pm_error *err);

/* Reads the workload's source from the installed kernels. name: path below kernels/, such as
 * "sobel/sobel_local.cl". */
void pm_workload_source(pm_workload *workload, const char *name);
/* Reads the workload's source from a path. */
void pm_workload_source_file(pm_workload *workload, const char *path);
void pm_workload_options(pm_workload *workload, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Allocates zeroed memory for initial contents. The workload owns it even if no buffer uses it.
 * NULL if out of memory, which pm_workload_finish reports. */
void *pm_workload_contents(pm_workload *workload, size_t bytes);
/* Returns the descriptor of the unnamed file from which memory of pm_workload_contents is mapped,
 * at offset 0. -1: it is not mapped from a file. */
int pm_workload_contents_file(const pm_workload *workload, const void *data);
/* Returns memory for the contents of a large buffer that are computed by rules when they are
 * needed; until then it reads as zeros. The workload owns the memory and the rules, also after a
 * failure. Rules may be added until the workload is finished. NULL: out of memory, which
 * pm_workload_finish reports. The functions from here to pm_workload_settle are defined in
 * later.c. */
void *pm_workload_later(pm_workload *workload, pm_fills *rules);
/* Returns the rules from which a buffer's initial contents are computed. NULL: there are none, and
 * `initial` has the contents. */
const pm_fills *pm_workload_rules(const pm_workload *workload, size_t buffer);
/* If a buffer's initial contents are given by rules and not computed yet, computes them. Threads
 * may call it at the same time. PM_BAD_INPUT if an expression has no value for an element. */
pm_status pm_workload_write(const pm_workload *workload, size_t buffer, pm_error *err);
/* Computes a buffer's initial contents as pm_workload_write does, and forgets its rules. The caller
 * can then change the contents. */
pm_status pm_workload_settle(pm_workload *workload, size_t buffer, pm_error *err);
void pm_contents_later_free(pm_contents_later *later);
/* Adds a buffer of `bytes` bytes and returns its index. Takes ownership of `initial`, its initial
 * contents, which come from pm_workload_contents or malloc; NULL: zeros. flags: PM_BUFFER_... . */
size_t pm_workload_buffer(pm_workload *workload, const char *name, size_t bytes, void *initial,
                          unsigned flags);
/* Sets pm_buffer.origin, the location of the buffer's section in a workload file. */
void pm_workload_origin(pm_workload *workload, size_t buffer, const char *origin);
/* Adds a buffer with the name, size, flags, origin and initial contents of a buffer of another
 * workload. The contents are not copied, so that workload `from` must exist longer than this one.
 * Returns the new buffer's index. */
size_t pm_workload_share(pm_workload *workload, const pm_workload *from, size_t buffer);
/* Adds a symbol: a variable of a CUDA source in __constant__ memory with its data, which is copied.
 * Defined in symbols.c. */
void pm_workload_symbol(pm_workload *workload, const char *name, const void *data, size_t bytes);
/* Makes a buffer the memory of a variable of a CUDA source. Its initial contents and pointers
 * become those of the variable. Defined in symbols.c. */
void pm_workload_symbol_buffer(pm_workload *workload, const char *name, size_t buffer);
/* Returns the symbol (CUDA variable) whose memory a buffer is. NULL: there is none. Defined in
 * symbols.c. */
const pm_device_symbol *pm_workload_symbol_of(const pm_workload *workload, size_t buffer);
void pm_workload_free_symbols(pm_workload *workload);
/* Adds a texture and copies its name and its texture object of `bytes` bytes. texels: the pointer
 * to the texels, which is in the object. Defined in textures.c. */
void pm_workload_texture(pm_workload *workload, const char *name, const void *object, size_t bytes,
                         const pm_pointer *texels);
void pm_workload_free_textures(pm_workload *workload);
/* Chooses the work-group size of a launch that does not specify one, as drivers do. It has up to
 * 256 work-items and divides the global size. If there are several dimensions, the first gets up to
 * 32 work-items, and each further one gets as many as remain. Defined in usual_group.c. */
void pm_workload_usual_group(unsigned dimensions, const size_t *global, size_t *local);
/* Adds a launch. Its arguments are added afterwards, in order. global and local have `dimensions`
 * members. */
void pm_workload_launch(pm_workload *workload, const char *kernel, unsigned dimensions,
                        const size_t *global, const size_t *local);
/* Sets the name of the launch that was added last; label NULL: it has none. */
void pm_workload_label(pm_workload *workload, const char *label);
/* Sets the global offset of the launch that was added last. offset has one member for each
 * dimension of the launch. */
void pm_workload_offset(pm_workload *workload, const size_t *offset);
/* Sets the dynamic shared memory of the launch that was added last, for CUDA's extern __shared__
 * arrays. */
void pm_workload_shared(pm_workload *workload, size_t bytes);
void pm_workload_arg_buffer(pm_workload *workload, size_t buffer);
/* Adds an argument that is a pointer to byte `offset` of a buffer. It must be inside of the
 * buffer. */
void pm_workload_arg_part(pm_workload *workload, size_t buffer, size_t offset);
void pm_workload_arg_null(pm_workload *workload);
void pm_workload_arg_local(pm_workload *workload, size_t bytes);
void pm_workload_arg_int(pm_workload *workload, int32_t value);
void pm_workload_arg_ulong(pm_workload *workload, uint64_t value);
void pm_workload_arg_float(pm_workload *workload, float value);
/* Adds an argument that is a scalar, vector or struct of up to PM_MOST_VALUE bytes, and copies
 * it. */
void pm_workload_arg_value(pm_workload *workload, const void *value, size_t bytes);
/* Returns the value of a PM_ARG_VALUE argument, arg->bytes bytes. */
const void *pm_arg_value(const pm_arg *arg);
/* Adds several arguments in order to the launch that was added last: PM_ARGS(workload,
 * PM_BUFFER(0), PM_INT(n)). */
#define PM_ARGS(workload, ...)                                                                     \
    pm_workload_args(workload, (const pm_arg[]){__VA_ARGS__},                                      \
                     sizeof((const pm_arg[]){__VA_ARGS__}) / sizeof(pm_arg))
#define PM_BUFFER(index) ((pm_arg){.kind = PM_ARG_BUFFER, .buffer = (index)})
#define PM_INT(number) pm_arg_int((int32_t)(number))
void pm_workload_args(pm_workload *workload, const pm_arg *args, size_t count);
pm_arg pm_arg_int(int32_t value);
/* Sets the function that checks the workload's outputs, and its data `context` (may be NULL).
 * free_context (may be NULL) frees the data when the workload is freed. */
void pm_workload_check(pm_workload *workload, pm_check_fn check, void *context,
                       void (*free_context)(void *context));
/* Sets the pointers in the initial contents of a buffer to copies of `items`. All buffers must have
 * been added. The functions from here to pm_pointers_clear are defined in pointers.c. */
void pm_workload_point(pm_workload *workload, size_t buffer, const pm_pointer *items, size_t count);
/* Sets the pointers in the argument that was added last, a value, to copies of `items`. */
void pm_workload_arg_point(pm_workload *workload, const pm_pointer *items, size_t count);
/* Copies pointers to *to and sorts them by `at`. Returns false if memory runs out. */
bool pm_pointers_copy(pm_pointers *to, const pm_pointer *items, size_t count);
/* Returns the pointer that is at byte `at`. NULL: there is none. */
const pm_pointer *pm_pointers_find(const pm_pointers *pointers, size_t at);
/* Returns whether all pointers are valid: inside of `bytes` bytes without overlap, and to addresses
 * in the workload's buffers. */
bool pm_pointers_are_sound(const pm_pointers *pointers, size_t bytes, const pm_workload *workload);
/* Overwrites the pointers in `bytes` by zeros. */
void pm_pointers_clear(const pm_pointers *pointers, void *bytes);
/* Ends the building of a workload. Returns the workload if no function that added to it failed.
 * Otherwise frees it, sets err to the first error and returns NULL. */
pm_workload *pm_workload_finish(pm_workload *workload, pm_error *err);

#endif

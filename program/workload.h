/* Workload: the work to run, independent of any device.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It has a source with build options, buffers with their initial contents, launches in order, and a
 * check of the outputs against a CPU reference. Every executor runs the same Workload, and may run
 * its launches many times. Buffers marked PM_BUFFER_RESTORE get their initial contents again before
 * each pass. Other buffers must not need that.
 *
 * A builder records its first error and ignores further calls. A program can therefore add all
 * parts and check once: pm_workload_finish returns the error.
 */
#ifndef PM_PROGRAM_WORKLOAD_H
#define PM_PROGRAM_WORKLOAD_H

#include <stdint.h>

#include "perfmodel.h"

/* Largest sum of the sizes of a workload's buffers in bytes. It is more than any GPU has; the trace
 * engine needs memory only for the parts of buffers that the sampled work-groups access. */
#define PM_TRACE_MOST_TOGETHER ((size_t)1 << 40)

enum {
    PM_BUFFER_IN = 0, /* kernels only read the buffer, or use it as scratch memory */
    /* an output: its contents after the launches are compared with the expected results */
    PM_BUFFER_OUTPUT = 1 << 0,
    /* kernels read and write the buffer, so its initial contents are restored before each run of
     * all launches */
    PM_BUFFER_RESTORE = 1 << 1,
    /* the buffer has no initial contents, and starts with all bits set instead of zeros */
    PM_BUFFER_POISON = 1 << 2,
    /* scratch memory: a launch needs no contents that the buffer had before the launch, and nothing
     * reads the buffer's contents after the launch */
    PM_BUFFER_SCRATCH = 1 << 3
};

typedef struct pm_workload pm_workload;
typedef struct pm_fills pm_fills; /* see program/contents/fill.h */

/* A pointer in memory: the 8 bytes from byte `at` on are the address of byte `offset` of buffer
 * `buffer`. */
typedef struct {
    size_t at, buffer, offset;
} pm_pointer;

/* The pointers in a buffer or in a struct argument, in ascending order of `at`. The contents have
 * zeros in their place. */
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
    /* Source location "path:line" of the buffer's description in a workload file. NULL: none. */
    char *origin;
    /* In the worker process: rules of the initial contents, which the buffer owns; `initial` is
     * NULL. */
    pm_fills *rules;
    const pm_workload *lender; /* workload that owns `initial`; NULL: this workload */
    pm_pointers pointers;      /* pointers in the initial contents; the buffer owns them */
} pm_buffer;

/* A symbol: a variable of a CUDA source in __constant__ memory, or in global memory (__device__),
 * with the data that the host copies to it. */
typedef struct {
    char *name;
    size_t bytes;
    void *data;
    /* true: the variable is the memory of buffer `buffer`, whose initial contents are those of the
     * variable; `data` is then a copy of them, or empty if they are too large for constant memory
     */
    bool in_buffer;
    size_t buffer;
} pm_device_symbol;

/* Kinds of arguments; PM_ARG_NULL is a null pointer. */
typedef enum { PM_ARG_BUFFER, PM_ARG_LOCAL, PM_ARG_VALUE, PM_ARG_NULL } pm_arg_kind;

typedef struct {
    pm_arg_kind kind;
    size_t buffer; /* for PM_ARG_BUFFER: index of the buffer */
    /* for PM_ARG_BUFFER: bytes from the buffer's start to the address that the kernel gets */
    size_t offset;
    size_t bytes;            /* for PM_ARG_LOCAL and PM_ARG_VALUE: size in bytes */
    unsigned char value[16]; /* for PM_ARG_VALUE: a value of up to 16 bytes; see pm_arg_value */
    /* for PM_ARG_VALUE: a value of more than 16 bytes; the launch owns it */
    unsigned char *large;
    pm_pointers pointers; /* for PM_ARG_VALUE: pointers in the value; the launch owns them */
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
    size_t shared;       /* bytes of shared memory for CUDA's extern __shared__ arrays */
    size_t arg_count;
    pm_arg args[PM_MAX_ARGS];
} pm_launch;

/* A texture of CUDA, which the host binds to a texture reference of the same name. */
typedef struct {
    char *name;
    pm_arg object; /* texture object, a value with a pointer to the texels */
} pm_texture;

/* Rules of a buffer's initial contents, and whether they have been written. Defined in later.c. */
typedef struct pm_contents_later pm_contents_later;

/* Memory of a buffer's initial contents. If it is mapped from a file, another process can map it,
 * too. */
typedef struct {
    void *data;
    size_t bytes;
    int file; /* unnamed file (memfd) from which data is mapped */
    /* rules of contents that are written when they are needed; NULL: data has the contents */
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
    /* amount of work of one run of all launches in arbitrary units; comparable between sizes of a
     * variant */
    double work;
    /* Reference workload, which computes the correct results. The executor runs it first, and
     * `check` compares the outputs with its outputs. NULL: `check` knows the correct results by
     * itself. */
    pm_workload *reference;
    /* expected[i]: contents of buffer i after `reference` has run. NULL: the reference was not run,
     * and `check` accepts all outputs. */
    void **expected;
    pm_check_fn check;
    /* If this workload was made by a rewrite of another one: that workload, with whose reference
     * the results are compared. NULL: it was not. */
    pm_workload *original;
    void *check_context; /* data for `check`, which free_context frees; NULL: none */
    void (*free_context)(void *context);
    /* hash of the paths, sizes and times of the files that `check` reads; 0: it reads none */
    uint64_t check_files;
    /* number that is hashed into the workload's identity, so that workloads with different salts
     * have different cache keys */
    uint64_t salt;
    pm_error error; /* first error that a function which adds to the workload met */
};

pm_workload *pm_workload_create(const char *program, const char *variant, const char *size);
void pm_workload_free(pm_workload *workload);
/* Renames the variant and returns the workload. If memory runs out, frees the workload and returns
 * NULL. */
pm_workload *pm_workload_rename(pm_workload *workload, const char *variant, pm_error *err);

/* Reads the source from the installed kernels; name is for example "sobel/sobel_local.cl". */
void pm_workload_source(pm_workload *workload, const char *name);
/* Reads the source from any path. */
void pm_workload_source_file(pm_workload *workload, const char *path);
void pm_workload_options(pm_workload *workload, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Allocates zeroed memory for initial contents. The workload owns it even if no buffer uses it.
 * NULL if out of memory, which pm_workload_finish reports. */
void *pm_workload_contents(pm_workload *workload, size_t bytes);
/* Returns the file from which data of pm_workload_contents is mapped, at offset 0. -1: it is not
 * mapped. */
int pm_workload_contents_file(const pm_workload *workload, const void *data);
/* Returns memory for contents that are written when they are needed: the rules' bytes, which read
 * as zeros until then. The workload owns it and the rules, also after a failure. Rules may be added
 * until the workload is finished. NULL as for pm_workload_contents. The functions from here to
 * pm_workload_settle are defined in later.c. */
void *pm_workload_later(pm_workload *workload, pm_fills *rules);
/* Returns the rules of a buffer's initial contents. NULL: it has none, and `initial` has the
 * contents. */
const pm_fills *pm_workload_rules(const pm_workload *workload, size_t buffer);
/* Writes a buffer's initial contents by its rules, unless that was done. Threads may call it at the
 * same time. PM_BAD_INPUT if an expression has no value for an element. */
pm_status pm_workload_write(const pm_workload *workload, size_t buffer, pm_error *err);
/* Writes a buffer's initial contents and forgets its rules, so that the contents can be changed. */
pm_status pm_workload_settle(pm_workload *workload, size_t buffer, pm_error *err);
void pm_contents_later_free(pm_contents_later *later);
/* Adds a buffer and returns its index. Takes ownership of `initial`, which comes from
 * pm_workload_contents or malloc, or is NULL. */
size_t pm_workload_buffer(pm_workload *workload, const char *name, size_t bytes, void *initial,
                          unsigned flags);
/* Sets the source location of the user's description of the buffer. */
void pm_workload_origin(pm_workload *workload, size_t buffer, const char *origin);
/* Adds a buffer that is equal to a buffer of another workload in name, size, flags, origin and
 * initial contents. The contents are not copied, so workload `from` must outlive this one. Returns
 * the new buffer's index. */
size_t pm_workload_share(pm_workload *workload, const pm_workload *from, size_t buffer);
/* Adds a symbol, which is a variable in CUDA's __constant__ memory, and copies its data. Defined in
 * symbols.c. */
void pm_workload_symbol(pm_workload *workload, const char *name, const void *data, size_t bytes);
/* Makes a buffer the memory of a variable. The buffer's initial contents and pointers are those of
 * the variable. Defined in symbols.c. */
void pm_workload_symbol_buffer(pm_workload *workload, const char *name, size_t buffer);
/* Returns the symbol whose memory the buffer is. NULL: there is none. Defined in symbols.c. */
const pm_device_symbol *pm_workload_symbol_of(const pm_workload *workload, size_t buffer);
void pm_workload_free_symbols(pm_workload *workload);
/* Adds a texture with a texture object of `bytes` bytes, and copies both. texels: pointer to its
 * texels, which is in the object. Defined in textures.c. */
void pm_workload_texture(pm_workload *workload, const char *name, const void *object, size_t bytes,
                         const pm_pointer *texels);
void pm_workload_free_textures(pm_workload *workload);
/* Chooses a work-group as drivers do if the program does not choose one. It has up to 256
 * work-items and divides the global size. If there are several dimensions, the first gets up to 32
 * work-items. Each further dimension gets as many as remain. Defined in usual_group.c. */
void pm_workload_usual_group(unsigned dimensions, const size_t *global, size_t *local);
/* Adds a launch. Its arguments are added afterwards, in order. global and local have `dimensions`
 * members. */
void pm_workload_launch(pm_workload *workload, const char *kernel, unsigned dimensions,
                        const size_t *global, const size_t *local);
/* Names the last launch; label NULL: it has no name. */
void pm_workload_label(pm_workload *workload, const char *label);
/* Sets the global offset of the last launch. offset has one member for each dimension of the
 * launch. */
void pm_workload_offset(pm_workload *workload, const size_t *offset);
/* Sets the bytes of shared memory for the extern __shared__ arrays of the last launch. */
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
/* Returns the bytes of a PM_ARG_VALUE argument. */
const void *pm_arg_value(const pm_arg *arg);
/* Adds several arguments in order: PM_ARGS(workload, PM_BUFFER(0), PM_INT(n)). */
#define PM_ARGS(workload, ...)                                                                     \
    pm_workload_args(workload, (const pm_arg[]){__VA_ARGS__},                                      \
                     sizeof((const pm_arg[]){__VA_ARGS__}) / sizeof(pm_arg))
#define PM_BUFFER(index) ((pm_arg){.kind = PM_ARG_BUFFER, .buffer = (index)})
#define PM_INT(number) pm_arg_int((int32_t)(number))
void pm_workload_args(pm_workload *workload, const pm_arg *args, size_t count);
pm_arg pm_arg_int(int32_t value);
/* Sets the function that checks the outputs, and its argument `context` (may be NULL). When the
 * workload is freed, free_context (may be NULL) frees it. */
void pm_workload_check(pm_workload *workload, pm_check_fn check, void *context,
                       void (*free_context)(void *context));
/* Sets the pointers in the initial contents of a buffer, and copies them. All buffers must have
 * been added. The functions from here to pm_pointers_clear are defined in pointers.c. */
void pm_workload_point(pm_workload *workload, size_t buffer, const pm_pointer *items, size_t count);
/* Sets the pointers in the last argument of the last launch, a value, and copies them. */
void pm_workload_arg_point(pm_workload *workload, const pm_pointer *items, size_t count);
/* Copies pointers and sorts them. Returns false if memory runs out. */
bool pm_pointers_copy(pm_pointers *to, const pm_pointer *items, size_t count);
/* Returns the pointer at this byte; NULL: there is none. */
const pm_pointer *pm_pointers_find(const pm_pointers *pointers, size_t at);
/* Returns whether pointers lie in `bytes` bytes without overlap, and lead into the workload's
 * buffers. */
bool pm_pointers_are_sound(const pm_pointers *pointers, size_t bytes, const pm_workload *workload);
/* Writes zeros in place of the pointers. */
void pm_pointers_clear(const pm_pointers *pointers, void *bytes);
/* Ends the building of a workload. Returns it if no function that added to it failed. Otherwise
 * frees it, raises the first error and returns NULL. */
pm_workload *pm_workload_finish(pm_workload *workload, pm_error *err);

#endif
